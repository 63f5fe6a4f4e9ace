/** One value as text within the limits of one try: which kind it is, and how that kind reads. */

import { addItem, type Block, closeBlock, openBlock } from "./block.js";
import { arrayBufferLength, boxedValue, kindOf, ownData, sharedBufferLength } from "./brands.js";
import { errorHeader, isStandardErrorKey } from "./error-header.js";
import { instanceText } from "./instance-text.js";
import {
  arrayPrefix,
  dateText,
  functionLabel,
  globalObject,
  globalText,
  instanceName,
  iteratorName,
  nameOr,
  plainPrefix,
  regExpText,
  typedArrayHead,
} from "./labels.js";
import {
  MapSize,
  MathMin,
  ObjectGetOwnPropertyDescriptor,
  ObjectHasOwn,
  ReflectOwnKeys,
  SetSize,
} from "./primordials.js";
import { indentRest, oneLine } from "./quote.js";
import { renderMap, renderSet } from "./render-collection.js";
import { renderArray, renderBytes, renderDataView, renderTypedArray } from "./render-list.js";
import { addProperties, describedValue, keyText, nothing, renderProperties } from "./render-properties.js";
import { type Around, circular, leaf, renderPrimitive, shortened, spend, type Walk } from "./walk.js";

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
