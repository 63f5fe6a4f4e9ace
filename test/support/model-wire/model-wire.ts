/** What the APIs of model providers have in common, as far as a model in a test needs it. */

/** What the model says next: text in pieces, then maybe a call of `eval`. */
export interface ModelAnswer {
  readonly pieces?: readonly string[];
  readonly code?: string;
}

type Block = { type: string; text?: string; content?: string | Block[] };
export type WireMessage = { role: string; content: string | Block[] | null };

/** One provider's API. */
export interface ModelWire {
  last(messages: readonly WireMessage[]): [text: string, isResult: boolean];
  /** The body of a streamed answer, event by event. */
  events(answer: ModelAnswer): string[];
  whole(answer: ModelAnswer): unknown;
}

export const textOf = (content: WireMessage["content"] | undefined): string =>
  typeof content === "string" ? content : (content ?? []).map((block) => block.text ?? "").join("");

/** So short that they cut names and escapes in two. */
export const shortPieces = (text: string): string[] => text.match(/.{1,9}/gs) ?? [];

/** Ids are unique at a provider, and LangGraph replaces a message by another one with its id. */
let ids = 0;
export const nextId = (kind: string): string => `${kind}_${++ids}`;
