import { DurableObject } from "cloudflare:workers";
import type { BaseCheckpointSaver } from "@langchain/langgraph";
import type { SnapshotStore } from "../src/store.js";
import { type AgentLike, graphOf } from "./agent-graph.js";
import { AgentThread } from "./agent-thread.js";
import { installAsyncLocalStorage } from "./async-local-storage.js";
import { DurableObjectSaver } from "./durable-object-saver.js";
import { durableObjectStore } from "./durable-object-store.js";
import { pruneThread } from "./prune-threads.js";
import { assistantRoutes } from "./routes/assistants.js";
import { createRouter } from "./routes/router.js";
import { runRoutes } from "./routes/runs.js";
import { snapshotRoutes } from "./routes/snapshots.js";
import { threadRoutes } from "./routes/threads.js";
import { indexRoutes } from "./thread-index.js";
import { finishCopy, readPart, type ThreadPart, type TransferPlace, writePart } from "./thread-transfer.js";

installAsyncLocalStorage();

export interface AgentParts<Env> {
  readonly env: Env;
  /** Keeps the conversation in this object. Pass it to the agent. */
  readonly checkpointer: BaseCheckpointSaver;
  /** Keeps the interpreter's session in this object. Pass it to the interpreter's middleware. */
  readonly snapshots: SnapshotStore;
  readonly threadId: string;
}

/**
 * One thread of an agent, living in a Durable Object. Extend it with `createAgent`; `routeAgentRequest` finds the
 * object of a request.
 *
 * Durable, in the object's SQLite: the conversation and its history, runs, the events they sent. Lost with the object:
 * open connections, and at most the step a run was in, which is done again when the object comes back.
 */
export abstract class AgentObject<Env = Cloudflare.Env> extends DurableObject<Env> {
  /** The name clients know the agent by: the SDK's `assistantId`. */
  readonly graphId: string = "agent";

  #thread: AgentThread | undefined;
  readonly #router = createRouter([
    ...threadRoutes(
      () => this.#current(),
      () => this.#wipe(),
    ),
    ...runRoutes(() => this.#current()),
    ...snapshotRoutes(this.ctx.storage, (threadId) => this.#current().require(threadId)),
    ...assistantRoutes(() => this.#current()),
    ...indexRoutes(this.ctx.storage.sql),
  ]);

  /** Builds the agent, once per life of the object and not before it is needed. */
  abstract createAgent(parts: AgentParts<Env>): AgentLike | Promise<AgentLike>;

  override async fetch(request: Request): Promise<Response> {
    this.#current().wake();
    return this.#router(request);
  }

  override async alarm(): Promise<void> {
    if (await this.#current().alarm()) await this.#wipe();
  }

  /** @internal Only `routeAgentRequest` calls this and the following; a client's request never reaches them. */
  readThreadPart(place: TransferPlace): ThreadPart | "absent" | "busy" {
    return readPart(this.#current(), place);
  }

  /** @internal */
  writeThreadPart(part: ThreadPart): void {
    writePart(this.#current(), part);
  }

  /** @internal */
  finishCopy(copy: { from: string; to: string; metadata: string }): Promise<void> {
    return finishCopy(this.#current(), copy);
  }

  /** @internal */
  async discardCopy(): Promise<void> {
    if (!this.#current().store.get()) await this.#wipe();
  }

  /** @internal Whether it was done: not where there is no thread, and not while a run may need what would go. */
  async pruneThread(): Promise<boolean> {
    return pruneThread(this.#current());
  }

  #current(): AgentThread {
    this.#thread ??= this.#open();
    return this.#thread;
  }

  #open(): AgentThread {
    const { storage } = this.ctx;
    const checkpointer = new DurableObjectSaver(storage);
    const snapshots = durableObjectStore(storage);
    return new AgentThread({
      graphId: this.graphId,
      storage,
      checkpointer,
      buildGraph: async (threadId) => {
        const graph = graphOf(await this.createAgent({ env: this.env, checkpointer, snapshots, threadId }));
        graph.checkpointer ??= checkpointer;
        return graph;
      },
    });
  }

  async #wipe(): Promise<void> {
    const thread = this.#current();
    if (thread.store.get())
      for (const run of thread.runs.unfinished()) await thread.loop.cancel(run, "interrupt");
    await thread.loop.whenIdle();
    // Nobody may open the tables while they go.
    await this.ctx.blockConcurrencyWhile(async () => {
      this.#thread = undefined;
      await this.ctx.storage.deleteAlarm();
      await this.ctx.storage.deleteAll();
    });
  }
}
