/** Removes the snapshots that no checkpoint of a thread names any more, after some of its checkpoints were removed. */

import { isSnapshotNamespace } from "../sessions/snapshot-namespace.js";
import { deleteRows, getKeys, getRows, type Plan, type RowPrefix } from "./checkpoint-rows.js";

/** The channel whose values name snapshots. */
const CHANNEL = "_interpreter";

/**
 * Of each session what is older than the oldest snapshot that is still named; of a session that nothing names all of
 * it, once it is older than every checkpoint. A snapshot is written before the checkpoint that names it, so what is
 * newer stays.
 */
export function* pruneSnapshots(thread: string, oldestCheckpoint: string): Plan<void> {
  const sessions = new Map<string, string[]>();
  for (const [, , namespace, id] of yield* getKeys(["checkpoint", thread])) {
    if (!isSnapshotNamespace(namespace)) continue;
    const ids = sessions.get(namespace) ?? [];
    sessions.set(namespace, ids);
    ids.push(id);
  }
  if (sessions.size === 0) return;
  const named = yield* readNames(thread);
  const removed: RowPrefix[] = [];
  for (const [namespace, ids] of sessions) {
    ids.sort();
    const oldest = ids.find((id) => named.includes(id));
    const isForgotten = oldest === undefined && (ids.at(-1) as string) < oldestCheckpoint;
    const superfluous = isForgotten ? ids : ids.filter((id) => oldest !== undefined && id < oldest);
    if (superfluous.length > 0) removed.push(...(yield* rowsOf(thread, namespace, superfluous)));
  }
  yield* deleteRows(removed);
}

/** Every state of every line of the thread, as one text. */
function* readNames(thread: string): Plan<string> {
  const values = (yield* getKeys(["value", thread])).filter((key) => key[3] === CHANNEL);
  const parts = (yield* getKeys(["part", thread])).filter((key) => key[3] === CHANNEL);
  const writes = (yield* getKeys(["write", thread])).filter((key) => !isSnapshotNamespace(key[2]));
  const rows = yield* getRows([...values, ...parts, ...writes]);
  const decoder = new TextDecoder();
  return rows
    .flatMap((row) => {
      const isOther =
        row?.key[0] === "write" && (JSON.parse(row.head) as { channel?: string }).channel !== CHANNEL;
      return row && !isOther ? [decoder.decode(row.body)] : [];
    })
    .join("\n");
}

/** A snapshot's checkpoint and its value, which is named after it; parts of a value are its own. */
function* rowsOf(thread: string, namespace: string, ids: readonly string[]): Plan<RowPrefix[]> {
  const owned = (name: string) => ids.some((id) => name.endsWith(id));
  const prefixes: RowPrefix[] = ids.map((id) => ["checkpoint", thread, namespace, id]);
  for (const kind of ["value", "part"] as const)
    for (const key of yield* getKeys([kind, thread, namespace])) if (owned(key[4])) prefixes.push(key);
  return prefixes;
}
