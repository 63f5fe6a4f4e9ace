/** Which snapshots of a thread may go from a `SnapshotStore`. */
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { invalidOption } from "../../errors.js";
import type { SnapshotStore } from "../../store.js";
import type { InterpreterState } from "../state/interpreter-state.js";
import { parseSnapshotKey, threadPrefix } from "./snapshot-keys.js";

/**
 * What stays in the `snapshots` store although no checkpoint names it any more. What a checkpoint of the thread names
 * always stays; without a checkpointer that is the thread's newest.
 */
export interface SnapshotRetention {
  /** The newest of each session, in evals. @default 20 */
  readonly keep?: number | undefined;
  /**
   * Everything younger, in milliseconds. A checkpoint is written some time after the snapshot it names - with LangGraph's
   * durability "exit" when the run ends - so this has to be longer than a run takes. @default 86 400 000, a day
   */
  readonly minAgeMs?: number | undefined;
}

export type ResolvedRetention = Readonly<Record<keyof SnapshotRetention, number>>;

/** `false`: nothing is ever deleted. @throws {TypeError} */
export function resolveRetention(
  option: SnapshotRetention | false | undefined,
): ResolvedRetention | undefined {
  if (option === false) return undefined;
  if (option !== undefined && (typeof option !== "object" || option === null))
    throw invalidOption("snapshotRetention", option, "{ keep, minAgeMs } or false");
  const unknown = Object.keys(option ?? {}).find((name) => name !== "keep" && name !== "minAgeMs");
  if (unknown !== undefined)
    throw new TypeError(`Unknown option \`snapshotRetention.${unknown}\`. Known: keep, minAgeMs.`);
  const { keep = 20, minAgeMs = 86_400_000 } = option ?? {};
  if (!Number.isSafeInteger(keep) || keep < 1)
    throw invalidOption("snapshotRetention.keep", keep, "a whole number of at least 1");
  if (!(minAgeMs >= 0)) throw invalidOption("snapshotRetention.minAgeMs", minAgeMs, "a number of at least 0");
  return { keep, minAgeMs };
}

export interface RetentionScope {
  readonly store: SnapshotStore;
  readonly thread: string;
  readonly checkpointer: BaseCheckpointSaver | undefined;
  /** The state of now, which may not be in any checkpoint yet. */
  readonly current: InterpreterState;
}

/** Old snapshots of threads that were all still named by checkpoints: looked at again when there are `keep` more. */
const inUse = new WeakMap<SnapshotStore, Map<string, number>>();

/** Deletes what nothing needs; answers the keys. @throws what store and checkpointer throw, with nothing half done. */
export async function collectSnapshots(
  { store, thread, checkpointer, current }: RetentionScope,
  { keep, minAgeMs }: ResolvedRetention,
  now: number = Date.now(),
): Promise<string[]> {
  const known = inUse.get(store) ?? new Map<string, number>();
  inUse.set(store, known);
  const old = (await oldKeys(store, thread, keep)).filter(({ time }) => now - time >= minAgeMs);
  // Listing checkpoints reads all of them: not for every snapshot anew.
  if (old.length < (known.get(thread) ?? 0) + keep) return [];
  const named = new Set<string>();
  findKeys(current, named);
  if (checkpointer) {
    const config = { configurable: { thread_id: thread } };
    for await (const { checkpoint, pendingWrites } of checkpointer.list(config)) {
      findKeys(checkpoint.channel_values, named);
      findKeys(pendingWrites, named);
    }
  }
  const unnamed = old.map(({ key }) => key).filter((key) => !named.has(key));
  for (const key of unnamed) await store.delete(key);
  known.set(thread, old.length - unnamed.length);
  return unnamed;
}

/** All but those of the newest `keep` versions of each session. */
async function oldKeys(store: SnapshotStore, thread: string, keep: number) {
  const sessions = new Map<string, { key: string; version: number; time: number }[]>();
  for (const { key } of await store.list(threadPrefix(thread))) {
    const parts = parseSnapshotKey(key);
    if (!parts) continue;
    const entries = sessions.get(parts.session) ?? [];
    sessions.set(parts.session, entries);
    entries.push({ key, version: parts.version, time: parts.time });
  }
  return [...sessions.values()].flatMap((entries) => {
    // By age, not by version: a fork counts on from an old one.
    const newest = [...new Set(entries.sort((a, b) => b.time - a.time).map(({ version }) => version))].slice(
      0,
      keep,
    );
    return entries.filter(({ version }) => !newest.includes(version));
  });
}

/** Every reference anywhere in a state: a graph around the agent may hold a copy of it. Messages hold none. */
function findKeys(value: unknown, found: Set<string>, seen: Set<object> = new Set()): void {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value) || seen.has(value)) return;
  seen.add(value);
  if ("place" in value && "key" in value && typeof value.key === "string") found.add(value.key);
  for (const [name, item] of Object.entries(value)) if (name !== "messages") findKeys(item, found, seen);
}

/**
 * Deletes everything the interpreter keeps of a thread in a snapshot store, for when the app deletes the thread.
 *
 * @throws {StoreError}
 */
export async function deleteThreadSnapshots(store: SnapshotStore, threadId: string): Promise<void> {
  for (const { key } of await store.list(threadPrefix(threadId))) await store.delete(key);
}
