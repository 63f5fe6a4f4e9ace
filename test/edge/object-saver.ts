import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  type PendingWrite,
} from "@langchain/langgraph-checkpoint";
import { DurableObjectSaver, type DurableObjectSaverOptions } from "../../edge/durable-object-saver.js";
import { inObject } from "./objects.js";

type Config = CheckpointTuple["config"];

/**
 * A saver for code outside of an object: every call goes into the test object of that name and uses a new
 * `DurableObjectSaver` there, so nothing between two calls is remembered but what is in SQLite.
 */
export class ObjectSaver extends BaseCheckpointSaver {
  readonly #name: string;
  readonly #options: DurableObjectSaverOptions;

  constructor(name: string, options: DurableObjectSaverOptions = {}) {
    super();
    this.#name = name;
    this.#options = options;
  }

  #run<Result>(body: (saver: DurableObjectSaver) => Promise<Result>): Promise<Result> {
    return inObject(this.#name, (storage) => body(new DurableObjectSaver(storage, this.#options)));
  }

  override getTuple(config: Config): Promise<CheckpointTuple | undefined> {
    return this.#run((saver) => saver.getTuple(config));
  }

  override async *list(config: Config, options?: CheckpointListOptions): AsyncGenerator<CheckpointTuple> {
    yield* await this.#run(async (saver) => {
      const tuples: CheckpointTuple[] = [];
      for await (const tuple of saver.list(config, options)) tuples.push(tuple);
      return tuples;
    });
  }

  override put(
    config: Config,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    versions: ChannelVersions,
  ) {
    return this.#run((saver) => saver.put(config, checkpoint, metadata, versions));
  }

  override putWrites(
    config: Config,
    writes: PendingWrite[],
    taskId: string,
    taskPath?: string,
  ): Promise<void> {
    return this.#run((saver) => saver.putWrites(config, writes, taskId, taskPath));
  }

  override deleteThread(threadId: string): Promise<void> {
    return this.#run((saver) => saver.deleteThread(threadId));
  }
}
