/**
 * The transactions of a checkpoint saver. Channel values are rows of their own, written only when their channel's
 * version changes: a checkpoint names the row of each channel, and takes it over from its parent where the version is
 * the same. The version alone would not do as a name: two forks of one checkpoint count on from the same version, and
 * the later one would read the values of the earlier.
 */
import {
  deleteRows,
  getKeys,
  getLastKey,
  getRows,
  type Plan,
  putRows,
  type Row,
  type RowKey,
  type RowPrefix,
} from "./checkpoint-rows.js";

/** Where checkpoints of one line live: a thread and, for a subgraph, its namespace. */
export interface Line {
  readonly thread: string;
  readonly namespace: string;
}

/** A value as the serializer gave it. */
export interface Serialized {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** The row of a channel's value at a checkpoint (`b` of its key); `null`: the channel is empty there. */
type ChannelEntry = readonly [channel: string, version: string, row: string | null];

/** The head of a checkpoint row. */
interface CheckpointHead {
  readonly parent?: string;
  /** Version of the checkpoint's format. */
  readonly format: number;
  readonly channels: readonly ChannelEntry[];
  /** `metadata.parents`: the checkpoints of enclosing graphs, by namespace. */
  readonly parents: readonly (readonly [namespace: string, checkpoint: string])[];
  /** Channels whose value is a sum of writes of earlier checkpoints, back to one that has a value. */
  readonly deltas: readonly string[];
  readonly type: string;
  readonly metadataType: string;
  /** The body is the checkpoint up to here, then its metadata. */
  readonly split: number;
}

interface WriteHead {
  readonly channel: string;
  readonly type: string;
  readonly path: string;
}

export interface StoredWrite {
  readonly task: string;
  readonly index: number;
  readonly channel: string;
  readonly path: string;
  readonly value: Serialized;
}

export interface StoredCheckpoint {
  readonly id: string;
  readonly parent: string | undefined;
  readonly checkpoint: Serialized;
  readonly metadata: Serialized;
}

export interface StoredTuple extends StoredCheckpoint {
  readonly values: readonly (readonly [channel: string, value: Serialized])[];
  readonly writes: readonly StoredWrite[];
  /** For checkpoints of a format before 4, whose tasks are writes of the parent. */
  readonly parentWrites: readonly StoredWrite[] | undefined;
}

export interface NewCheckpoint {
  readonly id: string;
  readonly parent: string | undefined;
  readonly format: number;
  readonly checkpoint: Serialized;
  readonly metadata: Serialized;
  readonly parents: CheckpointHead["parents"];
  readonly deltas: readonly string[];
  /** Every channel and its version, as JSON. */
  readonly versions: readonly (readonly [channel: string, version: string])[];
  /** Channels whose version is new with this checkpoint; `null` when such a channel is empty. */
  readonly changed: ReadonlyMap<string, Serialized | null>;
  /** Values of unchanged channels, for those that `putCheckpoint` asked for. */
  readonly unchanged: ReadonlyMap<string, Serialized | null>;
}

/** All checkpoints of a thread, of one of its namespaces, or of all threads. */
export function* findCheckpoints(thread?: string, namespace?: string): Plan<RowKey[]> {
  if (thread === undefined) {
    const keys = yield* getKeys(["checkpoint"]);
    return namespace === undefined ? keys : keys.filter((key) => key[2] === namespace);
  }
  return yield* getKeys(namespace === undefined ? ["checkpoint", thread] : ["checkpoint", thread, namespace]);
}

/** A checkpoint without its values and writes. */
export function* readCheckpoint(line: Line, id: string): Plan<StoredCheckpoint | undefined> {
  const [row] = yield* getRows([checkpointKey(line, id)]);
  return row && toStored(id, row, readHead(row));
}

/** A checkpoint with everything that belongs to it; the latest when none is named. */
export function* readTuple(line: Line, checkpoint?: string): Plan<StoredTuple | undefined> {
  const id = checkpoint ?? (yield* getLastKey(["checkpoint", line.thread, line.namespace]))?.[3];
  if (id === undefined) return undefined;
  const [row] = yield* getRows([checkpointKey(line, id)]);
  if (!row) return undefined;
  const head = readHead(row);
  const filled = head.channels.flatMap(([channel, , name]) =>
    name === null ? [] : [[channel, name] as const],
  );
  const rows = yield* getRows(filled.map(([channel, name]) => valueKey(line, channel, name)));
  const values = filled.map(([channel], index) => {
    const value = rows[index];
    if (!value)
      throw new Error(`The value of channel ${JSON.stringify(channel)} of checkpoint ${id} is missing.`);
    return [channel, { type: (JSON.parse(value.head) as { type: string }).type, bytes: value.body }] as const;
  });
  const writes = yield* readWrites(line, id);
  const migrate = head.format < 4 && head.parent !== undefined;
  const parentWrites = migrate ? yield* readWrites(line, head.parent) : undefined;
  return { ...toStored(id, row, head), values, writes, parentWrites };
}

/**
 * Writes a checkpoint and, with `keep`, removes what is too old. Resolves to the unchanged channels whose value cannot
 * be told from versions alone (several forks have one of that version); nothing is written then, and the caller runs
 * it again with the values of these in `unchanged`.
 */
export function* putCheckpoint(line: Line, next: NewCheckpoint, keep: number | undefined): Plan<string[]> {
  const [parentRow] = next.parent === undefined ? [] : yield* getRows([checkpointKey(line, next.parent)]);
  const inherited = new Map(parentRow && readHead(parentRow).channels.map((entry) => [entry[0], entry]));
  const channels: ChannelEntry[] = [];
  const rows: Row[] = [];
  const unclear: string[] = [];
  for (const [channel, version] of next.versions) {
    const value = next.changed.get(channel);
    const parent = inherited.get(channel);
    if (value) {
      const name = `${version}@${next.id}`;
      rows.push({
        key: valueKey(line, channel, name),
        head: JSON.stringify({ type: value.type }),
        body: value.bytes,
      });
      channels.push([channel, version, name]);
    } else if (value === null) {
      channels.push([channel, version, null]);
    } else if (parent?.[1] === version) {
      channels.push(parent);
    } else {
      const candidates = (yield* getKeys(["value", line.thread, line.namespace, channel]))
        .map((key) => key[4])
        .filter((name) => name.startsWith(`${version}@`));
      const wanted = next.unchanged.get(channel);
      if (candidates.length > 1 && wanted === undefined) unclear.push(channel);
      else channels.push([channel, version, yield* pickValue(line, channel, candidates, wanted)]);
    }
  }
  if (unclear.length > 0) return unclear;
  yield* putRows([...rows, toRow(line, next, channels)]);
  if (keep !== undefined) yield* prune(line, keep);
  return [];
}

/** Adds writes to a checkpoint. One that is there already stays, unless its index is negative (errors, interrupts). */
export function* putWrites(line: Line, checkpoint: string, writes: readonly StoredWrite[]): Plan<void> {
  const rows = writes.map(({ task, index, channel, path, value }): Row => {
    const head: WriteHead = { channel, type: value.type, path };
    return {
      key: ["write", line.thread, line.namespace, checkpoint, task, index],
      head: JSON.stringify(head),
      body: value.bytes,
    };
  });
  const taken = new Set(
    (yield* getKeys(["write", line.thread, line.namespace, checkpoint])).map((key) => JSON.stringify(key)),
  );
  yield* putRows(rows.filter(({ key }) => key[5] < 0 || !taken.has(JSON.stringify(key))));
}

export function* deleteThread(thread: string): Plan<void> {
  yield* deleteRows([
    ["checkpoint", thread],
    ["value", thread],
    ["write", thread],
  ]);
}

/**
 * Keeps the latest `keep` checkpoints of a line and those they need, and removes the rest with their writes, the values
 * that nothing names any more, and the checkpoints that subgraphs made while one of the removed ones was at work.
 */
function* prune(line: Line, keep: number): Plan<void> {
  const ids = (yield* getKeys(["checkpoint", line.thread, line.namespace])).map((key) => key[3]);
  if (ids.length <= keep) return;
  const heads = new Map<string, CheckpointHead>();
  for (const row of yield* getRows(ids.slice(-keep).map((id) => checkpointKey(line, id))))
    if (row) heads.set(row.key[3], readHead(row));
  for (const head of [...heads.values()]) yield* keepDeltas(line, head, heads);
  const removed = new Set(ids.filter((id) => !heads.has(id)));
  yield* removeCheckpoints(line, removed);
  yield* removeValues(line, [...heads.values()]);
  if (line.namespace === "" && removed.size > 0) yield* pruneSubgraphs(line.thread, removed);
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

function* removeValues(line: Line, heads: readonly CheckpointHead[]): Plan<void> {
  const named = new Set(
    heads.flatMap((head) => head.channels.map(([channel, , name]) => JSON.stringify([channel, name]))),
  );
  const values = yield* getKeys(["value", line.thread, line.namespace]);
  yield* deleteRows(values.filter((key) => !named.has(JSON.stringify([key[3], key[4]]))));
}

/**
 * A namespace with a `:` belongs to one task of one step of the root graph and is of no use when that step is gone. One
 * without is a subgraph that remembers across steps: its latest checkpoint may be of a step long ago, and it stays.
 */
function* pruneSubgraphs(thread: string, removed: ReadonlySet<string>): Plan<void> {
  const keys = (yield* getKeys(["checkpoint", thread])).filter((key) => key[2].includes(":"));
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

function* pickValue(
  line: Line,
  channel: string,
  candidates: readonly string[],
  wanted: Serialized | null | undefined,
): Plan<string | null> {
  if (wanted === null) return null;
  if (wanted && candidates.length > 1)
    for (const row of yield* getRows(candidates.map((name) => valueKey(line, channel, name))))
      if (row && sameBytes(row.body, wanted.bytes)) return row.key[4];
  return candidates.at(-1) ?? null;
}

function* readWrites(line: Line, checkpoint: string | undefined): Plan<StoredWrite[]> {
  if (checkpoint === undefined) return [];
  const keys = yield* getKeys(["write", line.thread, line.namespace, checkpoint]);
  return (yield* getRows(keys)).flatMap((row) => {
    if (!row) return [];
    const { channel, path, type } = JSON.parse(row.head) as WriteHead;
    return [{ task: row.key[4], index: row.key[5], channel, path, value: { type, bytes: row.body } }];
  });
}

function checkpointKey(line: Line, id: string): RowKey {
  return ["checkpoint", line.thread, line.namespace, id, "", 0];
}

function valueKey(line: Line, channel: string, name: string): RowKey {
  return ["value", line.thread, line.namespace, channel, name, 0];
}

function toRow(line: Line, next: NewCheckpoint, channels: readonly ChannelEntry[]): Row {
  const { checkpoint, metadata, format, parents, deltas } = next;
  const filled = new Set(channels.flatMap(([channel, , name]) => (name === null ? [] : [channel])));
  const head: CheckpointHead = {
    ...(next.parent === undefined ? {} : { parent: next.parent }),
    format,
    channels,
    parents,
    deltas: deltas.filter((channel) => !filled.has(channel)),
    type: checkpoint.type,
    metadataType: metadata.type,
    split: checkpoint.bytes.length,
  };
  const body = new Uint8Array(checkpoint.bytes.length + metadata.bytes.length);
  body.set(checkpoint.bytes);
  body.set(metadata.bytes, checkpoint.bytes.length);
  return { key: checkpointKey(line, next.id), head: JSON.stringify(head), body };
}

function readHead(row: Row): CheckpointHead {
  return JSON.parse(row.head) as CheckpointHead;
}

function toStored(id: string, row: Row, head: CheckpointHead): StoredCheckpoint {
  return {
    id,
    parent: head.parent,
    checkpoint: { type: head.type, bytes: row.body.subarray(0, head.split) },
    metadata: { type: head.metadataType, bytes: row.body.subarray(head.split) },
  };
}

function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}
