/**
 * Executes the thread's runs, one at a time, oldest first, whether or not anyone listens.
 *
 * All that matters is in SQLite: a run that was `running` when the object died is found again by `wake()` and goes on
 * from its last checkpoint. In memory is only what can be lost: the abort controller of the run under way.
 */
import type { BaseCheckpointSaver, StateSnapshot } from "@langchain/langgraph";
import type { AgentGraph } from "./agent-graph.js";
import { runGraph } from "./run-graph.js";
import type { RunLog } from "./run-log.js";
import type { RunRequest } from "./run-request.js";
import type { RunRow, RunStatus, RunStore } from "./run-store.js";
import type { ThreadStatus, ThreadStore } from "./thread-store.js";
import { toWireError, toWireJson } from "./wire-json.js";

export type CancelAction = "interrupt" | "rollback";

export interface RunLoopParts {
  readonly storage: DurableObjectStorage;
  readonly threads: ThreadStore;
  readonly runs: RunStore;
  readonly log: RunLog;
  readonly checkpointer: BaseCheckpointSaver;
  /** Builds the agent, once per life of the object. */
  graph(): Promise<AgentGraph>;
  /** Called when the need for an alarm may have changed. */
  onChange(): void;
}

/** Attempts without progress after which a run that keeps taking the object down with it is given up. */
const MAX_STALLED = 2;

interface Active {
  readonly runId: string;
  readonly controller: AbortController;
  action: CancelAction | undefined;
}

export class RunLoop {
  readonly #parts: RunLoopParts;
  #active: Active | undefined;
  #idle: Promise<void> | undefined;

  constructor(parts: RunLoopParts) {
    this.#parts = parts;
  }

  get busy(): boolean {
    return this.#idle !== undefined;
  }

  /** Resolves when nothing is left to run now. */
  whenIdle(): Promise<void> {
    return this.#idle ?? Promise.resolve();
  }

  /** Starts whatever is due: new runs, queued runs, runs that a crash cut off. */
  wake(): void {
    this.#idle ??= this.#drain()
      .catch((error: unknown) => console.error(error))
      .then(() => {
        this.#idle = undefined;
        // A run may have come after the last look and before this line.
        if (this.#parts.runs.next(Date.now())) this.wake();
        else this.#parts.onChange();
      });
    this.#parts.onChange();
  }

  async cancel(run: RunRow, action: CancelAction): Promise<void> {
    if (this.#active?.runId === run.runId) {
      this.#active.action = action;
      this.#active.controller.abort(new DOMException("The run was cancelled.", "AbortError"));
    } else if (run.status === "pending") {
      if (action === "rollback") this.#forget(run.runId);
      else this.#finish(run.runId, "interrupted", "busy");
      await this.refreshStatus();
    }
  }

  /** Resolves when the run is over. */
  async whenFinished(runId: string): Promise<void> {
    for (;;) {
      const status = this.#parts.runs.get(runId)?.status;
      if (status !== "pending" && status !== "running") return;
      await this.#parts.log.changed(runId).promise;
    }
  }

  /** Derives the thread's status anew, after its state was changed from outside a run. */
  async refreshStatus(): Promise<void> {
    this.#settleThreadStatus(await this.#statusFromState());
  }

  async #drain(): Promise<void> {
    // A wake during the drain adds a run that this very loop finds.
    for (;;) {
      const run = this.#parts.runs.next(Date.now());
      if (!run) return;
      await this.#execute(run);
    }
  }

  async #execute(run: RunRow): Promise<void> {
    const { runs, threads, log, checkpointer, graph } = this.#parts;
    const active: Active = { runId: run.runId, controller: new AbortController(), action: undefined };
    this.#active = active;
    try {
      const threadId = threads.get()!.threadId;
      const head = await checkpointer.getTuple({ configurable: { thread_id: threadId } });
      const attempt = runs.start(run, head?.checkpoint.id ?? null);
      if (attempt.stalled > MAX_STALLED)
        throw new Error(`The run was cut off ${run.attempts} times without progress and was given up.`);
      // Newer than what was there before the run: the run's own, so its input is already part of the state.
      const begun = attempt.headSeen !== attempt.headBefore;
      log.append(
        run.runId,
        "metadata",
        toWireJson({ run_id: run.runId, thread_id: threadId, attempt: attempt.attempts }),
      );
      const request = runs.request(run.runId) as RunRequest;
      const parts = runGraph(await graph(), attempt, threadId, request, begun, active.controller.signal);
      for await (const part of parts) log.append(run.runId, part.event, toWireJson(part.data));
      active.controller.signal.throwIfAborted();
      this.#finish(run.runId, "success", await this.#statusFromState());
    } catch (error) {
      await this.#fail(run, active, error);
    } finally {
      this.#active = undefined;
    }
  }

  async #fail(run: RunRow, active: Active, error: unknown): Promise<void> {
    const { threads, runs, log, storage } = this.#parts;
    if (active.action === "rollback") {
      await this.#rollback(runs.get(run.runId)!).catch((cause: unknown) => console.error(cause));
      return;
    }
    if (active.action === "interrupt") {
      this.#finish(run.runId, "interrupted", await this.#statusFromState());
      return;
    }
    console.error(error);
    storage.transactionSync(() => {
      log.append(run.runId, "error", toWireJson(toWireError(error)));
      this.#finish(run.runId, "error", "error");
      threads.setError(toWireError(error));
    });
  }

  /** Puts the thread back to where it was before the run, as a copy of that checkpoint on top. */
  async #rollback(run: RunRow): Promise<void> {
    const threadId = this.#parts.threads.get()!.threadId;
    const configurable = { thread_id: threadId, checkpoint_ns: "" };
    const head = await this.#parts.checkpointer.getTuple({ configurable });
    if (run.headBefore === null) await this.#parts.checkpointer.deleteThread(threadId);
    else if (head?.checkpoint.id !== run.headBefore) {
      const graph = await this.#parts.graph();
      await graph.updateState(
        { configurable: { ...configurable, checkpoint_id: run.headBefore } },
        null,
        "__copy__",
      );
    }
    this.#forget(run.runId);
    await this.refreshStatus();
  }

  async #statusFromState(): Promise<ThreadStatus> {
    const graph = await this.#parts.graph();
    return threadStatus(
      await graph.getState({ configurable: { thread_id: this.#parts.threads.get()!.threadId } }),
    );
  }

  /** The status, the `end` event and the waking of listeners are one write: nobody sees one without the others. */
  #finish(runId: string, status: RunStatus, thread: ThreadStatus): void {
    const { storage, runs, log } = this.#parts;
    storage.transactionSync(() => {
      runs.setStatus(runId, status);
      log.append(runId, "end", toWireJson({ run_id: runId, status }));
      log.pruneFinished();
      this.#settleThreadStatus(thread);
    });
  }

  #forget(runId: string): void {
    this.#parts.runs.delete(runId);
    this.#parts.log.delete(runId);
  }

  #settleThreadStatus(status: ThreadStatus): void {
    this.#parts.threads.setStatus(this.#parts.runs.unfinished().length > 0 ? "busy" : status);
  }
}

export function threadStatus(snapshot: StateSnapshot): ThreadStatus {
  return snapshot.next.length > 0 ? "interrupted" : "idle";
}
