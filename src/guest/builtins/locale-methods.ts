/** The `toLocale...` methods of the language, with the locales and options that the engine ignores. */
import { dateTime, typedArrayLength } from "../brands.js";
import { defineConstant } from "../define-data.js";
import {
  ArrayJoin,
  ArrayPush,
  NativeBigInt,
  NativeDate,
  NativeNumber,
  NativeString,
  NativeTypeError,
  NumberIsNaN,
  ReflectApply,
} from "../primordials.js";
import { compareEnglish, englishMode, isPlainEnglish, STANDARD } from "./collation.js";
import { defineMethods } from "./define.js";
import { ask, describeFormatter, numeric } from "./intl-request.js";
import {
  NativeObject,
  PrimitiveOf,
  StringToLowerCase,
  StringToUpperCase,
  typedArrayPrototype,
} from "./intrinsics.js";

const plain: Record<"NumberFormat" | "Collator", string> = {
  NumberFormat: describeFormatter("NumberFormat"),
  Collator: describeFormatter("Collator"),
};
const describeOr = (type: "NumberFormat" | "Collator", locales: unknown, options: unknown) =>
  locales === undefined && options === undefined ? plain[type] : describeFormatter(type, locales, options);

const numberMethods = {
  toLocaleString(this: unknown, locales?: unknown, options?: unknown): unknown {
    const value = (PrimitiveOf.Number as (self: unknown) => number)(this);
    return ask(describeOr("NumberFormat", locales, options), "format", [numeric(value)]);
  },
};

const bigintMethods = {
  toLocaleString(this: unknown, locales?: unknown, options?: unknown): unknown {
    const value = (PrimitiveOf.BigInt as (self: unknown) => bigint)(this);
    return ask(describeOr("NumberFormat", locales, options), "format", [numeric(value)]);
  },
};

function formatDate(date: unknown, method: string, locales: unknown, options: unknown): unknown {
  const time = dateTime(date as Date);
  const description = describeFormatter("Date", locales, options);
  return NumberIsNaN(time) ? "Invalid Date" : ask(description, method, [numeric(time)]);
}

const dateMethods = {
  toLocaleString(this: unknown, locales?: unknown, options?: unknown): unknown {
    return formatDate(this, "toLocaleString", locales, options);
  },
  toLocaleDateString(this: unknown, locales?: unknown, options?: unknown): unknown {
    return formatDate(this, "toLocaleDateString", locales, options);
  },
  toLocaleTimeString(this: unknown, locales?: unknown, options?: unknown): unknown {
    return formatDate(this, "toLocaleTimeString", locales, options);
  },
};

function thisText(self: unknown, method: string): string {
  if (self === undefined || self === null)
    throw new NativeTypeError(`String.prototype.${method} called on null or undefined`);
  return NativeString(self);
}

const stringMethods = {
  localeCompare(this: unknown, that: unknown, locales?: unknown, options?: unknown): number {
    const text = typeof this === "string" ? this : thisText(this, "localeCompare");
    const other = typeof that === "string" ? that : NativeString(that);
    const mode = locales === undefined && options === undefined ? STANDARD : englishMode(locales, options);
    const known = mode === undefined ? undefined : compareEnglish(text, other, mode);
    return known ?? (ask(describeOr("Collator", locales, options), "compare", [text, other]) as number);
  },
  toLocaleUpperCase(this: unknown, locales?: unknown): unknown {
    const text = thisText(this, "toLocaleUpperCase");
    if (isPlainEnglish(locales)) return StringToUpperCase(text);
    return ask(describeFormatter("String", locales), "toLocaleUpperCase", [text]);
  },
  toLocaleLowerCase(this: unknown, locales?: unknown): unknown {
    const text = thisText(this, "toLocaleLowerCase");
    if (isPlainEnglish(locales)) return StringToLowerCase(text);
    return ask(describeFormatter("String", locales), "toLocaleLowerCase", [text]);
  },
};

interface Localizable {
  toLocaleString(locales?: unknown, options?: unknown): unknown;
}

function joinLocalized(list: ArrayLike<unknown>, length: number, locales: unknown, options: unknown): string {
  const parts: string[] = [];
  for (let i = 0; i < length; i++) {
    const item = list[i];
    if (item === undefined || item === null) ArrayPush(parts, "");
    else
      ArrayPush(
        parts,
        NativeString(ReflectApply((item as Localizable).toLocaleString, item, [locales, options])),
      );
  }
  return ArrayJoin(parts, ",");
}

const arrayMethods = {
  toLocaleString(this: unknown, locales?: unknown, options?: unknown): string {
    const list = NativeObject(this) as ArrayLike<unknown>;
    return joinLocalized(list, NativeNumber(list.length), locales, options);
  },
};

const typedArrayMethods = {
  toLocaleString(this: unknown, locales?: unknown, options?: unknown): string {
    return joinLocalized(this as ArrayLike<unknown>, typedArrayLength(this), locales, options);
  },
};

export function installLocaleMethods(): void {
  const owners: [object, object][] = [
    [NativeNumber.prototype, numberMethods],
    [NativeBigInt.prototype, bigintMethods],
    [NativeDate.prototype, dateMethods],
    [NativeString.prototype, stringMethods],
    [Array.prototype, arrayMethods],
    [typedArrayPrototype, typedArrayMethods],
  ];
  for (let i = 0; i < owners.length; i++) defineMethods(owners[i]![0], owners[i]![1]);
  defineConstant(stringMethods.localeCompare, "length", 1);
  defineConstant(stringMethods.toLocaleUpperCase, "length", 0);
}
