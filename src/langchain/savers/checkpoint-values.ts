/**
 * Channel values. Each is a row of its own, or a row and parts when it is large, written by the checkpoint at which its
 * channel got a new version and named after both. The version alone would not do as a name: two forks of one checkpoint
 * count on from the same version, and the later one would read the values of the earlier.
 */
import { sameBytes } from "../../values/same-bytes.js";
import type { ChannelEntry, CheckpointHead, Line, Serialized } from "./checkpoint-format.js";
import { deleteRows, getKeys, getRows, type Plan, type Row, type RowKey } from "./checkpoint-rows.js";

/** Small enough that a growing conversation rewrites little, large enough that 20 MB are not thousands of rows. */
const partSize = 256 * 1024;

/** The head of a value row. The body is empty when there are parts. */
interface ValueHead {
  readonly type: string;
  readonly parts: readonly string[];
}

/**
 * The rows of a new value. A large one is cut into parts, and those that are as in the value before are not written
 * again: a conversation grows at its end, so a step costs what it adds and not all that was said.
 */
export function* splitValue(
  line: Line,
  channel: string,
  name: string,
  value: Serialized,
  before: readonly string[],
): Plan<{ rows: Row[]; parts: string[] }> {
  const { bytes, type } = value;
  const split = bytes.length > partSize;
  const shared = split ? yield* countSharedParts(line, channel, bytes, before) : 0;
  const parts = before.slice(0, shared);
  const rows: Row[] = [];
  for (let index = shared; split && index * partSize < bytes.length; index++) {
    parts.push(name);
    rows.push({ key: partKey(line, channel, name, index), head: "", body: partOf(bytes, index) });
  }
  const head: ValueHead = { type, parts };
  rows.push({
    key: valueKey(line, channel, name),
    head: JSON.stringify(head),
    body: split ? new Uint8Array() : bytes,
  });
  return { rows, parts };
}

/** How many parts of `bytes`, from the first one on, are stored already. */
function* countSharedParts(
  line: Line,
  channel: string,
  bytes: Uint8Array,
  before: readonly string[],
): Plan<number> {
  // Some at a time: all of them at once would need the whole value a second time in memory.
  for (let start = 0; start < before.length; start += 16) {
    const owners = before.slice(start, start + 16);
    const rows = yield* getRows(owners.map((owner, index) => partKey(line, channel, owner, start + index)));
    const different = rows.findIndex(
      (row, index) => !row || !sameBytes(row.body, partOf(bytes, start + index)),
    );
    if (different !== -1) return start + different;
  }
  return before.length;
}

/** A copy: a place that clones a view would clone the whole value with every part. */
function partOf(bytes: Uint8Array, index: number): Uint8Array {
  return bytes.slice(index * partSize, (index + 1) * partSize);
}

/** The values of the channels that have one. */
export function* readValues(
  line: Line,
  entries: readonly ChannelEntry[],
): Plan<(readonly [channel: string, value: Serialized])[]> {
  const filled = entries.flatMap(([channel, , name, parts]) =>
    name === null ? [] : [{ channel, name, parts }],
  );
  const rows = yield* getRows(filled.map(({ channel, name }) => valueKey(line, channel, name)));
  const values: (readonly [string, Serialized])[] = [];
  for (const [index, { channel, parts }] of filled.entries()) {
    const row = rows[index];
    const pieces = yield* getRows(parts.map((owner, part) => partKey(line, channel, owner, part)));
    if (!row || pieces.includes(undefined))
      throw new Error(`The value of channel ${JSON.stringify(channel)} is not complete.`);
    const bytes = parts.length === 0 ? row.body : join(pieces.map((piece) => piece!.body));
    values.push([channel, { type: (JSON.parse(row.head) as ValueHead).type, bytes }]);
  }
  return values;
}

/** Removes the values and parts that none of these checkpoints, all that are left of the line, names. */
export function* removeValues(line: Line, heads: readonly CheckpointHead[]): Plan<void> {
  const entries = heads.flatMap((head) => head.channels);
  const values = new Set(entries.map(([channel, , name]) => JSON.stringify([channel, name])));
  const parts = new Set(
    entries.flatMap(([channel, , , owners]) =>
      owners.map((owner, index) => JSON.stringify([channel, owner, index])),
    ),
  );
  const valueKeys = yield* getKeys(["value", line.thread, line.namespace]);
  const partKeys = yield* getKeys(["part", line.thread, line.namespace]);
  yield* deleteRows([
    ...valueKeys.filter((key) => !values.has(JSON.stringify([key[3], key[4]]))),
    ...partKeys.filter((key) => !parts.has(JSON.stringify([key[3], key[4], key[5]]))),
  ]);
}

/** The value of an unchanged channel by its version alone: the one with the wanted bytes, or else the latest. */
export function* pickValue(
  line: Line,
  channel: string,
  version: string,
  candidates: readonly string[],
  wanted: Serialized | null | undefined,
): Plan<ChannelEntry> {
  let found: ChannelEntry = [channel, version, null, []];
  if (wanted === null) return found;
  for (const row of yield* getRows(candidates.map((name) => valueKey(line, channel, name)))) {
    if (!row) continue;
    found = [channel, version, row.key[4], (JSON.parse(row.head) as ValueHead).parts];
    if (!wanted || candidates.length === 1) continue;
    const [[, value] = []] = yield* readValues(line, [found]);
    if (value && sameBytes(value.bytes, wanted.bytes)) return found;
  }
  return found;
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let end = 0;
  for (const piece of pieces) {
    bytes.set(piece, end);
    end += piece.length;
  }
  return bytes;
}

function partKey(line: Line, channel: string, owner: string, index: number): RowKey {
  return ["part", line.thread, line.namespace, channel, owner, index];
}

function valueKey(line: Line, channel: string, name: string): RowKey {
  return ["value", line.thread, line.namespace, channel, name, 0];
}
