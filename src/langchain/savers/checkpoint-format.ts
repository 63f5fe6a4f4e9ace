/**
 * How checkpoints are laid out in rows: the heads (JSON) of checkpoint rows, their keys, and what is read and written
 * in terms of LangGraph's serializer.
 */
import type { Row, RowKey } from "./checkpoint-rows.js";

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

/** The value of a channel at a checkpoint; a name is `b` of a key. */
export type ChannelEntry = readonly [
  channel: string,
  version: string,
  /** The row; `null`: the channel is empty there. */
  row: string | null,
  /** For a value in parts, the value that wrote each of them. */
  parts: readonly string[],
];

/** The head of a checkpoint row. */
export interface CheckpointHead {
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

export interface StoredCheckpoint {
  readonly id: string;
  readonly parent: string | undefined;
  readonly checkpoint: Serialized;
  readonly metadata: Serialized;
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

export function checkpointKey(line: Line, id: string): RowKey {
  return ["checkpoint", line.thread, line.namespace, id, "", 0];
}

export function toRow(line: Line, next: NewCheckpoint, channels: readonly ChannelEntry[]): Row {
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

export function readHead(row: Row): CheckpointHead {
  return JSON.parse(row.head) as CheckpointHead;
}

export function toStored(id: string, row: Row, head: CheckpointHead): StoredCheckpoint {
  return {
    id,
    parent: head.parent,
    checkpoint: { type: head.type, bytes: row.body.subarray(0, head.split) },
    metadata: { type: head.metadataType, bytes: row.body.subarray(head.split) },
  };
}
