/** `URLSearchParams`: the form-urlencoded list, kept in step with a `URL` when it belongs to one. */
import { typedArrayLength } from "../brands.js";
import {
  ArrayIsArray,
  ArrayJoin,
  ArrayPush,
  FunctionApply,
  NativeString,
  NativeTypeError,
  NativeUint8Array,
  ObjectGetOwnPropertyDescriptor,
  ReflectOwnKeys,
  StringIndexOf,
  StringSlice,
  StringSplit,
  SymbolIterator,
} from "../primordials.js";
import { defineBuiltin, defineClass, requireArguments } from "./define.js";
import {
  ArraySort,
  ArraySplice,
  FromUriComponent,
  StringReplaceAll,
  StringToWellFormed,
  ToUriComponent,
} from "./intrinsics.js";
import { showInstances } from "./shown.js";
import { decodeUtf8, encodeUtf8, newUtf8State, UnitBuffer } from "./utf8.js";

type Pair = [name: string, value: string];

const usv = (value: unknown) => StringToWellFormed(NativeString(value));

function formDecode(text: string): string {
  const spaced = StringReplaceAll(text, "+", " ");
  if (StringIndexOf(spaced, "%") < 0) return spaced;
  try {
    return FromUriComponent(spaced);
  } catch {
    return decodeBadEscapes(spaced);
  }
}

const hexValue = (code: number) =>
  code >= 48 && code <= 57
    ? code - 48
    : code >= 65 && code <= 70
      ? code - 55
      : code >= 97 && code <= 102
        ? code - 87
        : -1;

/** Broken escapes stay as they are, escapes that are not UTF-8 become U+FFFD. */
function decodeBadEscapes(text: string): string {
  const source = encodeUtf8(text);
  const sourceLength = typedArrayLength(source);
  const bytes = new NativeUint8Array(sourceLength);
  let length = 0;
  for (let i = 0; i < sourceLength; i++) {
    const high = source[i] === 37 ? hexValue(source[i + 1] ?? 0) : -1;
    const low = high < 0 ? -1 : hexValue(source[i + 2] ?? 0);
    bytes[length++] = low < 0 ? source[i]! : (high << 4) | low;
    if (low >= 0) i += 2;
  }
  const output = new UnitBuffer();
  decodeUtf8(bytes, length, newUtf8State(), true, output, () => output.push(0xfffd));
  return output.finish();
}

function formEncode(text: string): string {
  let encoded = ToUriComponent(text);
  encoded = StringReplaceAll(encoded, "%20", "+");
  encoded = StringReplaceAll(encoded, "!", "%21");
  encoded = StringReplaceAll(encoded, "'", "%27");
  encoded = StringReplaceAll(encoded, "(", "%28");
  encoded = StringReplaceAll(encoded, ")", "%29");
  return StringReplaceAll(encoded, "~", "%7E");
}

export function parseQuery(query: string): Pair[] {
  const pairs: Pair[] = [];
  const parts = StringSplit(query, "&");
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!;
    if (part === "") continue;
    const equals = StringIndexOf(part, "=");
    const name = equals < 0 ? part : StringSlice(part, 0, equals);
    ArrayPush(pairs, [formDecode(name), equals < 0 ? "" : formDecode(StringSlice(part, equals + 1))]);
  }
  return pairs;
}

function serialize(pairs: Pair[]): string {
  const parts: string[] = [];
  for (let i = 0; i < pairs.length; i++)
    ArrayPush(parts, `${formEncode(pairs[i]![0])}=${formEncode(pairs[i]![1])}`);
  return ArrayJoin(parts, "&");
}

function pairsFrom(init: unknown): Pair[] {
  if ((typeof init !== "object" && typeof init !== "function") || init === null) {
    const text = usv(init);
    return parseQuery(text[0] === "?" ? StringSlice(text, 1) : text);
  }
  const pairs: Pair[] = [];
  if (typeof (init as Iterable<unknown>)[SymbolIterator] === "function") {
    for (const item of init as Iterable<unknown>) {
      const pair: unknown[] = [];
      if (ArrayIsArray(item)) for (let i = 0; i < item.length; i++) ArrayPush(pair, item[i]);
      else if (typeof item === "object" && item !== null)
        for (const part of item as Iterable<unknown>) ArrayPush(pair, part);
      if (pair.length !== 2)
        throw new NativeTypeError("URLSearchParams: each item must be an iterable [name, value] pair");
      ArrayPush(pairs, [usv(pair[0]), usv(pair[1])]);
    }
    return pairs;
  }
  const keys = ReflectOwnKeys(init);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    if (!ObjectGetOwnPropertyDescriptor(init, key)?.enumerable) continue;
    if (typeof key === "symbol") throw new NativeTypeError("URLSearchParams: a name must not be a symbol");
    const name = usv(key);
    const value = usv((init as Record<string, unknown>)[key]);
    let at = 0;
    while (at < pairs.length && pairs[at]![0] !== name) at++;
    pairs[at] = [name, value];
  }
  return pairs;
}

let replacePairs: (params: GuestURLSearchParams, pairs: Pair[]) => void;
/** From then on every change of `params` goes to `update`. */
export let onChange: (params: GuestURLSearchParams, update: (query: string) => void) => void;
let makeIterator: (
  params: GuestURLSearchParams,
  kind: "entries" | "keys" | "values",
) => IterableIterator<unknown>;

function* pairIterator(next: () => unknown): Generator<unknown> {
  for (let item = next(); item !== undefined; item = next()) yield item;
}

export class GuestURLSearchParams {
  #pairs: Pair[];
  #update: ((query: string) => void) | undefined;

  constructor(init: unknown = "") {
    this.#pairs = pairsFrom(init);
  }

  static {
    replacePairs = (params, pairs) => {
      params.#pairs = pairs;
    };
    onChange = (params, update) => {
      params.#update = update;
    };
    makeIterator = (params, kind) => {
      let index = 0;
      return pairIterator(() => {
        const pair = params.#pairs[index++];
        if (pair === undefined) return undefined;
        return kind === "entries" ? [pair[0], pair[1]] : kind === "keys" ? pair[0] : pair[1];
      });
    };
  }

  #changed(): void {
    this.#update?.(serialize(this.#pairs));
  }

  get size(): number {
    return this.#pairs.length;
  }
  append(name: unknown, value: unknown): void {
    requireArguments("URLSearchParams.append", arguments.length, 2);
    ArrayPush(this.#pairs, [usv(name), usv(value)]);
    this.#changed();
  }
  delete(name: unknown, value?: unknown): void {
    requireArguments("URLSearchParams.delete", arguments.length, 1);
    const wanted = usv(name);
    const only = value === undefined ? undefined : usv(value);
    for (let i = this.#pairs.length - 1; i >= 0; i--) {
      const pair = this.#pairs[i]!;
      if (pair[0] === wanted && (only === undefined || pair[1] === only)) ArraySplice(this.#pairs, i, 1);
    }
    this.#changed();
  }
  get(name: unknown): string | null {
    requireArguments("URLSearchParams.get", arguments.length, 1);
    const wanted = usv(name);
    for (let i = 0; i < this.#pairs.length; i++) if (this.#pairs[i]![0] === wanted) return this.#pairs[i]![1];
    return null;
  }
  getAll(name: unknown): string[] {
    requireArguments("URLSearchParams.getAll", arguments.length, 1);
    const wanted = usv(name);
    const values: string[] = [];
    for (let i = 0; i < this.#pairs.length; i++)
      if (this.#pairs[i]![0] === wanted) ArrayPush(values, this.#pairs[i]![1]);
    return values;
  }
  has(name: unknown, value?: unknown): boolean {
    requireArguments("URLSearchParams.has", arguments.length, 1);
    const wanted = usv(name);
    const only = value === undefined ? undefined : usv(value);
    for (let i = 0; i < this.#pairs.length; i++) {
      const pair = this.#pairs[i]!;
      if (pair[0] === wanted && (only === undefined || pair[1] === only)) return true;
    }
    return false;
  }
  set(name: unknown, value: unknown): void {
    requireArguments("URLSearchParams.set", arguments.length, 2);
    const wanted = usv(name);
    const text = usv(value);
    let found = false;
    for (let i = 0; i < this.#pairs.length; i++) {
      if (this.#pairs[i]![0] !== wanted) continue;
      if (!found) this.#pairs[i]![1] = text;
      else ArraySplice(this.#pairs, i--, 1);
      found = true;
    }
    if (!found) ArrayPush(this.#pairs, [wanted, text]);
    this.#changed();
  }
  sort(): void {
    ArraySort(this.#pairs, (a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
    this.#changed();
  }
  forEach(callback: (value: string, name: string, params: unknown) => void, self?: unknown): void {
    if (typeof callback !== "function")
      throw new NativeTypeError("URLSearchParams.forEach: the argument must be a function");
    for (let i = 0; i < this.#pairs.length; i++)
      FunctionApply(callback, self, [this.#pairs[i]![1], this.#pairs[i]![0], this]);
  }
  entries(): IterableIterator<unknown> {
    return makeIterator(this, "entries");
  }
  keys(): IterableIterator<unknown> {
    return makeIterator(this, "keys");
  }
  values(): IterableIterator<unknown> {
    return makeIterator(this, "values");
  }
  toString(): string {
    return serialize(this.#pairs);
  }
}

/** Gives `params` the pairs of a URL's query, without the question mark. */
export function setQuery(params: GuestURLSearchParams, query: string): void {
  replacePairs(params, parseQuery(query));
}

export function installURLSearchParams(): void {
  defineClass(globalThis, "URLSearchParams", GuestURLSearchParams);
  showInstances(GuestURLSearchParams.prototype, "URLSearchParams", "toString");
  defineBuiltin(GuestURLSearchParams.prototype, SymbolIterator, GuestURLSearchParams.prototype.entries);
}
