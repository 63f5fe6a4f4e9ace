/** Arrays with their holes and extra properties, typed arrays, buffers. */
import { addItem, addRemark, type Block, closeBlock, openBlock } from "./block.js";
import { dataViewBuffer, dataViewLength, dataViewOffset, typedArrayLength } from "./brands.js";
import {
  MathMin,
  NativeUint8Array,
  ObjectGetOwnPropertyDescriptor,
  ObjectHasOwn,
  ReflectOwnKeys,
  StringCharCodeAt,
} from "./primordials.js";
import { addProperties, describedValue, nothing } from "./render-properties.js";
import { type Around, leaf, noteWidth, renderPrimitive, spend, type Walk } from "./walk.js";

/** Arrays above this are not searched for extra properties: their keys alone would take megabytes. */
const MAX_SEARCHED_LENGTH = 2000;

export function renderArray(
  value: object,
  length: number,
  prefix: string,
  walk: Walk,
  around: Around,
  indent: number,
): string {
  const block = openBlock(indent, true);
  addElements(block, value, length, walk, around, indent);
  noteWidth(block, walk);
  if (length <= MAX_SEARCHED_LENGTH && !walk.over) addExtras(block, value, walk, around, indent);
  return leaf(walk, prefix) + closeBlock(block, indent, "[", "]");
}

export function addElements(
  block: Block,
  value: object,
  length: number,
  walk: Walk,
  around: Around,
  indent: number,
): void {
  let keys: (string | symbol)[] | undefined;
  let cursor = 0;
  let shown = 0;
  for (let i = 0; i < length && !walk.over; shown++) {
    if (shown >= walk.items) {
      walk.abbreviated = true;
      addRemark(block, `... ${length - i} more items`);
      return;
    }
    const descriptor = ObjectGetOwnPropertyDescriptor(value, i);
    if (descriptor !== undefined) {
      const text = describedValue(descriptor, walk, around, `[${i}]`, indent + 2);
      spend(walk, 2);
      addItem(block, text);
      i++;
      continue;
    }
    const near = MathMin(length, i + 32);
    let next = i + 1;
    while (next < near && !ObjectHasOwn(value, next)) next++;
    if (next === i + 32) {
      // A long gap: the engine keeps such arrays sparse, so their keys are few compared with their length.
      keys ??= ReflectOwnKeys(value);
      while (cursor < keys.length && indexOf(keys[cursor]) < next) cursor++;
      const found = cursor < keys.length ? indexOf(keys[cursor]) : length;
      next = MathMin(found, length);
    }
    const gap = `<${next - i} empty>`;
    spend(walk, gap.length + 2);
    addItem(block, gap);
    i = next;
  }
}

/** The array index a key stands for; Infinity for other keys, which come last. */
export function indexOf(key: string | symbol | undefined): number {
  if (typeof key !== "string") return 1 / 0;
  const first = StringCharCodeAt(key, 0);
  return first >= 48 && first <= 57 ? +key : 1 / 0;
}

/** Properties of an array beside its elements. They follow `length` in the order of the keys. */
export function addExtras(block: Block, value: object, walk: Walk, around: Around, indent: number): void {
  const keys = ReflectOwnKeys(value);
  let from = keys.length;
  while (from > 0 && indexOf(keys[from - 1]) === 1 / 0) from--;
  if (from < keys.length) addProperties(block, value, walk, around, indent, nothing, from, keys);
}

export function renderTypedArray(value: Uint8Array, head: string, walk: Walk, indent: number): string {
  const length = typedArrayLength(value);
  const block = openBlock(indent, true);
  // Bytes are many and say little: as many as fill a few rows.
  const limit = MathMin(length, MathMin(walk.items, 100));
  for (let i = 0; i < limit && !walk.over; i++) {
    // Elements of a typed array are never accessors.
    const text = renderPrimitive(value[i], walk);
    spend(walk, text.length + 2);
    addItem(block, text);
  }
  if (limit < length) {
    walk.abbreviated = true;
    addRemark(block, `... ${length - limit} more items`);
  }
  return `${leaf(walk, head)} ${closeBlock(block, indent, "[", "]")}`;
}

export function renderBytes(
  buffer: object,
  head: string,
  walk: Walk,
  indent: number,
  offset: number,
  length: number,
): string {
  let bytes: Uint8Array;
  try {
    bytes = new NativeUint8Array(buffer as ArrayBuffer, offset, length);
  } catch {
    return leaf(walk, `${head} [detached]`);
  }
  return renderTypedArray(bytes, head, walk, indent);
}

export function renderDataView(value: object, walk: Walk, indent: number): string {
  let length: number;
  try {
    length = dataViewLength(value);
  } catch {
    return leaf(walk, "DataView [detached]");
  }
  return renderBytes(
    dataViewBuffer(value),
    `DataView(${length})`,
    walk,
    indent,
    dataViewOffset(value),
    length,
  );
}
