import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  compareWritesSortKeys,
  getCheckpointId,
  maxChannelVersion,
  type PendingWrite,
  type SerializerProtocol,
  TASKS,
  WRITES_IDX_MAP,
  writesSortKey,
} from "@langchain/langgraph-checkpoint";
import { invalidOption } from "../../errors.js";
import type { Line, NewCheckpoint, Serialized } from "./checkpoint-format.js";
import {
  deleteThread,
  findCheckpoints,
  putCheckpoint,
  putWrites,
  readCheckpoint,
  readTuple,
  type StoredTuple,
  type StoredWrite,
} from "./checkpoint-plans.js";
import { pruneThread } from "./checkpoint-prune.js";
import type { Plan } from "./checkpoint-rows.js";

type Config = CheckpointTuple["config"];

export interface CheckpointSaverOptions {
  /**
   * Checkpoints kept per thread and namespace; older ones, and with them time travel to them, are removed when a newer
   * one is written. `undefined`: all of them. Ancestors that the kept ones are made of stay too.
   *
   * @default undefined
   */
  readonly keepCheckpoints?: number | undefined;
  /** @default LangGraph's JSON */
  readonly serde?: SerializerProtocol;
}

/**
 * A LangGraph checkpoint saver on rows; a subclass says where the rows are by running plans.
 *
 * A checkpoint and the changed channel values, or all writes of a call, are one transaction. Channels that did not change
 * cost nothing, whatever their size. A channel value that is a `Uint8Array` is stored as it is.
 */
export abstract class RowCheckpointSaver extends BaseCheckpointSaver {
  readonly #keep: number | undefined;

  constructor(options: CheckpointSaverOptions = {}) {
    super(options.serde);
    const { keepCheckpoints } = options;
    if (keepCheckpoints !== undefined && !(Number.isInteger(keepCheckpoints) && keepCheckpoints >= 1))
      throw invalidOption("keepCheckpoints", keepCheckpoints, "a whole number above 0, or undefined");
    this.#keep = keepCheckpoints;
  }

  /**
   * Runs a plan in one transaction.
   *
   * @throws {StoreError} when the place fails; nothing of the plan is kept then
   */
  protected abstract transact<Result>(mode: "readonly" | "readwrite", plan: Plan<Result>): Promise<Result>;

  override async getTuple(config: Config): Promise<CheckpointTuple | undefined> {
    const thread: unknown = config.configurable?.["thread_id"];
    if (thread === undefined) return undefined;
    const line = toLine(config, "read a checkpoint");
    return this.#load(line, getCheckpointId(config) || undefined);
  }

  override async *list(config: Config, options: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
    const { before, filter = {} } = options;
    let left = options.limit ?? Number.POSITIVE_INFINITY;
    const thread = config.configurable?.["thread_id"] as string | undefined;
    const namespace = config.configurable?.["checkpoint_ns"] as string | undefined;
    const only = getCheckpointId(config);
    const end = before && getCheckpointId(before);
    const keys = (await this.transact("readonly", findCheckpoints(thread, namespace)))
      .filter((key) => (!only || key[3] === only) && (!end || key[3] < end))
      .sort((left, right) => (left[3] < right[3] ? 1 : left[3] > right[3] ? -1 : 0));
    for (const [, threadId, checkpointNamespace, id] of keys) {
      if (left <= 0) return;
      const line = { thread: threadId, namespace: checkpointNamespace };
      if (Object.keys(filter).length > 0) {
        const stored = await this.transact("readonly", readCheckpoint(line, id));
        if (!stored || !matches(await this.#revive(stored.metadata), filter)) continue;
      }
      const tuple = await this.#load(line, id);
      // Another reader of the thread may have deleted it since.
      if (!tuple) continue;
      left--;
      yield tuple;
    }
  }

  override async put(
    config: Config,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<Config> {
    const line = toLine(config, "put a checkpoint");
    const { channel_values: values, ...rest } = checkpoint;
    const dumpChannels = (channels: string[]) =>
      Promise.all(
        channels.map(async (channel) => {
          const value = Object.hasOwn(values, channel) ? await this.#dump(values[channel]) : null;
          return [channel, value] as const;
        }),
      );
    const versions = new Map(Object.entries({ ...checkpoint.channel_versions, ...newVersions }));
    // All three start before the first await, so the caller may go on with its objects.
    const [dumped, dumpedMetadata, changed] = await Promise.all([
      this.#dump(rest),
      this.#dump(metadata),
      dumpChannels(Object.keys(newVersions ?? {})),
    ]);
    const next: NewCheckpoint = {
      id: checkpoint.id,
      parent: getCheckpointId(config) || undefined,
      format: checkpoint.v,
      parents: Object.entries(metadata?.parents ?? {}),
      deltas: Object.keys(metadata?.counters_since_delta_snapshot ?? {}),
      versions: Array.from(versions, ([channel, version]) => [channel, JSON.stringify(version)] as const),
      checkpoint: dumped,
      metadata: dumpedMetadata,
      changed: new Map(changed),
      unchanged: new Map(),
    };
    const unclear = await this.transact("readwrite", putCheckpoint(line, next, this.#keep));
    if (unclear.length > 0) {
      const complete = { ...next, unchanged: new Map(await dumpChannels(unclear)) };
      await this.transact("readwrite", putCheckpoint(line, complete, this.#keep));
    }
    return toConfig(line, checkpoint.id);
  }

  override async putWrites(
    config: Config,
    writes: PendingWrite[],
    taskId: string,
    taskPath = "",
  ): Promise<void> {
    const line = toLine(config, "put writes");
    const checkpoint = getCheckpointId(config);
    if (!checkpoint) throw missing("put writes", "checkpoint_id");
    const stored = writes.map(async ([channel, value], position): Promise<StoredWrite> => {
      const index = Object.hasOwn(WRITES_IDX_MAP, channel) ? WRITES_IDX_MAP[channel]! : position;
      return { task: taskId, index, channel, path: taskPath, value: await this.#dump(value) };
    });
    const all = await Promise.all(stored);
    await this.transact("readwrite", putWrites(line, checkpoint, all));
  }

  override async deleteThread(threadId: string): Promise<void> {
    await this.transact("readwrite", deleteThread(threadId));
  }

  /** Keeps the latest `keep` checkpoints of the thread and those they need; time travel to the others ends. */
  async prune(threadId: string, keep: number): Promise<void> {
    await this.transact("readwrite", pruneThread(threadId, keep));
  }

  async #load(line: Line, id?: string): Promise<CheckpointTuple | undefined> {
    const stored = await this.transact("readonly", readTuple(line, id));
    if (!stored) return undefined;
    const [checkpoint, metadata, values, pendingWrites] = await Promise.all([
      this.#revive(stored.checkpoint) as Promise<Checkpoint>,
      this.#revive(stored.metadata) as Promise<CheckpointMetadata>,
      Promise.all(
        stored.values.map(async ([channel, value]) => [channel, await this.#revive(value)] as const),
      ),
      this.#reviveWrites(stored.writes),
    ]);
    // `fromEntries` defines properties where an assignment to `__proto__` would not.
    const tuple: CheckpointTuple = {
      config: toConfig(line, stored.id),
      checkpoint: { ...checkpoint, channel_values: Object.fromEntries(values) },
      metadata,
      pendingWrites,
    };
    if (stored.parent !== undefined) tuple.parentConfig = toConfig(line, stored.parent);
    await this.#migrateTasks(tuple.checkpoint, stored);
    return tuple;
  }

  /** Before format 4 the tasks for a step were writes of the checkpoint before it and not a channel. */
  async #migrateTasks(checkpoint: Checkpoint, { parentWrites }: StoredTuple): Promise<void> {
    if (!parentWrites) return;
    const tasks = await this.#reviveWrites(parentWrites.filter((write) => write.channel === TASKS));
    checkpoint.channel_values[TASKS] = tasks.map((write) => write[2]);
    const versions = Object.values(checkpoint.channel_versions);
    const version = versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined);
    checkpoint.channel_versions = { ...checkpoint.channel_versions, [TASKS]: version };
  }

  /** In the order in which a running graph applies them, which readers rely on. */
  async #reviveWrites(writes: readonly StoredWrite[]): Promise<CheckpointPendingWrite[]> {
    const key = ({ path, task, index }: StoredWrite) => writesSortKey(path, task, index);
    const sorted = [...writes].sort((left, right) => compareWritesSortKeys(key(left), key(right)));
    return Promise.all(
      sorted.map(async ({ task, channel, value }): Promise<CheckpointPendingWrite> => {
        return [task, channel, await this.#revive(value)];
      }),
    );
  }

  async #dump(value: unknown): Promise<Serialized> {
    // The serializer hands bytes through: a later change by their owner would change the checkpoint, and a view of wasm
    // memory would bring all of it along.
    const [type, bytes] = await this.serde.dumpsTyped(value instanceof Uint8Array ? value.slice() : value);
    return { type, bytes };
  }

  async #revive({ type, bytes }: Serialized): Promise<unknown> {
    return this.serde.loadsTyped(type, bytes);
  }
}

function toLine(config: Config, what: string): Line {
  const thread: unknown = config.configurable?.["thread_id"];
  const namespace: unknown = config.configurable?.["checkpoint_ns"] ?? "";
  if (thread === undefined) throw missing(what, "thread_id");
  if (typeof thread !== "string") throw invalidOption("configurable.thread_id", thread, "a string");
  if (typeof namespace !== "string") throw invalidOption("configurable.checkpoint_ns", namespace, "a string");
  return { thread, namespace };
}

function toConfig({ thread, namespace }: Line, checkpoint: string): Config {
  return { configurable: { thread_id: thread, checkpoint_ns: namespace, checkpoint_id: checkpoint } };
}

function missing(what: string, name: string): TypeError {
  return new TypeError(
    `Cannot ${what}: the config has no \`configurable.${name}\`. Call the agent with \`{ configurable: { thread_id: "..." } }\`.`,
  );
}

function matches(metadata: unknown, filter: Record<string, unknown>): boolean {
  if (typeof metadata !== "object" || metadata === null) return false;
  const entries = new Map<string, unknown>(Object.entries(metadata));
  return Object.entries(filter).every(
    ([key, value]) =>
      entries.get(key) === value || JSON.stringify(entries.get(key)) === JSON.stringify(value),
  );
}
