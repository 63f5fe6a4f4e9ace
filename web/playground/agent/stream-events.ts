/** LangGraph's stream modes as the page's events; this tab and the Worker send the same payloads. */
import type { InterpreterEvent } from "../../../src/langchain/progress.js";
import type { ChartEvent } from "../../demo/page-tools.js";
import type { WireMessage } from "./graph-port.js";
import { type ThreadView, textOf, toThreadView } from "./thread-view.js";

/** One piece of a message while the model writes it. */
export interface MessageChunk {
  readonly id: string;
  readonly text: string;
  /** Pieces of the arguments of tool calls, by their position in the message. */
  readonly calls: readonly {
    index: number;
    id?: string | undefined;
    name?: string | undefined;
    args: string;
  }[];
}

export type RunEvent =
  /** The run is known where it runs, and others may join it. */
  | { readonly type: "begin" }
  | { readonly type: "chunk"; readonly chunk: MessageChunk }
  | { readonly type: "progress"; readonly event: InterpreterEvent | ChartEvent }
  | { readonly type: "thread"; readonly thread: ThreadView };

type AnyChunk = WireMessage & {
  readonly tool_call_chunks?: readonly { index?: number; id?: string; name?: string; args?: string }[];
};

const progressTypes: readonly unknown[] = ["interpreter_call", "interpreter_console", "playground_chart"];

export function* toRunEvents(mode: string, payload: unknown): Generator<RunEvent> {
  if (mode === "metadata") yield { type: "begin" };
  if (mode === "values") {
    const values = payload as Record<string, unknown>;
    const interrupts = (values["__interrupt__"] ?? []) as { id?: string; value?: unknown }[];
    // A step that only reports an interrupt carries no messages: the thread itself did not change.
    if (Array.isArray(values["messages"]))
      yield { type: "thread", thread: toThreadView({ values, interrupts }) };
  }
  if (mode === "custom" && progressTypes.includes((payload as { type?: unknown } | null)?.type))
    yield { type: "progress", event: payload as InterpreterEvent | ChartEvent };
  if (mode === "messages" && Array.isArray(payload)) yield* toChunk(payload as [AnyChunk, ChunkMetadata]);
}

interface ChunkMetadata {
  readonly langgraph_checkpoint_ns?: string;
  readonly langgraph_node?: string;
}

function* toChunk([message, metadata]: [AnyChunk, ChunkMetadata | undefined]): Generator<RunEvent> {
  // What subagents write is theirs; the page shows their calls, not their words.
  const isInner = metadata?.langgraph_checkpoint_ns?.includes("|") || metadata?.langgraph_node === "tools";
  if (isInner || !["ai", "AIMessageChunk"].includes(message.type)) return;
  const calls = (message.tool_call_chunks ?? []).map((call, position) => ({
    index: call.index ?? position,
    id: call.id,
    name: call.name,
    args: call.args ?? "",
  }));
  yield { type: "chunk", chunk: { id: message.id ?? "", text: textOf(message.content), calls } };
}
