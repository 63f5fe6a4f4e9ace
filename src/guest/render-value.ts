/** The walk of `render.ts`: one value as text within the limits of one try. */
import { addItem, addRemark, type Block, closeBlock, openBlock } from "./block.js";
import {
  arrayBufferLength,
  boxedValue,
  dataViewBuffer,
  dataViewLength,
  dataViewOffset,
  kindOf,
  ownData,
  sharedBufferLength,
  typedArrayLength,
} from "./brands.js";
import { forEachEntry, forEachMember } from "./collections.js";
import { errorHeader, isStandardErrorKey } from "./error-header.js";
import { instanceText } from "./instance-text.js";
import {
  arrayPrefix,
  collectionName,
  dateText,
  functionLabel,
  globalObject,
  globalText,
  instanceName,
  iteratorName,
  nameOr,
  plainPrefix,
  regExpText,
  summary,
  typedArrayHead,
} from "./labels.js";
import { bigintText, symbolText } from "./primitive-text.js";
import {
  MapSize,
  MathMin,
  NativeUint8Array,
  ObjectGetOwnPropertyDescriptor,
  ObjectHasOwn,
  ObjectIs,
  ReflectOwnKeys,
  SetSize,
  StringCharCodeAt,
} from "./primordials.js";
import { indentRest, oneLine, quote, quoteBounded } from "./quote.js";

/** Limits of one try, and what it found. */
export interface Walk {
  readonly items: number;
  readonly string: number;
  readonly depth: number;
  budget: number;
  /** The budget is used up: the text is worthless, stop. */
  over: boolean;
  /** The most items any list got. */
  widest: number;
  abbreviated: boolean;
  promises: number;
  /** Keys of the last object that had very many; kept from one try to the next, because listing them is slow. */
  readonly known: KnownKeys;
}

export interface KnownKeys {
  owner: object | null;
  keys: (string | symbol)[];
}

/** The objects around the one being shown, innermost first: what a cycle leads back to. */
interface Around {
  readonly value: object;
  /** How the outer object leads here: `.rows`, `[3]`; empty for the outermost. */
  readonly step: string;
  readonly parent: Around | null;
}

/** Arrays above this are not searched for extra properties: their keys alone would take megabytes. */
const MAX_SEARCHED_LENGTH = 2000;

const MANY_KEYS = 5000;

/** @param top The value is the whole answer. */
export function renderValue(
  value: unknown,
  walk: Walk,
  parent: Around | null,
  step: string,
  indent: number,
  top: boolean,
): string {
  if ((typeof value === "object" && value !== null) || typeof value === "function")
    return renderObject(value, walk, parent, step, indent, top);
  const text = renderPrimitive(value, walk);
  spend(walk, text.length);
  return text;
}

function spend(walk: Walk, chars: number): void {
  walk.budget -= chars;
  if (walk.budget < 0) walk.over = true;
}

function renderPrimitive(value: unknown, walk: Walk): string {
  switch (typeof value) {
    case "string":
      if (value.length > walk.string) walk.abbreviated = true;
      return quoteBounded(value, walk.string);
    case "number":
      return ObjectIs(value, -0) ? "-0" : `${value}`;
    case "bigint":
      return bigintText(value);
    case "symbol":
      return symbolText(value);
    default:
      return `${value as null | undefined | boolean}`;
  }
}

function renderObject(
  value: object,
  walk: Walk,
  parent: Around | null,
  step: string,
  indent: number,
  top: boolean,
): string {
  for (let outer = parent; outer !== null; outer = outer.parent)
    if (outer.value === value) return leaf(walk, circular(outer));
  if (value === globalObject) return leaf(walk, globalText());
  const around: Around = { value, step, parent };
  const deep = indent / 2 >= walk.depth;
  switch (kindOf(value)) {
    case "proxy":
      return leaf(walk, typeof value === "function" ? "[Proxy of a function]" : "[Proxy]");
    case "function":
      return withProperties(leaf(walk, functionLabel(value)), walk, around, indent, nothing);
    case "array":
      if (deep && (value as unknown[]).length > 0) return shortened(value, walk);
      return renderArray(value, (value as unknown[]).length, arrayPrefix(value), walk, around, indent);
    case "arguments":
      if (deep) return shortened(value, walk);
      return renderArray(value, ownData(value, "length") as number, "Arguments ", walk, around, indent);
    case "typed-array":
      return renderTypedArray(value as Uint8Array, typedArrayHead(value), walk, indent);
    case "array-buffer":
      return renderBytes(
        value,
        `ArrayBuffer(${arrayBufferLength(value)})`,
        walk,
        indent,
        0,
        arrayBufferLength(value),
      );
    case "shared-buffer":
      return renderBytes(
        value,
        `SharedArrayBuffer(${sharedBufferLength(value)})`,
        walk,
        indent,
        0,
        sharedBufferLength(value),
      );
    case "data-view":
      return renderDataView(value, walk, indent);
    case "map":
      return deep && MapSize(value) > 0 ? shortened(value, walk) : renderMap(value, walk, around, indent);
    case "set":
      return deep && SetSize(value) > 0 ? shortened(value, walk) : renderSet(value, walk, around, indent);
    case "error":
      return renderError(value, walk, around, indent, top, deep);
    case "date":
      return withProperties(leaf(walk, dateText(value)), walk, around, indent, nothing);
    case "regexp":
      return withProperties(leaf(walk, regExpText(value)), walk, around, indent, nothing);
    case "promise":
      walk.promises++;
      return leaf(walk, `[${nameOr(value, "Promise")}, not awaited]`);
    case "iterator":
      return leaf(walk, `[${iteratorName(value)}, not iterated]`);
    case "opaque":
      return leaf(walk, `[${nameOr(value, "WeakMap")}]`);
    case "boxed":
      return leaf(walk, renderBoxed(value, walk));
    case "module":
      return prefixed("[Module] ", value, walk, around, indent, deep);
    case "null-prototype":
      return prefixed("[Object: null prototype] ", value, walk, around, indent, deep);
    case "instance": {
      const text = instanceText(value);
      if (text !== undefined) return leaf(walk, `[${oneLine(text, MathMin(walk.string, 2000))}]`);
      return prefixed(`${instanceName(value)} `, value, walk, around, indent, deep);
    }
    default:
      return prefixed(plainPrefix(value), value, walk, around, indent, deep);
  }
}

function leaf(walk: Walk, text: string): string {
  spend(walk, text.length);
  return text;
}

function nothing(): boolean {
  return false;
}

function circular(outer: Around): string {
  let path = "";
  for (let at: Around | null = outer; at !== null; at = at.parent) path = at.step + path;
  return path === "" ? "[Circular]" : `[Circular: ${path.length > 60 ? "above" : path}]`;
}

/** What stands for a value where there is no room to look into it. */
function shortened(value: object, walk: Walk): string {
  walk.abbreviated = true;
  return leaf(walk, summary(value));
}

function renderBoxed(value: object, walk: Walk): string {
  const inner = boxedValue(value);
  const type = typeof inner;
  const name =
    type === "number"
      ? "Number"
      : type === "string"
        ? "String"
        : type === "boolean"
          ? "Boolean"
          : type === "bigint"
            ? "BigInt"
            : "Symbol";
  return `[${name}: ${renderPrimitive(inner, walk)}]`;
}

function renderError(
  value: object,
  walk: Walk,
  around: Around,
  indent: number,
  top: boolean,
  deep: boolean,
): string {
  const header = errorHeader(value);
  const block = openBlock(indent, false);
  if (!deep) {
    addHidden(block, value, "cause", walk, around, indent);
    addHidden(block, value, "errors", walk, around, indent);
    addProperties(
      block,
      value,
      walk,
      around,
      indent,
      (key) => isStandardErrorKey(key) || isHidden(value, key),
    );
  }
  const limit = top ? walk.items : MathMin(walk.string, 400);
  if (header.length > limit) walk.abbreviated = true;
  const plain = top ? indentRest(quoteless(header, limit)) : `[${oneLine(header, limit)}]`;
  const head = leaf(walk, plain);
  return block.count === 0 ? head : `${head} ${closeBlock(block, indent, "{", "}")}`;
}

function quoteless(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : oneLine(text, maxChars);
}

function isHidden(value: object, key: string): boolean {
  return (key === "cause" || key === "errors") && ObjectHasOwn(value, key);
}

/** `cause` and `errors` are not enumerable, yet they are what the reader needs. */
function addHidden(
  block: Block,
  value: object,
  key: string,
  walk: Walk,
  around: Around,
  indent: number,
): void {
  const descriptor = ObjectGetOwnPropertyDescriptor(value, key);
  if (descriptor === undefined) return;
  addItem(block, `${keyText(key)}: ${describedValue(descriptor, walk, around, `.${key}`, indent + 2)}`);
}

function prefixed(
  prefix: string,
  value: object,
  walk: Walk,
  around: Around,
  indent: number,
  deep: boolean,
): string {
  if (deep && ReflectOwnKeys(value).length > 0) return shortened(value, walk);
  return leaf(walk, prefix) + renderProperties(value, walk, around, indent, nothing);
}

/** A label, followed by the object's own enumerable properties when it has some. */
function withProperties(
  label: string,
  walk: Walk,
  around: Around,
  indent: number,
  skip: (key: string) => boolean,
): string {
  if (indent / 2 >= walk.depth) return label;
  const text = renderProperties(around.value, walk, around, indent, skip);
  return text === "{}" ? label : `${label} ${text}`;
}

/** Own enumerable properties as `{"a": 1}`. */
export function renderProperties(
  value: object,
  walk: Walk,
  around: Around | null,
  indent: number,
  skip: (key: string) => boolean,
): string {
  const block = openBlock(indent, false);
  addProperties(block, value, walk, around ?? { value, step: "", parent: null }, indent, skip);
  noteWidth(block, walk);
  return closeBlock(block, indent, "{", "}");
}

function ownKeys(value: object, { known }: Walk): (string | symbol)[] {
  if (known.owner === value) return known.keys;
  const keys = ReflectOwnKeys(value);
  if (keys.length > MANY_KEYS) {
    known.owner = value;
    known.keys = keys;
  }
  return keys;
}

function addProperties(
  block: Block,
  value: object,
  walk: Walk,
  around: Around,
  indent: number,
  skip: (key: string) => boolean,
  from = 0,
  keys = ownKeys(value, walk),
): void {
  for (let i = from; i < keys.length && !walk.over; i++) {
    const key = keys[i] as string | symbol;
    if (typeof key === "string" && skip(key)) continue;
    let text: string;
    try {
      const descriptor = ObjectGetOwnPropertyDescriptor(value, key);
      if (descriptor === undefined || descriptor.enumerable !== true) continue;
      if (block.count >= walk.items) {
        walk.abbreviated = true;
        addRemark(block, `... ${keys.length - i} more keys`);
        return;
      }
      text = describedValue(descriptor, walk, around, stepText(key), indent + 2);
    } catch (thrown) {
      // A binding of a module that is not initialised yet; anything else is ours to report above.
      if (kindOf(value) !== "module") throw thrown;
      text = "<not initialised>";
    }
    const label = keyText(key);
    spend(walk, label.length + 4);
    addItem(block, `${label}: ${text}`);
  }
}

function describedValue(
  descriptor: PropertyDescriptor,
  walk: Walk,
  around: Around,
  step: string,
  indent: number,
): string {
  if (ObjectHasOwn(descriptor, "value"))
    return renderValue(descriptor.value, walk, around, step, indent, false);
  if (descriptor.set === undefined) return leaf(walk, "[Getter]");
  return leaf(walk, descriptor.get === undefined ? "[Setter]" : "[Getter/Setter]");
}

function keyText(key: string | symbol): string {
  if (typeof key === "symbol") return `[${symbolText(key)}]`;
  // As a literal it would set the prototype of whatever the text is pasted into.
  if (key === "__proto__") return '["__proto__"]';
  return quote(key.length > 300 ? `${oneLine(key, 300)}` : key);
}

function stepText(key: string | symbol): string {
  return typeof key === "symbol" ? `[${symbolText(key)}]` : `.${oneLine(key, 40)}`;
}

function renderArray(
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

function addElements(
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
function indexOf(key: string | symbol | undefined): number {
  if (typeof key !== "string") return 1 / 0;
  const first = StringCharCodeAt(key, 0);
  return first >= 48 && first <= 57 ? +key : 1 / 0;
}

/** Properties of an array beside its elements. They follow `length` in the order of the keys. */
function addExtras(block: Block, value: object, walk: Walk, around: Around, indent: number): void {
  const keys = ReflectOwnKeys(value);
  let from = keys.length;
  while (from > 0 && indexOf(keys[from - 1]) === 1 / 0) from--;
  if (from < keys.length) addProperties(block, value, walk, around, indent, nothing, from, keys);
}

function noteWidth(block: Block, walk: Walk): void {
  if (block.count > walk.widest) walk.widest = block.count;
}

function renderTypedArray(value: Uint8Array, head: string, walk: Walk, indent: number): string {
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

function renderBytes(
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

function renderDataView(value: object, walk: Walk, indent: number): string {
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

function renderMap(value: object, walk: Walk, around: Around, indent: number): string {
  const size = MapSize(value);
  const block = openBlock(indent, false);
  forEachEntry(value, (key, item) => {
    if (walk.over) return false;
    if (block.count >= walk.items) {
      walk.abbreviated = true;
      addRemark(block, `... ${size - block.count} more entries`);
      return false;
    }
    const label = renderValue(key, walk, around, ".key", indent + 2, false);
    const step = typeof key === "string" ? `.get(${quoteBounded(key, 30)})` : ".get(...)";
    spend(walk, 6);
    addItem(block, `${label} => ${renderValue(item, walk, around, step, indent + 2, false)}`);
    return true;
  });
  addProperties(block, value, walk, around, indent, nothing);
  noteWidth(block, walk);
  return leaf(walk, collectionName(value, "Map", size)) + closeBlock(block, indent, "{", "}");
}

function renderSet(value: object, walk: Walk, around: Around, indent: number): string {
  const size = SetSize(value);
  const block = openBlock(indent, true);
  forEachMember(value, (item) => {
    if (walk.over) return false;
    if (block.count >= walk.items) {
      walk.abbreviated = true;
      addRemark(block, `... ${size - block.count} more members`);
      return false;
    }
    spend(walk, 2);
    addItem(block, renderValue(item, walk, around, ".member", indent + 2, false));
    return true;
  });
  addProperties(block, value, walk, around, indent, nothing);
  noteWidth(block, walk);
  return leaf(walk, collectionName(value, "Set", size)) + closeBlock(block, indent, "{", "}");
}
