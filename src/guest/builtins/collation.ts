/**
 * Comparison in English without asking the host, for what is common and exactly known: two strings of printable
 * ASCII. Sorting 10 000 names takes 0.4 s with these keys and 2 s through the host (7 us a crossing and more).
 *
 * The order is that of CLDR's root collation, which English uses unchanged: punctuation, symbols, digits, then
 * letters regardless of case; where all that is equal the first difference in case decides, lower case first. ASCII
 * has no accents and no contractions. Tests compare it with the host's collator on random strings.
 */
import {
  FunctionApply,
  MapClear,
  MapGet,
  MapSet,
  MapSize,
  NativeMap,
  NativeUint8Array,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetPrototypeOf,
  ObjectPrototype,
  ReflectOwnKeys,
  StringCharCodeAt,
  StringFromCharCode,
} from "../primordials.js";
import { isProxy } from "../proxies.js";
import { asArguments, NativeUint16Array, RegExpExec } from "./intrinsics.js";
import { afterThis } from "./microtask.js";

/** What differs between collators that this file knows: two bits. */
export type EnglishMode = number;
export const STANDARD: EnglishMode = 0;
const NUMERIC = 1;
const BASE_LETTERS = 2;

const order = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789";
const primaries = new NativeUint8Array(128);
for (let i = 0; i < order.length; i++) primaries[StringCharCodeAt(order, i)] = 2 + i;
for (let i = 0; i < 26; i++) primaries[65 + i] = primaries[97 + i] = 2 + order.length + i;

const notPrintable = /[^ -~]/;
const CASES_FOLLOW = 1;
const ZERO = 48;
const MAX_LENGTH = 200;
/** Room for the longest key: two units for each letter (a number has two more than digits), a mark, cases. */
const units = new NativeUint16Array(4 * MAX_LENGTH);
const cases = new NativeUint16Array(MAX_LENGTH);

const isDigit = (code: number) => code >= ZERO && code < ZERO + 10;

/** Text whose plain order is the order of collation; `undefined` where only the host knows. */
function sortKey(text: string, mode: EnglishMode): string | undefined {
  if (RegExpExec(notPrintable, text) !== null) return undefined;
  const length = text.length;
  let size = 0;
  let elements = 0;
  for (let i = 0; i < length; i++) {
    const code = StringCharCodeAt(text, i);
    cases[elements++] = code >= 65 && code <= 90 ? 2 : 1;
    if ((mode & NUMERIC) === 0 || !isDigit(code)) {
      units[size++] = primaries[code]!;
      continue;
    }
    // A number is one element: in the place of the digits, then by its length without leading zeros, then by digits.
    let start = i;
    while (i + 1 < length && isDigit(StringCharCodeAt(text, i + 1))) i++;
    while (start < i && StringCharCodeAt(text, start) === ZERO) start++;
    units[size++] = primaries[ZERO]!;
    units[size++] = i - start + 1;
    for (let at = start; at <= i; at++) units[size++] = StringCharCodeAt(text, at);
  }
  if ((mode & BASE_LETTERS) === 0) {
    units[size++] = CASES_FOLLOW;
    for (let i = 0; i < elements; i++) units[size++] = cases[i]!;
  }
  return FunctionApply(
    StringFromCharCode,
    undefined,
    asArguments(units, size) as unknown as number[],
  ) as string;
}

const UNKNOWN = "\uffff";
const MAX_KEYS = 20_000;
type Keys = Map<string, string>;
const keysOfModes: Keys[] = [new NativeMap(), new NativeMap(), new NativeMap(), new NativeMap()];

/** Keys live until the running code returns: long enough for one sort, and never part of a snapshot. */
function keyOf(text: string, mode: EnglishMode): string {
  const keys = keysOfModes[mode]!;
  const known = MapGet(keys, text);
  if (known !== undefined) return known;
  const key = sortKey(text, mode) ?? UNKNOWN;
  const forget = () => MapClear(keys as Map<unknown, unknown>);
  if (MapSize(keys) === 0) afterThis(forget);
  else if (MapSize(keys) >= MAX_KEYS) forget();
  MapSet(keys, text, key);
  return key;
}

/** `undefined` where the host has to be asked. */
export function compareEnglish(a: string, b: string, mode: EnglishMode): number | undefined {
  if (a === b) return 0;
  if (a.length > MAX_LENGTH || b.length > MAX_LENGTH) return undefined;
  const keyA = keyOf(a, mode);
  const keyB = keyOf(b, mode);
  if (keyA === UNKNOWN || keyB === UNKNOWN) return undefined;
  return keyA === keyB ? 0 : keyA < keyB ? -1 : 1;
}

/** The mode for the arguments of a collator, or `undefined` where only the host knows what they mean. */
export function englishMode(locales: unknown, options: unknown): EnglishMode | undefined {
  if (!isPlainEnglish(locales)) return undefined;
  if (options === undefined) return STANDARD;
  if (typeof options !== "object" || options === null || isProxy(options)) return undefined;
  if (ObjectGetPrototypeOf(options) !== ObjectPrototype) return undefined;
  let mode = STANDARD;
  const names = ReflectOwnKeys(options);
  for (let i = 0; i < names.length; i++) {
    const value: unknown = ObjectGetOwnPropertyDescriptor(options, names[i]!)!.value;
    if (names[i] === "numeric" && typeof value === "boolean") mode |= value ? NUMERIC : 0;
    else if (names[i] === "sensitivity" && (value === "base" || value === "accent")) mode |= BASE_LETTERS;
    else if (names[i] !== "sensitivity" || value !== "variant") return undefined;
  }
  return mode;
}

/** Locales whose collation and letters are the root's. */
export function isPlainEnglish(locales: unknown): boolean {
  return locales === undefined || locales === "en-US" || locales === "en" || locales === "en-GB";
}
