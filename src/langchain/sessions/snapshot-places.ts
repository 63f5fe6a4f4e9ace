/**
 * Where snapshot bytes live when the graph's state only names them: beside the thread's checkpoints, or in a
 * `SnapshotStore`. State channels are streamed and listed by every API, so the bytes stay out of them.
 */
import type { BaseCheckpointSaver, Checkpoint } from "@langchain/langgraph-checkpoint";
import { emptyCheckpoint, uuid6 } from "@langchain/langgraph-checkpoint";
import { InterpreterError, SnapshotError, StoreError } from "../../errors.js";
import type { SnapshotStore } from "../../store.js";
import { toBase64 } from "../../values/base64.js";
import type { SnapshotReference } from "../state/interpreter-state.js";
import { snapshotFromBase64 } from "./snapshot-base64.js";
import { snapshotKey } from "./snapshot-keys.js";
import { snapshotNamespace } from "./snapshot-namespace.js";

const CHANNEL = "snapshot";

export interface SnapshotPlaces {
  readonly store: SnapshotStore | undefined;
  readonly checkpointer: BaseCheckpointSaver | undefined;
  readonly thread: string | undefined;
}

export interface SnapshotIdentity {
  readonly session: string;
  readonly version: number;
}

/** Keeps the bytes; the answer says how to find them. @throws what the place throws. */
export async function keepSnapshot(
  { store, checkpointer, thread }: SnapshotPlaces,
  { session, version }: SnapshotIdentity,
  bytes: Uint8Array,
): Promise<SnapshotReference> {
  if (store) {
    const key = snapshotKey(thread, session, version);
    await store.put(key, bytes, { replaces: null });
    return { place: "store", key, bytes: bytes.length, version };
  }
  if (!checkpointer || thread === undefined) throw new TypeError("There is no place for snapshots.");
  const key = await putCheckpoint(checkpointer, thread, session, version, bytes);
  return { place: "checkpointer", key, thread, bytes: bytes.length, version };
}

/**
 * @throws {SnapshotError} `SNAPSHOT_MISSING` when the place has nothing under that name.
 * @throws {StoreError} when the place cannot be read now.
 */
export async function findSnapshot(
  places: SnapshotPlaces,
  session: string,
  reference: SnapshotReference,
): Promise<Uint8Array> {
  const name = reference.place === "store" ? "snapshot store" : "checkpointer";
  let bytes: Uint8Array | undefined;
  try {
    bytes = await lookUp(places, session, reference);
  } catch (error) {
    if (InterpreterError.isInstance(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError("STORE_READ", `The ${name} could not be read: ${reason}`, { cause: error });
  }
  if (!bytes) throw new SnapshotError("SNAPSHOT_MISSING", `The snapshot is not in the ${name} any more.`);
  return bytes;
}

async function lookUp(
  { store, checkpointer, thread }: SnapshotPlaces,
  session: string,
  reference: SnapshotReference,
): Promise<Uint8Array | undefined> {
  if (reference.place === "store") return (await store?.get(reference.key))?.bytes;
  if (!checkpointer) return undefined;
  // A thread that was copied row by row has a copy of its own, and keeps it when the original is deleted.
  for (const owner of new Set([thread, reference.thread])) {
    if (owner === undefined) continue;
    const bytes = await getCheckpoint(checkpointer, owner, session, reference.key);
    if (bytes) return bytes;
  }
  return undefined;
}

/** Base64, because a checkpoint is JSON to most savers and a `Uint8Array` inside it becomes a list of numbers. */
async function putCheckpoint(
  checkpointer: BaseCheckpointSaver,
  thread: string,
  session: string,
  version: number,
  bytes: Uint8Array,
): Promise<string> {
  const id = uuid6(0);
  // Savers that keep channel values apart find them by channel and version: the version is as unique as the checkpoint.
  const versions = { [CHANNEL]: `${String(version).padStart(8, "0")}.${id}` };
  const checkpoint: Checkpoint = {
    ...emptyCheckpoint(),
    id,
    ts: new Date().toISOString(),
    channel_values: { [CHANNEL]: toBase64(bytes) },
    channel_versions: versions,
  };
  const config = { configurable: { thread_id: thread, checkpoint_ns: snapshotNamespace(session) } };
  const metadata = { source: "update" as const, step: version, parents: {} };
  await checkpointer.put(config, checkpoint, metadata, versions);
  return id;
}

async function getCheckpoint(
  checkpointer: BaseCheckpointSaver,
  thread: string,
  session: string,
  id: string,
): Promise<Uint8Array | undefined> {
  const configurable = { thread_id: thread, checkpoint_ns: snapshotNamespace(session), checkpoint_id: id };
  const tuple = await checkpointer.getTuple({ configurable });
  const text = tuple?.checkpoint.channel_values[CHANNEL];
  return typeof text === "string" ? snapshotFromBase64(text) : undefined;
}
