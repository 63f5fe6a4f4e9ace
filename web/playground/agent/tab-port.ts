/** An agent in this process as a `GraphPort`. */
import { Command } from "@langchain/langgraph";
import type { ReactAgent } from "langchain";
import type { SnapshotStore } from "../../../src/store.js";
import type { GraphInput, GraphPort, GraphState, WireMessage } from "./graph-port.js";
import { lockedStream } from "./locked-stream.js";

interface StateSnapshot {
  readonly values: Record<string, unknown>;
  readonly next: readonly string[];
  readonly tasks: readonly { readonly interrupts?: readonly { id?: string; value?: unknown }[] }[];
  readonly createdAt?: string;
  readonly config: { readonly configurable?: Readonly<Record<string, unknown>> };
}

/** Checkpoints one look at the history reads at most. */
const HISTORY = 200;

/** The agent is asked for anew each time: settings and dropped data change it between two runs. */
export function createTabPort(agent: () => Promise<ReactAgent>, snapshots: SnapshotStore): GraphPort {
  const at = (threadId: string) => ({ configurable: { thread_id: threadId } });
  return {
    async state(threadId) {
      const { graph } = await agent();
      return toGraphState((await graph.getState(at(threadId))) as unknown as StateSnapshot);
    },
    async history(threadId) {
      const { graph } = await agent();
      const states: GraphState[] = [];
      for await (const state of graph.getStateHistory(at(threadId), { limit: HISTORY }))
        states.push(toGraphState(state as unknown as StateSnapshot));
      return states;
    },
    async update(threadId, values, asNode) {
      const { graph } = await agent();
      await graph.updateState(at(threadId), values, asNode);
    },
    stream: (threadId, input, { signal, interruptBefore, lock = "try" }) =>
      lockedStream(threadId, lock, signal, async function* (heldSignal) {
        const running = await agent();
        const stream = await running.stream(toInput(input) as never, {
          ...at(threadId),
          streamMode: ["messages", "custom", "values"],
          signal: heldSignal,
          ...(interruptBefore ? { interruptBefore: [...interruptBefore] } : {}),
        });
        for await (const chunk of stream) {
          const [mode, payload] = chunk as unknown as [string, unknown];
          yield [
            mode,
            mode === "values" ? toWireValues(payload as Record<string, unknown>) : payload,
          ] as const;
        }
      }),
    readSnapshot: async (_threadId, key) => (await snapshots.get(key))?.bytes,
    async writeSnapshot(_threadId, key, bytes) {
      await snapshots.put(key, bytes);
    },
  };
}

function toInput(input: GraphInput): unknown {
  if (input.kind === "messages") return { messages: input.messages };
  return input.kind === "resume" ? new Command({ resume: input.value }) : null;
}

function toGraphState(state: StateSnapshot): GraphState {
  return {
    values: toWireValues(state.values),
    next: state.next,
    interrupts: state.tasks.flatMap((task) => task.interrupts ?? []),
    createdAt: state.createdAt,
    checkpointId: state.config.configurable?.["checkpoint_id"] as string | undefined,
  };
}

function toWireValues(values: Record<string, unknown>): Record<string, unknown> {
  const { messages } = values;
  return Array.isArray(messages) ? { ...values, messages: messages.map(toWireMessage) } : values;
}

function toWireMessage(message: WireMessage): WireMessage {
  const { id, type, content, name, tool_calls, tool_call_id, status } = message;
  const plain = {
    id,
    type: type === "AIMessageChunk" ? "ai" : type,
    content,
    name,
    tool_calls,
    tool_call_id,
    status,
  };
  return Object.fromEntries(
    Object.entries(plain).filter(([, value]) => value !== undefined),
  ) as unknown as WireMessage;
}
