/**
 * The transactions of a checkpoint saver. A checkpoint names the value of each of its channels, and takes the name over
 * from its parent where the version of the channel is the same, so a channel that does not change costs nothing.
 */

import { isOwnNamespace } from "../sessions/snapshot-namespace.js";
import {
  type ChannelEntry,
  checkpointKey,
  type Line,
  type NewCheckpoint,
  readHead,
  type Serialized,
  type StoredCheckpoint,
  toRow,
  toStored,
} from "./checkpoint-format.js";
import { prune } from "./checkpoint-prune.js";
import {
  deleteRows,
  getKeys,
  getLastKey,
  getRows,
  type Plan,
  putRows,
  type Row,
  type RowKey,
} from "./checkpoint-rows.js";
import { pickValue, readValues, splitValue } from "./checkpoint-values.js";

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

export interface StoredTuple extends StoredCheckpoint {
  readonly values: readonly (readonly [channel: string, value: Serialized])[];
  readonly writes: readonly StoredWrite[];
  /** For checkpoints of a format before 4, whose tasks are writes of the parent. */
  readonly parentWrites: readonly StoredWrite[] | undefined;
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
  const values = yield* readValues(line, head.channels);
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
      const written = yield* splitValue(line, channel, name, value, parent?.[3] ?? []);
      rows.push(...written.rows);
      channels.push([channel, version, name, written.parts]);
    } else if (value === null) {
      channels.push([channel, version, null, []]);
    } else if (parent?.[1] === version) {
      channels.push(parent);
    } else {
      const candidates = (yield* getKeys(["value", line.thread, line.namespace, channel]))
        .map((key) => key[4])
        .filter((name) => name.startsWith(`${version}@`));
      const wanted = next.unchanged.get(channel);
      if (candidates.length > 1 && wanted === undefined) unclear.push(channel);
      else channels.push(yield* pickValue(line, channel, version, candidates, wanted));
    }
  }
  if (unclear.length > 0) return unclear;
  yield* putRows([...rows, toRow(line, next, channels)]);
  if (keep !== undefined && !isOwnNamespace(line.namespace)) yield* prune(line, keep);
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
    ["part", thread],
    ["write", thread],
  ]);
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
