/**
 * Where a paused eval is kept. Unlike a snapshot between evals it has no state that names it: what an interrupted task
 * writes is dropped. So it is found by its key, in a place that lives as long as the pause can.
 */
import type { BaseCheckpointSaver, BaseStore, Checkpoint } from "@langchain/langgraph-checkpoint";
import { emptyCheckpoint } from "@langchain/langgraph-checkpoint";
import type { SnapshotStore } from "../../store.js";
import { toBase64 } from "../../values/base64.js";
import { snapshotFromBase64 } from "../sessions/snapshot-base64.js";
import { threadPrefix } from "../sessions/snapshot-keys.js";
import { pauseNamespace } from "../sessions/snapshot-namespace.js";

export interface PausePlace {
  get(key: string): Promise<Uint8Array | undefined>;
  put(key: string, bytes: Uint8Array): Promise<void>;
  delete(key: string): Promise<void>;
}

export interface PausePlaces {
  readonly snapshots: SnapshotStore | undefined;
  readonly store: BaseStore | undefined;
  readonly checkpointer: BaseCheckpointSaver | undefined;
  readonly thread: string | undefined;
  readonly local: Map<string, Uint8Array>;
}

/** The app's snapshot store, else LangGraph's store, else beside the thread's checkpoints, else this process. */
export function pausePlace({ snapshots, store, checkpointer, thread, local }: PausePlaces): PausePlace {
  if (snapshots) return inSnapshots(snapshots, `${threadPrefix(thread)}pauses/`);
  if (store) return inStore(store);
  if (checkpointer && thread !== undefined) return besideCheckpoints(checkpointer, thread);
  return inProcess(local);
}

function inSnapshots(snapshots: SnapshotStore, prefix: string): PausePlace {
  return {
    get: async (key) => (await snapshots.get(prefix + key))?.bytes,
    put: async (key, bytes) => {
      await snapshots.put(prefix + key, bytes);
    },
    delete: (key) => snapshots.delete(prefix + key),
  };
}

function inStore(store: BaseStore): PausePlace {
  const namespace = ["edge-interpreter", "pauses"];
  return {
    async get(key) {
      const text = (await store.get(namespace, key))?.value?.["bytes"];
      return typeof text === "string" ? snapshotFromBase64(text) : undefined;
    },
    // Not for search: an index would embed it.
    put: (key, bytes) => store.put(namespace, key, { bytes: toBase64(bytes) }, false),
    delete: (key) => store.delete(namespace, key),
  };
}

/** Savers delete only whole threads, so a key is one checkpoint that is written over. */
const CHECKPOINT_ID = "1ef00000-0000-6000-8000-000000000000";
const CHANNEL = "pause";

function besideCheckpoints(checkpointer: BaseCheckpointSaver, thread: string): PausePlace {
  const write = async (key: string, text: string) => {
    // A new version each time: some savers keep values by their version and never replace one.
    const version = crypto.randomUUID();
    const checkpoint: Checkpoint = {
      ...emptyCheckpoint(),
      id: CHECKPOINT_ID,
      ts: new Date().toISOString(),
      channel_values: { [CHANNEL]: text },
      channel_versions: { [CHANNEL]: version },
    };
    const config = { configurable: { thread_id: thread, checkpoint_ns: pauseNamespace(key) } };
    const metadata = { source: "update" as const, step: 0, parents: {} };
    await checkpointer.put(config, checkpoint, metadata, { [CHANNEL]: version });
  };
  return {
    async get(key) {
      const configurable = {
        thread_id: thread,
        checkpoint_ns: pauseNamespace(key),
        checkpoint_id: CHECKPOINT_ID,
      };
      const tuple = await checkpointer.getTuple({ configurable });
      const text = tuple?.checkpoint.channel_values[CHANNEL];
      return typeof text === "string" && text !== "" ? snapshotFromBase64(text) : undefined;
    },
    put: (key, bytes) => write(key, toBase64(bytes)),
    delete: (key) => write(key, ""),
  };
}

function inProcess(local: Map<string, Uint8Array>): PausePlace {
  return {
    get: async (key) => local.get(key),
    put: async (key, bytes) => {
      local.set(key, bytes);
    },
    delete: async (key) => {
      local.delete(key);
    },
  };
}
