/**
 * Limits for built-ins that run without a chance to be interrupted.
 *
 * Measured in this engine with 64 MiB of memory (ms, one core of a small machine). Memory bounds most of them, so
 * only those are guarded that it does not bound, or that would end as "out of memory" for a plain typing error:
 *
 *     "x".repeat(5e8), "x".padEnd(5e8)                out of memory at once; 0.7 s per 1e8 with more memory   guarded
 *     new Array(5e7) + "", .join()                    1400   28 ns a hole, up to 4.29e9 of them             guarded
 *     Array(1e8).indexOf, includes, lastIndexOf       2600   25-33 ns a hole                                guarded
 *     Array(1e8).reverse, slice, splice, copyWithin   2500   25-50 ns a hole                                guarded
 *     "a".repeat(1e6).indexOf("a".repeat(5e5) + "b")  284000 length times length                            searched here instead
 *     the same as split, replace or lastIndexOf       284000 length times length, 0.6 ns each              guarded
 *     Array(1e7).fill(0), Array.from({length: 1e9})   50-150 out of memory                                  not needed
 *     "a".repeat(2e7).split("")                       190    out of memory                                  not needed
 *     "ab".repeat(1e7).replaceAll("a", "bb")          540    out of memory                                  not needed
 *     JSON.stringify(Array(3e6).fill({a: 1}))         50     out of memory; 280 with an indent of 10        not needed
 *     new Uint8Array(5e7).join("")                    430    out of memory                                  not needed
 *     7n ** 300000n, 1n << 1000000n                   210    the engine refuses more than a million bits    not needed
 *     (7n ** 300000n).toString()                      2000   at most 2600, at the engine's limit            not guarded: `${big}` does the same
 *     Array(1e8).forEach, map, filter, reduce         3000   30-40 ns a hole                                not guarded, see below
 *
 * The methods that take a callback stay the engine's own: a wrapper costs depth of recursion and 0.3 us a call in
 * code that is everywhere, to catch arrays of holes that nobody makes by mistake. `shift`, `push`, `pop` likewise.
 */
import { defineConstant } from "../define-data.js";
import {
  ArrayIsArray,
  NativeNumber,
  NativeRangeError,
  ObjectGetOwnPropertyDescriptor,
  ReflectApply,
  StringIndexOf,
  StringSlice,
  uncurry,
} from "../primordials.js";
import { defineBuiltin } from "./define.js";
import { MathTrunc } from "./intrinsics.js";

/** UTF-16 code units that one call may make. */
export const MAX_TEXT = 100_000_000;
/** More than four times the elements that fit into 64 MiB. */
export const MAX_LENGTH = 20_000_000;

type Native = (this: unknown, ...args: unknown[]) => unknown;
type Uncurried = (self: unknown, ...args: unknown[]) => unknown;

function replace(owner: object, name: string, make: (native: Native) => Native): void {
  const native = ObjectGetOwnPropertyDescriptor(owner, name)!.value as Native;
  const guarded = make(native);
  defineConstant(guarded, "name", name);
  defineConstant(guarded, "length", native.length);
  defineBuiltin(owner, name, guarded);
}

const tooLong = (what: string, length: number, limit: number) =>
  new NativeRangeError(`${what}: a length of ${length} is over the limit of ${limit}`);

/**
 * Parameters instead of `arguments`, wherever a missing one means the same as `undefined`: three times as fast, for
 * methods that programs call in loops.
 */
function guardRepeat(native: Native): Native {
  const repeat = uncurry(native) as Uncurried;
  return {
    method(this: unknown, count: unknown) {
      if (
        typeof this === "string" &&
        typeof count === "number" &&
        count < Infinity &&
        this.length * count > MAX_TEXT
      )
        throw tooLong("String.prototype.repeat", this.length * MathTrunc(count), MAX_TEXT);
      return repeat(this, count);
    },
  }.method;
}

function guardPad(native: Native, name: string): Native {
  const pad = uncurry(native) as Uncurried;
  return {
    method(this: unknown, length: unknown, fill: unknown) {
      if (typeof length === "number" && length > MAX_TEXT)
        throw tooLong(`String.prototype.${name}`, MathTrunc(length), MAX_TEXT);
      return pad(this, length, fill);
    },
  }.method;
}

/** Only true arrays: something that is merely like an array may have a `length` that runs code. */
function guardArray(native: Native, name: string): Native {
  const call = uncurry(native) as Uncurried;
  return {
    method(this: unknown, first: unknown, second: unknown, third: unknown) {
      if (ArrayIsArray(this) && this.length > MAX_LENGTH)
        throw tooLong(`Array.prototype.${name}`, this.length, MAX_LENGTH);
      return call(this, first, second, third);
    },
  }.method;
}

/** For methods that ask how many arguments there are. */
function guardCountedArray(native: Native, name: string): Native {
  return {
    method(this: unknown) {
      if (ArrayIsArray(this) && this.length > MAX_LENGTH)
        throw tooLong(`Array.prototype.${name}`, this.length, MAX_LENGTH);
      return ReflectApply(native, this, arguments as unknown as unknown[]);
    },
  }.method;
}

const arrayMethods = ["join", "indexOf", "includes", "reverse", "slice", "copyWithin"];
const countedArrayMethods = ["lastIndexOf", "splice"];

/** A search compares the two strings at each place: their lengths multiply. Above this it is done in steps. */
const LONG_NEEDLE = 1000;
const LONG_SEARCH = 1e8;
const PREFIX = 64;

/** Finds `needle` by a short prefix, then compares; a step can be interrupted, and each is fast. */
function findInSteps(text: string, needle: string, from: number): number {
  const prefix = StringSlice(needle, 0, PREFIX);
  for (let at = StringIndexOf(text, prefix, from); at >= 0; at = StringIndexOf(text, prefix, at + 1)) {
    if (StringSlice(text, at, at + needle.length) === needle) return at;
  }
  return -1;
}

function guardSearch(native: Native, answer: (index: number) => unknown): Native {
  const search = uncurry(native) as Uncurried;
  return {
    method(this: unknown, needle: unknown, from: unknown) {
      if (
        typeof this === "string" &&
        typeof needle === "string" &&
        needle.length > LONG_NEEDLE &&
        needle.length * this.length > LONG_SEARCH
      )
        return answer(findInSteps(this, needle, MathTrunc(NativeNumber(from)) || 0));
      return search(this, needle, from);
    },
  }.method;
}

/** At most about three seconds, when every place matches all but the end. */
const MAX_SEARCH = 5e9;

/** What cannot be done in steps without doing it all anew is refused. */
function guardLongSearch(native: Native, name: string): Native {
  const search = uncurry(native) as Uncurried;
  return {
    method(this: unknown, needle: unknown, second: unknown) {
      if (typeof this === "string" && typeof needle === "string" && needle.length * this.length > MAX_SEARCH)
        throw new NativeRangeError(
          `String.prototype.${name}: looking for ${needle.length} characters in ${this.length} may take too long. Use indexOf.`,
        );
      return search(this, needle, second);
    },
  }.method;
}

const searches = ["split", "replace", "replaceAll", "lastIndexOf"];

export function installSizeGuards(): void {
  replace(String.prototype, "repeat", guardRepeat);
  replace(String.prototype, "padStart", (native) => guardPad(native, "padStart"));
  replace(String.prototype, "padEnd", (native) => guardPad(native, "padEnd"));
  replace(String.prototype, "indexOf", (native) => guardSearch(native, (index) => index));
  replace(String.prototype, "includes", (native) => guardSearch(native, (index) => index >= 0));
  for (let i = 0; i < searches.length; i++)
    replace(String.prototype, searches[i]!, (native) => guardLongSearch(native, searches[i]!));
  for (let i = 0; i < arrayMethods.length; i++)
    replace(Array.prototype, arrayMethods[i]!, (native) => guardArray(native, arrayMethods[i]!));
  for (let i = 0; i < countedArrayMethods.length; i++)
    replace(Array.prototype, countedArrayMethods[i]!, (native) =>
      guardCountedArray(native, countedArrayMethods[i]!),
    );
}
