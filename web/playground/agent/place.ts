/** Where an agent runs, as the page sees it: the same for this tab and for the Worker. */
import type { InterpreterEvent } from "../../../src/langchain/progress.js";
import type { ThreadView } from "./thread-view.js";

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
  | { readonly type: "chunk"; readonly chunk: MessageChunk }
  | { readonly type: "progress"; readonly event: InterpreterEvent }
  | { readonly type: "thread"; readonly thread: ThreadView };

export interface RunOptions {
  readonly signal: AbortSignal;
}

export interface AgentPlace {
  /** The thread as it is stored; empty when nobody has asked anything yet. */
  load(threadId: string): Promise<ThreadView>;
  /** Asks the agent. The last event is the thread as it then is. */
  ask(threadId: string, question: string, options: RunOptions): AsyncIterable<RunEvent>;
}
