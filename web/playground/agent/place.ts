/** Where an agent runs, as the page sees it: the same for this tab and for the Worker. */
import { CELL_PREFIX } from "../cell-prefix.js";
import { LEFT, STOPPED } from "../leaving.js";
import type { GraphInput, GraphPort, WireMessage } from "./graph-port.js";
import { type StoppedProgram, stoppedProgram } from "./stopped-program.js";
import { type RunEvent, toRunEvents } from "./stream-events.js";
import { type InterpreterView, openCalls, type ThreadView, toThreadView } from "./thread-view.js";

export type Decision =
  | { readonly type: "approve" }
  | { readonly type: "edit"; readonly editedAction: { name: string; args: Record<string, unknown> } }
  | { readonly type: "reject"; readonly message?: string };

/** A snapshot the thread was at, with the conversation as it then was. */
export interface SnapshotPoint {
  readonly interpreter: InterpreterView & { readonly tools?: readonly string[] };
  readonly key: string;
  readonly bytes: number;
  readonly createdAt: string | undefined;
  readonly messages: readonly WireMessage[];
}

/** Everything of a thread: what goes into a file, and from one place into another. */
export interface ThreadContent {
  readonly messages: readonly WireMessage[];
  readonly interpreter: (InterpreterView & { readonly tools?: readonly string[] }) | undefined;
  readonly snapshot: Uint8Array | undefined;
}

export class AgentPlace {
  readonly #port: GraphPort;

  constructor(port: GraphPort) {
    this.#port = port;
  }

  /** The thread as it is stored; empty when nobody has asked anything yet. */
  async load(threadId: string): Promise<ThreadView> {
    return toThreadView(await this.#port.state(threadId));
  }

  ask(threadId: string, question: string, signal: AbortSignal): AsyncGenerator<RunEvent> {
    return this.#run(
      threadId,
      { kind: "messages", messages: [{ type: "human", content: question }] },
      signal,
    );
  }

  /**
   * Runs a person's code in the thread's session, with the agent's tools: as an eval the model asked for, without
   * asking the model. The model sees it in the conversation the next time.
   */
  async *runCode(
    threadId: string,
    code: string,
    tools: readonly string[],
    signal: AbortSignal,
  ): AsyncGenerator<RunEvent> {
    const state = await this.#port.state(threadId);
    const known = state.values["_interpreter"];
    const id = `${CELL_PREFIX}${crypto.randomUUID()}`;
    const call = { id, name: "eval", args: { code }, type: "tool_call" };
    await this.#port.update(
      threadId,
      {
        messages: [
          { type: "human", id: `${id}-note`, content: "I ran this in the workspace myself." },
          { type: "ai", id: `${id}-call`, content: "", tool_calls: [call] },
        ],
        ...(known ? {} : { _interpreter: newSession(tools) }),
      },
      MODEL_NODE,
    );
    yield { type: "thread", thread: await this.load(threadId) };
    yield* this.#run(threadId, { kind: "continue" }, signal, [MODEL_NODE]);
  }

  /** Goes on with what a reload or another tab left in the middle. */
  async *resume(threadId: string, lock: "try" | "take", signal: AbortSignal): AsyncGenerator<RunEvent> {
    const { messages } = await this.load(threadId);
    const isCell = messages
      .findLast(({ kind }) => kind === "ai")
      ?.calls.some(({ id }) => id.startsWith(CELL_PREFIX));
    yield* this.#run(threadId, { kind: "rejoin" }, signal, isCell ? [MODEL_NODE] : undefined, lock);
  }

  /** Answers what the thread waits for; one list of decisions per approval, in the order of its requests. */
  decide(
    threadId: string,
    decisions: ReadonlyMap<string, readonly Decision[]>,
    signal: AbortSignal,
  ): AsyncGenerator<RunEvent> {
    // By the interrupt's id, so that others of the same thread stay open.
    const value = Object.fromEntries([...decisions].map(([id, list]) => [id, { decisions: list }]));
    return this.#run(threadId, { kind: "resume", value }, signal);
  }

  /** One point per snapshot, oldest first. */
  async history(threadId: string): Promise<SnapshotPoint[]> {
    const points = new Map<string, SnapshotPoint>();
    for (const { values, createdAt } of await this.#port.history(threadId)) {
      const interpreter = values["_interpreter"] as InterpreterView | null | undefined;
      const snapshot = interpreter?.snapshot;
      if (!interpreter || !snapshot || points.has(snapshot.key)) continue;
      const messages = (values["messages"] ?? []) as WireMessage[];
      points.set(snapshot.key, {
        interpreter,
        key: snapshot.key,
        bytes: snapshot.bytes,
        createdAt,
        messages,
      });
    }
    return [...points.values()].reverse();
  }

  snapshot(threadId: string, key: string): Promise<Uint8Array | undefined> {
    return this.#port.readSnapshot(threadId, key);
  }

  async read(threadId: string): Promise<ThreadContent> {
    const { values } = await this.#port.state(threadId);
    const interpreter = (values["_interpreter"] ?? undefined) as ThreadContent["interpreter"];
    const key = interpreter?.snapshot?.key;
    return {
      messages: (values["messages"] ?? []) as WireMessage[],
      interpreter,
      snapshot: key === undefined ? undefined : await this.#port.readSnapshot(threadId, key),
    };
  }

  /** Puts a thread here. One that is here already gets what it does not have. */
  async write(threadId: string, content: ThreadContent): Promise<void> {
    const { messages, interpreter, snapshot } = content;
    await this.#port.update(
      threadId,
      { messages, ...(interpreter ? { _interpreter: interpreter } : {}) },
      MODEL_NODE,
    );
    const key = interpreter?.snapshot?.key;
    if (snapshot && key !== undefined) await this.#port.writeSnapshot(threadId, key, snapshot);
  }

  async *#run(
    threadId: string,
    input: GraphInput,
    signal: AbortSignal,
    interruptBefore?: readonly string[],
    lock: "try" | "take" = "try",
  ): AsyncGenerator<RunEvent> {
    try {
      const options = { signal, lock, ...(interruptBefore ? { interruptBefore } : {}) };
      for await (const [mode, payload] of this.#port.stream(threadId, input, options))
        yield* toRunEvents(mode, payload);
    } catch (error) {
      const isStopped = signal.aborted && signal.reason !== LEFT;
      if (!isStopped) throw error;
      await this.#closeOpenCalls(threadId);
    }
    yield { type: "thread", thread: await this.load(threadId) };
  }

  /**
   * A stopped run leaves calls that nothing answers, which most models refuse to read, nobody's turn, and what its
   * program had changed.
   */
  async #closeOpenCalls(threadId: string): Promise<void> {
    const state = await this.#port.state(threadId);
    const calls = openCalls(toThreadView(state));
    const session = (state.values["_interpreter"] as InterpreterView | null | undefined)?.session;
    const ids = calls.map(({ id }) => id);
    const { text, interpreter } =
      calls.length === 0 ? nothingStopped : await stoppedProgram(this.#port, threadId, session, ids);
    const answers = calls.map(({ id, name }) => ({
      type: "tool",
      content: text,
      tool_call_id: id,
      name,
      status: "error",
    }));
    const messages = [...answers, { type: "ai", content: STOPPED }];
    const values = { messages, ...(interpreter ? { _interpreter: interpreter } : {}) };
    await this.#port.update(threadId, values, MODEL_NODE);
  }
}

const nothingStopped: StoppedProgram = { text: "", interpreter: undefined };

/** The node of LangChain's agents that asks the model. */
const MODEL_NODE = "model_request";

/** What the middleware writes before a thread's first eval. */
function newSession(tools: readonly string[]): Record<string, unknown> {
  return { session: crypto.randomUUID(), version: 0, revision: crypto.randomUUID(), tools };
}
