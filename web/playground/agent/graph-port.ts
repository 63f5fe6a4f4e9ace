/**
 * What the page needs of a LangGraph thread, as plain JSON. Two things implement it: the agent in this tab, and the
 * LangGraph API of the Worker. Everything above it (`place.ts`) is the same for both.
 */

export type GraphInput =
  | { readonly kind: "messages"; readonly messages: readonly WireMessage[] }
  | { readonly kind: "resume"; readonly value: unknown }
  /** Goes on with what the state says is next. */
  | { readonly kind: "continue" }
  /** Goes on with a run that a reload interrupted, or watches it where it runs on by itself. */
  | { readonly kind: "rejoin" };

/** A message as LangGraph's API writes it. */
export interface WireMessage {
  readonly id?: string;
  readonly type: string;
  readonly content: unknown;
  readonly name?: string;
  readonly tool_calls?: readonly {
    id?: string;
    name: string;
    args: Record<string, unknown>;
    type?: string;
  }[];
  readonly tool_call_id?: string;
  readonly status?: string;
}

export interface GraphState {
  readonly values: Readonly<Record<string, unknown>>;
  readonly next: readonly string[];
  readonly interrupts: readonly { readonly id?: string; readonly value?: unknown }[];
  readonly createdAt: string | undefined;
  readonly checkpointId: string | undefined;
}

export interface StreamOptions {
  readonly signal: AbortSignal;
  readonly interruptBefore?: readonly string[];
  /** When another tab works on the thread: give up, or take it over. */
  readonly lock?: "try" | "take";
}

export interface GraphPort {
  state(threadId: string): Promise<GraphState>;
  /** Newest first. */
  history(threadId: string): Promise<readonly GraphState[]>;
  update(threadId: string, values: Record<string, unknown>, asNode: string): Promise<void>;
  /** Pairs of LangGraph's stream mode (`messages`, `custom`, `values`) and payload. */
  stream(
    threadId: string,
    input: GraphInput,
    options: StreamOptions,
  ): AsyncIterable<readonly [mode: string, payload: unknown]>;
  readSnapshot(threadId: string, key: string): Promise<Uint8Array | undefined>;
  writeSnapshot(threadId: string, key: string, bytes: Uint8Array): Promise<void>;
}
