import { isOwnNamespace } from "../sessions/snapshot-namespace.js";
import { type CheckpointHead, checkpointKey, type Line, readHead } from "./checkpoint-format.js";
import { deleteRows, getKeys, getRows, type Plan, type RowPrefix } from "./checkpoint-rows.js";
import { pruneSnapshots } from "./checkpoint-snapshots.js";
import { removeValues } from "./checkpoint-values.js";

/**
 * Keeps the latest `keep` checkpoints of a line and those they need, and removes the rest with their writes, the values
 * that nothing names any more, and the checkpoints that subgraphs made while one of the removed ones was at work.
 */
export function* prune(line: Line, keep: number): Plan<void> {
  const ids = (yield* getKeys(["checkpoint", line.thread, line.namespace])).map((key) => key[3]);
  if (ids.length <= keep) return;
  const heads = new Map<string, CheckpointHead>();
  for (const row of yield* getRows(ids.slice(-keep).map((id) => checkpointKey(line, id))))
    if (row) heads.set(row.key[3], readHead(row));
  for (const head of [...heads.values()]) yield* keepDeltas(line, head, heads);
  const removed = new Set(ids.filter((id) => !heads.has(id)));
  yield* removeCheckpoints(line, removed);
  yield* removeValues(line, [...heads.values()]);
  if (line.namespace !== "" || removed.size === 0) return;
  yield* pruneSubgraphs(line.thread, removed);
  yield* pruneSnapshots(line.thread, [...heads.keys()].sort()[0] as string);
}

/** Prunes the thread's root graph, and with it what belongs to the steps that go; then subgraphs that remember. */
export function* pruneThread(thread: string, keep: number): Plan<void> {
  const namespaces = new Set((yield* getKeys(["checkpoint", thread])).map((key) => key[2]));
  for (const namespace of namespaces) if (!namespace.includes(":")) yield* prune({ thread, namespace }, keep);
}

/** Adds the ancestors that the deltas of a kept checkpoint are a sum of. */
function* keepDeltas(line: Line, head: CheckpointHead, kept: Map<string, CheckpointHead>): Plan<void> {
  let missing = head.deltas;
  for (let id = head.parent; id !== undefined && missing.length > 0; ) {
    const known = kept.get(id);
    const [row] = known ? [] : yield* getRows([checkpointKey(line, id)]);
    const ancestor = known ?? (row && readHead(row));
    if (!ancestor) return;
    kept.set(id, ancestor);
    const filled = new Set(
      ancestor.channels.flatMap(([channel, , name]) => (name === null ? [] : [channel])),
    );
    missing = missing.filter((channel) => !filled.has(channel));
    id = ancestor.parent;
  }
}

function* removeCheckpoints(line: Line, ids: Iterable<string>): Plan<void> {
  const prefixes: RowPrefix[] = [];
  for (const id of ids)
    prefixes.push(
      ["checkpoint", line.thread, line.namespace, id],
      ["write", line.thread, line.namespace, id],
    );
  yield* deleteRows(prefixes);
}

/**
 * A namespace with a `:` belongs to one task of one step of the root graph and is of no use when that step is gone. One
 * without is a subgraph that remembers across steps: its latest checkpoint may be of a step long ago, and it stays.
 */
function* pruneSubgraphs(thread: string, removed: ReadonlySet<string>): Plan<void> {
  const keys = (yield* getKeys(["checkpoint", thread])).filter(
    (key) => key[2].includes(":") && !isOwnNamespace(key[2]),
  );
  const namespaces = new Map<string, { gone: string[]; kept: CheckpointHead[] }>();
  for (const row of yield* getRows(keys)) {
    if (!row) continue;
    const head = readHead(row);
    const root = head.parents.find(([namespace]) => namespace === "")?.[1];
    const entry = namespaces.get(row.key[2]) ?? { gone: [], kept: [] };
    namespaces.set(row.key[2], entry);
    if (root !== undefined && removed.has(root)) entry.gone.push(row.key[3]);
    else entry.kept.push(head);
  }
  for (const [namespace, { gone, kept }] of namespaces) {
    if (gone.length === 0) continue;
    yield* removeCheckpoints({ thread, namespace }, gone);
    yield* removeValues({ thread, namespace }, kept);
  }
}
