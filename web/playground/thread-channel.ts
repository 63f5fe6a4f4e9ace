/**
 * What a run tells the other tabs that show the same thread. One in this tab sends them everything; one in the Worker
 * only that it has begun, because they can join its stream themselves.
 */
import type { RunEvent } from "./agent/stream-events.js";

export type ChannelMessage =
  | RunEvent
  /** The run is over, and the thread as it is stored is the last word. */
  | { readonly type: "end" };

const types: readonly unknown[] = ["begin", "chunk", "progress", "thread", "end"];

export class ThreadChannel {
  readonly #channel: BroadcastChannel;
  #closed = false;

  constructor(threadId: string, onMessage: (message: ChannelMessage) => void) {
    this.#channel = new BroadcastChannel(`edge-interpreter:thread:${threadId}`);
    this.#channel.addEventListener("message", ({ data }: MessageEvent<ChannelMessage | null>) => {
      // An older version of this page may be open in the other tab.
      if (data && types.includes(data.type)) onMessage(data);
    });
  }

  post(message: ChannelMessage): void {
    if (!this.#closed) this.#channel.postMessage(message);
  }

  close(): void {
    this.#closed = true;
    this.#channel.close();
  }
}

const KEY = "edge-interpreter:running:";

/** Remembers that a run of the thread is under way, so that a reload in the middle goes on with it. */
export const runMark = {
  set: (threadId: string): void => localStorage.setItem(KEY + threadId, "1"),
  clear: (threadId: string): void => localStorage.removeItem(KEY + threadId),
  isSet: (threadId: string): boolean => localStorage.getItem(KEY + threadId) !== null,
};
