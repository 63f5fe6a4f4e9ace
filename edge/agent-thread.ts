/** Everything one object knows about its thread, and the alarm that brings it back when it has work left. */
import type { AgentGraph } from "./agent-graph.js";
import type { DurableObjectSaver } from "./durable-object-saver.js";
import { HttpError } from "./http-error.js";
import { RunLog, type RunLogOptions } from "./run-log.js";
import { RunLoop } from "./run-loop.js";
import { RunStore } from "./run-store.js";
import { ThreadStore } from "./thread-store.js";

export interface AgentThreadOptions {
  readonly graphId: string;
  readonly storage: DurableObjectStorage;
  readonly checkpointer: DurableObjectSaver;
  readonly log?: RunLogOptions;
  buildGraph(threadId: string): Promise<AgentGraph>;
}

/** While a run is under way: how soon a new life of the object must look for it. */
const WATCH_MS = 10_000;

/** An alarm may run for 15 minutes; it holds the object in memory while a run is under way. */
const HOLD_MS = 600_000;

export class AgentThread {
  readonly graphId: string;
  readonly storage: DurableObjectStorage;
  readonly checkpointer: DurableObjectSaver;
  readonly store: ThreadStore;
  readonly runs: RunStore;
  readonly log: RunLog;
  readonly loop: RunLoop;
  readonly #options: AgentThreadOptions;
  #graph: Promise<AgentGraph> | undefined;

  constructor(options: AgentThreadOptions) {
    this.#options = options;
    this.graphId = options.graphId;
    this.storage = options.storage;
    this.checkpointer = options.checkpointer;
    this.store = new ThreadStore(options.storage.sql);
    this.runs = new RunStore(options.storage.sql);
    this.log = new RunLog(options.storage.sql, options.log);
    this.loop = new RunLoop({
      storage: options.storage,
      threads: this.store,
      runs: this.runs,
      log: this.log,
      checkpointer: options.checkpointer,
      graph: () => this.graph(),
      onChange: () => this.#arm(),
    });
  }

  /** @throws {HttpError} 404 unless this object holds that thread. */
  require(threadId: string) {
    const thread = this.store.get();
    if (thread?.threadId !== threadId) throw new HttpError(404, `Thread ${threadId} not found.`);
    return thread;
  }

  /** The agent, built at the first call of this life of the object. A failure is not remembered. */
  graph(): Promise<AgentGraph> {
    this.#graph ??= this.#options.buildGraph(this.store.get()?.threadId ?? "").catch((error: unknown) => {
      this.#graph = undefined;
      throw error;
    });
    return this.#graph;
  }

  /** From then on the thread is gone. */
  expireAt(time: number): void {
    this.store.setExpiry(time);
    this.#arm();
  }

  /** Goes on with whatever an earlier life of the object left unfinished. */
  wake(): void {
    if (this.store.get() && this.runs.unfinished().length > 0) this.loop.wake();
  }

  /** Returns true when the thread's time is up, or it never came to be, and the object should be wiped. */
  async alarm(): Promise<boolean> {
    if (!this.store.get()) return true;
    this.wake();
    if (this.loop.busy) await Promise.race([this.loop.whenIdle(), scheduler.wait(HOLD_MS)]);
    const expiresAt = this.store.get()?.expiresAt ?? null;
    if (expiresAt !== null && expiresAt <= Date.now() && !this.loop.busy) return true;
    this.#arm();
    return false;
  }

  /** One alarm: soon while a run is under way, else when the next is due or the thread expires, else none. */
  #arm(): void {
    const times = this.runs.unfinished().map((run) => Math.max(run.due, Date.now() + WATCH_MS));
    const expiresAt = this.store.get()?.expiresAt ?? null;
    if (expiresAt !== null) times.push(expiresAt);
    if (times.length > 0) void this.storage.setAlarm(Math.min(...times));
    else void this.storage.deleteAlarm();
  }
}
