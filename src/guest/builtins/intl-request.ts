/** How the guest describes a formatter to the host and asks it. */
import { dateTime } from "../brands.js";
import { askHost } from "../host.js";
import {
  ArrayIsArray,
  ArrayPush,
  JSONParse,
  JSONStringify,
  NativeNumber,
  NativeString,
  NativeTypeError,
  ObjectCreate,
  ObjectIs,
  StringSplit,
} from "../primordials.js";
import { now } from "./clock.js";
import { NativeObject } from "./intrinsics.js";

const names = (text: string) => StringSplit(text, " ");
const numberOptions =
  "localeMatcher numberingSystem style currency currencyDisplay currencySign unit unitDisplay notation compactDisplay useGrouping signDisplay minimumIntegerDigits minimumFractionDigits maximumFractionDigits minimumSignificantDigits maximumSignificantDigits roundingIncrement roundingMode roundingPriority trailingZeroDisplay";

/** The options that each formatter reads. Nothing else is looked at, so no getter runs that would not have. */
const optionNames: Record<string, string[]> = ObjectCreate(null);
optionNames["NumberFormat"] = names(numberOptions);
optionNames["PluralRules"] = names(`type ${numberOptions}`);
optionNames["Date"] = optionNames["DateTimeFormat"] = names(
  "localeMatcher calendar numberingSystem hour12 hourCycle timeZone weekday era year month day dayPeriod hour minute second fractionalSecondDigits timeZoneName formatMatcher dateStyle timeStyle",
);
optionNames["Collator"] = names(
  "localeMatcher usage sensitivity ignorePunctuation numeric caseFirst collation",
);
optionNames["RelativeTimeFormat"] = names("localeMatcher numberingSystem numeric style");
optionNames["ListFormat"] = names("localeMatcher type style");
optionNames["Segmenter"] = names("localeMatcher granularity");
optionNames["DisplayNames"] = names("localeMatcher type style fallback languageDisplay");
optionNames["Locale"] = names(
  "language script region variants calendar collation firstDayOfWeek hourCycle caseFirst numeric numberingSystem",
);
optionNames["Intl"] = names("localeMatcher");
optionNames["String"] = [];

export let isLocale: (value: object) => boolean = () => false;
export function setLocaleCheck(check: (value: object) => boolean): void {
  isLocale = check;
}

export function localeList(locales: unknown): string[] {
  if (locales === undefined) return [];
  if (locales === null) throw new NativeTypeError("Cannot convert undefined or null to object");
  if (typeof locales === "string") return [locales];
  const source = NativeObject(locales) as ArrayLike<unknown>;
  if (isLocale(source)) return [NativeString(source)];
  const list: string[] = [];
  const length = source.length;
  for (let i = 0; i < length; i++) {
    const item = source[i];
    if (item === undefined && !(i in source)) continue;
    if (typeof item !== "string" && (typeof item !== "object" || item === null))
      throw new NativeTypeError("Incorrect locale information provided");
    ArrayPush(list, NativeString(item));
  }
  return list;
}

function pickOptions(type: string, options: unknown): Record<string, unknown> {
  const picked: Record<string, unknown> = ObjectCreate(null);
  if (options === undefined) return picked;
  if (options === null) throw new NativeTypeError("Cannot convert undefined or null to object");
  const source = NativeObject(options) as Record<string, unknown>;
  const list = optionNames[type]!;
  for (let i = 0; i < list.length; i++) {
    const value = source[list[i]!];
    if (value === undefined) continue;
    picked[list[i]!] = typeof value === "number" || typeof value === "boolean" ? value : NativeString(value);
  }
  return picked;
}

/** The first line of a request: the formatter, as the host's key of it. */
export function describeFormatter(type: string, locales?: unknown, options?: unknown): string {
  return JSONStringify([type, localeList(locales), pickOptions(type, options)]);
}

/** Creates the formatter on the host, which throws what is wrong with it. */
export function create(description: string): string {
  askHost("intl", `${description}\n\n`);
  return description;
}

export function ask(description: string, method: string, args: unknown[]): unknown {
  return JSONParse(askHost("intl", `${description}\n${method}\n${JSONStringify(args)}`));
}

/** A number, BigInt or decimal string as it crosses. */
export function numeric(value: unknown): unknown {
  if (typeof value === "bigint") return { b: `${value}` };
  if (typeof value === "string") return value;
  const number = NativeNumber(value);
  return { n: ObjectIs(number, -0) ? "-0" : `${number}` };
}

export function time(value: unknown): unknown {
  return numeric(value === undefined ? now() : dateValue(value));
}

function dateValue(value: unknown): number {
  try {
    return dateTime(value as Date);
  } catch {
    return NativeNumber(value);
  }
}

export function textList(list: unknown): string[] {
  const texts: string[] = [];
  if (list === undefined) return texts;
  const add = (item: unknown) => {
    if (typeof item !== "string") throw new NativeTypeError("Iterable yielded a non-String value");
    ArrayPush(texts, item);
  };
  if (ArrayIsArray(list)) for (let i = 0; i < list.length; i++) add(list[i]);
  else for (const item of list as Iterable<unknown>) add(item);
  return texts;
}
