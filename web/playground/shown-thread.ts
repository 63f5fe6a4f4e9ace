/** What the page shows of a thread, and what becomes of it as a run goes on. Views listen for changes and draw. */
import { ActivityLog, evalIdOf } from "./activity.js";
import type { RunEvent } from "./agent/stream-events.js";
import type { ThreadView } from "./agent/thread-view.js";
import { failureText } from "./model-failure.js";
import { PendingMessage } from "./pending-message.js";
import type { ModelSettings } from "./settings.js";

export type Status =
  /** `elsewhere`: another tab works on the thread, and this one shows it. */
  | { readonly kind: "loading" | "ready" | "working" | "waiting" | "elsewhere" }
  | { readonly kind: "failed"; readonly message: string };

const nothing: ThreadView = { messages: [], approvals: [], interpreter: undefined, isUnfinished: false };

export class ShownThread extends EventTarget {
  thread: ThreadView = nothing;
  pending: PendingMessage | undefined;
  status: Status = { kind: "loading" };
  activity: ActivityLog;

  constructor(threadId: string) {
    super();
    this.activity = new ActivityLog(threadId);
  }

  /** Tells the views; `thread` when messages changed, `progress` for an eval, `status`, `tables`, `model`. */
  protected changed(type: "thread" | "progress" | "status" | "tables" | "model"): void {
    this.dispatchEvent(new Event(type));
  }

  protected setStatus(status: Status): void {
    this.status = status;
    this.changed("status");
  }

  /** Nothing yet, of this thread. */
  protected clear(threadId: string): void {
    this.activity = new ActivityLog(threadId);
    this.pending = undefined;
    this.show(nothing);
    this.setStatus({ kind: "loading" });
  }

  protected show(thread: ThreadView): void {
    if (thread.messages.length > this.thread.messages.length) this.pending = undefined;
    this.thread = thread;
    for (const { kind, answers } of thread.messages)
      if (kind === "tool" && answers) this.activity.end(answers);
    this.changed("thread");
  }

  protected apply(event: RunEvent): void {
    if (event.type === "thread") {
      this.show(event.thread);
    } else if (event.type === "chunk") {
      if (this.pending?.id !== event.chunk.id) this.pending = new PendingMessage(event.chunk.id);
      this.pending.add(event.chunk);
      this.changed("thread");
    } else if (event.type === "progress") {
      const evalId = evalIdOf(event.event);
      // Subagents have evals of their own, which say what they do on the same stream.
      if (!this.thread.messages.some(({ calls }) => calls.some(({ id }) => id === evalId))) return;
      this.activity.apply(event.event);
      this.changed("progress");
    }
  }

  /** No run goes on: this is what the thread is now. */
  protected finish(thread: ThreadView = this.thread): void {
    this.pending = undefined;
    this.thread = thread;
    for (const { calls } of this.thread.messages) for (const { id } of calls) this.activity.end(id);
    this.activity.save();
    this.changed("thread");
    this.settle();
  }

  protected settle(): void {
    this.setStatus({ kind: this.thread.approvals.length > 0 ? "waiting" : "ready" });
  }

  protected fail(error: unknown, model?: ModelSettings): void {
    this.setStatus({ kind: "failed", message: failureText(error, model) });
  }
}
