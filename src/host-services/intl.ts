/**
 * The host's half of the guest's `Intl`. A request is three lines: the formatter as JSON of
 * `[type, locales, options]`, the name of a method, and JSON of its arguments. The answer is JSON.
 *
 * The host's own locale and time zone never show: what the guest leaves open is `en-US` and `UTC`, and a language
 * this host does not know falls back to `en-US` as well.
 */
import { fail, succeed } from "./answer.js";

type Arguments = readonly unknown[];
type Options = Record<string, unknown>;
/** A formatter with its methods as plain functions of decoded arguments. */
type Methods = ReadonlyMap<string, (args: Arguments) => unknown>;
type Create = (locales: string[], options: Options) => Methods;

const DEFAULT_LOCALE = "en-US";
const withDefault = (locales: readonly string[]) => [...locales, DEFAULT_LOCALE];
const inUtc = (options: Options): Options => ({ timeZone: "UTC", ...options });

/** Numbers arrive as `{ n: text }`, so that `NaN`, `-0` and infinities survive, BigInts as `{ b: text }`. */
function toNumeric(value: unknown): number | bigint {
  const { n, b } = (typeof value === "object" && value !== null ? value : {}) as { n?: unknown; b?: unknown };
  if (typeof n === "string") return Number(n);
  if (typeof b === "string") return BigInt(b);
  // A decimal string keeps all its digits; the types do not know that yet.
  if (typeof value === "string") return value as unknown as number;
  throw new TypeError("a number was expected");
}

function toPlainNumber(value: unknown): number {
  return Number(toNumeric(value));
}

function toText(value: unknown): string {
  if (typeof value !== "string") throw new TypeError("a string was expected");
  return value;
}

function toTexts(value: unknown): string[] {
  if (!Array.isArray(value)) throw new TypeError("a list of strings was expected");
  return value.map(toText);
}

const numberFormat: Create = (locales, options) => {
  const format = new Intl.NumberFormat(withDefault(locales), options);
  return new Map<string, (args: Arguments) => unknown>([
    ["format", ([value]) => format.format(toNumeric(value))],
    ["formatToParts", ([value]) => format.formatToParts(toNumeric(value))],
    ["formatRange", ([start, end]) => format.formatRange(toNumeric(start), toNumeric(end))],
    ["formatRangeToParts", ([start, end]) => format.formatRangeToParts(toNumeric(start), toNumeric(end))],
    ["resolvedOptions", () => format.resolvedOptions()],
  ]);
};

const dateTimeFormat: Create = (locales, options) => {
  const format = new Intl.DateTimeFormat(withDefault(locales), inUtc(options));
  return new Map<string, (args: Arguments) => unknown>([
    ["format", ([time]) => format.format(toPlainNumber(time))],
    ["formatToParts", ([time]) => format.formatToParts(toPlainNumber(time))],
    ["formatRange", ([start, end]) => format.formatRange(toPlainNumber(start), toPlainNumber(end))],
    [
      "formatRangeToParts",
      ([start, end]) => format.formatRangeToParts(toPlainNumber(start), toPlainNumber(end)),
    ],
    ["resolvedOptions", () => format.resolvedOptions()],
  ]);
};

const collator: Create = (locales, options) => {
  const format = new Intl.Collator(withDefault(locales), options);
  return new Map<string, (args: Arguments) => unknown>([
    ["compare", ([a, b]) => format.compare(toText(a), toText(b))],
    ["resolvedOptions", () => format.resolvedOptions()],
  ]);
};

const pluralRules: Create = (locales, options) => {
  const rules = new Intl.PluralRules(withDefault(locales), options);
  const { selectRange } = rules as { selectRange?: (start: number, end: number) => string };
  return new Map<string, (args: Arguments) => unknown>([
    ["select", ([value]) => rules.select(toPlainNumber(value))],
    ["selectRange", ([start, end]) => selectRange?.call(rules, toPlainNumber(start), toPlainNumber(end))],
    ["resolvedOptions", () => rules.resolvedOptions()],
  ]);
};

const relativeTimeFormat: Create = (locales, options) => {
  const format = new Intl.RelativeTimeFormat(withDefault(locales), options);
  const unitOf = (unit: unknown) => toText(unit) as Intl.RelativeTimeFormatUnit;
  return new Map<string, (args: Arguments) => unknown>([
    ["format", ([value, unit]) => format.format(toPlainNumber(value), unitOf(unit))],
    ["formatToParts", ([value, unit]) => format.formatToParts(toPlainNumber(value), unitOf(unit))],
    ["resolvedOptions", () => format.resolvedOptions()],
  ]);
};

const listFormat: Create = (locales, options) => {
  const format = new Intl.ListFormat(withDefault(locales), options);
  return new Map<string, (args: Arguments) => unknown>([
    ["format", ([list]) => format.format(toTexts(list))],
    ["formatToParts", ([list]) => format.formatToParts(toTexts(list))],
    ["resolvedOptions", () => format.resolvedOptions()],
  ]);
};

const segmenter: Create = (locales, options) => {
  const format = new Intl.Segmenter(withDefault(locales), options);
  return new Map<string, (args: Arguments) => unknown>([
    [
      "segment",
      ([text]) =>
        Array.from(format.segment(toText(text)), ({ index, isWordLike }) =>
          isWordLike === undefined ? index : [index, isWordLike],
        ),
    ],
    ["resolvedOptions", () => format.resolvedOptions()],
  ]);
};

const displayNames: Create = (locales, options) => {
  const names = new Intl.DisplayNames(withDefault(locales), options as unknown as Intl.DisplayNamesOptions);
  return new Map<string, (args: Arguments) => unknown>([
    ["of", ([code]) => names.of(toText(code))],
    ["resolvedOptions", () => names.resolvedOptions()],
  ]);
};

const localeFields = [
  "baseName",
  "calendar",
  "caseFirst",
  "collation",
  "hourCycle",
  "language",
  "numberingSystem",
  "numeric",
  "region",
  "script",
] as const;

const locale: Create = ([tag], options) => {
  const value = new Intl.Locale(tag ?? "", options);
  return new Map<string, (args: Arguments) => unknown>([
    ["fields", () => Object.fromEntries(localeFields.map((field) => [field, value[field]]))],
    ["toString", () => value.toString()],
    ["maximize", () => value.maximize().toString()],
    ["minimize", () => value.minimize().toString()],
  ]);
};

/** The `toLocale...` methods; nothing of them is worth keeping but what the host keeps itself. */
const dateMethods: Create = (locales, options) => {
  const list = withDefault(locales);
  return new Map<string, (args: Arguments) => unknown>([
    ["toLocaleString", ([time]) => new Date(toPlainNumber(time)).toLocaleString(list, inUtc(options))],
    [
      "toLocaleDateString",
      ([time]) => new Date(toPlainNumber(time)).toLocaleDateString(list, inUtc(options)),
    ],
    [
      "toLocaleTimeString",
      ([time]) => new Date(toPlainNumber(time)).toLocaleTimeString(list, inUtc(options)),
    ],
  ]);
};

const stringMethods: Create = (locales) => {
  const list = withDefault(locales);
  return new Map<string, (args: Arguments) => unknown>([
    ["toLocaleUpperCase", ([text]) => toText(text).toLocaleUpperCase(list)],
    ["toLocaleLowerCase", ([text]) => toText(text).toLocaleLowerCase(list)],
  ]);
};

interface WithLocales {
  supportedLocalesOf(locales: string[], options?: object): string[];
}
const services: ReadonlyMap<string, WithLocales> = new Map<string, WithLocales>([
  ["NumberFormat", Intl.NumberFormat],
  ["DateTimeFormat", Intl.DateTimeFormat],
  ["Collator", Intl.Collator],
  ["PluralRules", Intl.PluralRules],
  ["RelativeTimeFormat", Intl.RelativeTimeFormat],
  ["ListFormat", Intl.ListFormat],
  ["Segmenter", Intl.Segmenter],
  ["DisplayNames", Intl.DisplayNames],
]);

const statics: Create = (locales, options) =>
  new Map<string, (args: Arguments) => unknown>([
    ["getCanonicalLocales", () => Intl.getCanonicalLocales(locales)],
    ["supportedValuesOf", ([key]) => Intl.supportedValuesOf(toText(key) as "unit")],
    ["supportedLocalesOf", ([type]) => services.get(toText(type))?.supportedLocalesOf(locales, options)],
  ]);

const creators: ReadonlyMap<string, Create> = new Map([
  ["NumberFormat", numberFormat],
  ["DateTimeFormat", dateTimeFormat],
  ["Collator", collator],
  ["PluralRules", pluralRules],
  ["RelativeTimeFormat", relativeTimeFormat],
  ["ListFormat", listFormat],
  ["Segmenter", segmenter],
  ["DisplayNames", displayNames],
  ["Locale", locale],
  ["Date", dateMethods],
  ["String", stringMethods],
  ["Intl", statics],
]);

/** Formatters cost the host 10 to 100 times what a call of them does. Sessions share them: they hold no state. */
const MAX_FORMATTERS = 100;
const formatters = new Map<string, Methods>();

function formatterFor(description: string): Methods {
  const known = formatters.get(description);
  if (known !== undefined) return known;
  const [type, locales, options] = JSON.parse(description) as [unknown, unknown, unknown];
  const create = typeof type === "string" ? creators.get(type) : undefined;
  if (create === undefined) throw new TypeError("Intl has no such formatter");
  const created = create(
    toTexts(locales),
    typeof options === "object" && options !== null ? (options as Options) : {},
  );
  if (formatters.size >= MAX_FORMATTERS) {
    for (const oldest of formatters.keys()) {
      formatters.delete(oldest);
      break;
    }
  }
  formatters.set(description, created);
  return created;
}

export function intlService(argument: string): string {
  // JSON holds no raw line break, so these are the separators.
  const [description = "", method = "", args = ""] = argument.split("\n");
  try {
    const methods = formatterFor(description);
    if (method === "") return succeed("");
    const run = methods.get(method);
    const list: unknown = JSON.parse(args);
    if (run === undefined || !Array.isArray(list))
      return fail("TypeError", `Intl: there is no ${method} here`);
    return succeed(JSON.stringify(run(list)) ?? "null");
  } catch (error) {
    // The messages of Intl only repeat what they were given.
    if (error instanceof RangeError) return fail("RangeError", error.message);
    if (error instanceof TypeError) return fail("TypeError", error.message);
    return fail("Error", "Intl failed on the host");
  }
}
