/**
 * Where snapshot bytes live when the graph's state only names them: beside the thread's checkpoints, in a
 * `SnapshotStore`, or in this process. State channels are streamed and listed by every API, so the bytes stay out of
 * them.
 */
import type { BaseCheckpointSaver, Checkpoint } from "@langchain/langgraph-checkpoint";
import { emptyCheckpoint, uuid6 } from "@langchain/langgraph-checkpoint";
import { InterpreterError, SnapshotError } from "../errors.js";
import type { SnapshotStore } from "../store.js";
import type { SnapshotReference } from "./interpreter-state.js";

/** Own namespace, so that histories and states of the graph never show it; `deleteThread` removes it with the rest. */
const NAMESPACE = "edge-interpreter";
const CHANNEL = "snapshot";

export interface SnapshotPlaces {
  readonly store: SnapshotStore | undefined;
  readonly checkpointer: BaseCheckpointSaver | undefined;
  readonly thread: string | undefined;
  /** Snapshots of sessions that are known to this process only. */
  readonly local: Map<string, Uint8Array>;
}

/** Keeps the bytes; the answer says how to find them. @throws what the place throws, with its code. */
export async function keepSnapshot(
  places: SnapshotPlaces,
  session: string,
  version: number,
  bytes: Uint8Array,
): Promise<SnapshotReference> {
  if (places.store) {
    const key = `${session}/${String(version).padStart(8, "0")}-${crypto.randomUUID().slice(0, 8)}`;
    await places.store.put(key, bytes, { replaces: null });
    return { place: "store", key, bytes: bytes.length };
  }
  if (places.checkpointer && places.thread !== undefined) {
    const key = await putCheckpoint(places.checkpointer, places.thread, session, version, bytes);
    return { place: "checkpointer", key, thread: places.thread, bytes: bytes.length };
  }
  places.local.set(session, bytes);
  return { place: "process", key: session, bytes: bytes.length };
}

/** @throws {SnapshotError} `SNAPSHOT_MISSING` when the place has nothing under that name. */
export async function findSnapshot(
  places: SnapshotPlaces,
  reference: SnapshotReference,
): Promise<Uint8Array> {
  const bytes = await lookUp(places, reference);
  if (bytes) return bytes;
  throw new SnapshotError(
    "SNAPSHOT_MISSING",
    `The snapshot is not in its ${placeNames[reference.place]} any more.`,
  );
}

const placeNames = { store: "snapshot store", checkpointer: "checkpointer", process: "process" };

async function lookUp(places: SnapshotPlaces, reference: SnapshotReference): Promise<Uint8Array | undefined> {
  switch (reference.place) {
    case "store":
      return (await places.store?.get(reference.key))?.bytes;
    case "checkpointer":
      return reference.thread === undefined || !places.checkpointer
        ? undefined
        : getCheckpoint(places.checkpointer, reference.thread, reference.key);
    case "process":
      return places.local.get(reference.key);
    default:
      return undefined;
  }
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
  const checkpoint: Checkpoint = {
    ...emptyCheckpoint(),
    id,
    ts: new Date().toISOString(),
    channel_values: { [CHANNEL]: toBase64(bytes) },
    channel_versions: { [CHANNEL]: 1 },
  };
  const config = { configurable: { thread_id: thread, checkpoint_ns: NAMESPACE } };
  const metadata = { source: "update" as const, step: version, parents: {}, session };
  await checkpointer.put(config, checkpoint, metadata, { [CHANNEL]: 1 });
  return id;
}

async function getCheckpoint(
  checkpointer: BaseCheckpointSaver,
  thread: string,
  id: string,
): Promise<Uint8Array | undefined> {
  const configurable = { thread_id: thread, checkpoint_ns: NAMESPACE, checkpoint_id: id };
  const tuple = await checkpointer.getTuple({ configurable });
  const text = tuple?.checkpoint.channel_values[CHANNEL];
  return typeof text === "string" ? fromBase64(text) : undefined;
}

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(text);
}

function fromBase64(text: string): Uint8Array {
  try {
    const binary = atob(text);
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch (error) {
    throw new InterpreterError(
      "SNAPSHOT_CORRUPT",
      "The checkpointer answered with something that is not a snapshot.",
      {
        cause: error,
      },
    );
  }
}
