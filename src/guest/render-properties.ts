/** Own enumerable properties, accessors unread. */
import { addItem, addRemark, type Block, closeBlock, openBlock } from "./block.js";
import { kindOf } from "./brands.js";
import { isBinding } from "./live-bindings.js";
import { symbolText } from "./primitive-text.js";
import { ObjectGetOwnPropertyDescriptor, ObjectHasOwn, ReflectOwnKeys } from "./primordials.js";
import { oneLine, quote } from "./quote.js";
import { type Around, leaf, noteWidth, spend, type Walk } from "./walk.js";

const MANY_KEYS = 5000;

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

export function ownKeys(value: object, { known }: Walk): (string | symbol)[] {
  if (known.owner === value) return known.keys;
  const keys = ReflectOwnKeys(value);
  if (keys.length > MANY_KEYS) {
    known.owner = value;
    known.keys = keys;
  }
  return keys;
}

export function addProperties(
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

export function describedValue(
  descriptor: PropertyDescriptor,
  walk: Walk,
  around: Around,
  step: string,
  indent: number,
): string {
  if (ObjectHasOwn(descriptor, "value")) return walk.inner(descriptor.value, walk, around, step, indent);
  if (isBinding(descriptor.get)) return walk.inner(descriptor.get(), walk, around, step, indent);
  if (descriptor.set === undefined) return leaf(walk, "[Getter]");
  return leaf(walk, descriptor.get === undefined ? "[Setter]" : "[Getter/Setter]");
}

export function keyText(key: string | symbol): string {
  if (typeof key === "symbol") return `[${symbolText(key)}]`;
  // As a literal it would set the prototype of whatever the text is pasted into.
  if (key === "__proto__") return '["__proto__"]';
  return quote(key.length > 300 ? `${oneLine(key, 300)}` : key);
}

export function stepText(key: string | symbol): string {
  return typeof key === "symbol" ? `[${symbolText(key)}]` : `.${oneLine(key, 40)}`;
}

export function nothing(): boolean {
  return false;
}
