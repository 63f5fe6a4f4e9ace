/** `Intl`: every class is a description that is sent to the host's `Intl` with each call. */
import {
  NativeNumber,
  NativeString,
  NativeTypeError,
  ObjectDefineProperty,
  ReflectConstruct,
  StringSlice,
  SymbolToStringTag,
} from "../primordials.js";
import { compareEnglish } from "./collation.js";
import { defineBuiltin, defineClass, defineConstant, defineMethods } from "./define.js";
import { ask, create, describe, numeric, setLocaleCheck, textList, time } from "./intl-request.js";
import { MathTrunc } from "./intrinsics.js";

type Formatter = new (locales?: unknown, options?: unknown) => object;

let descriptionOf: (formatter: Service) => string;

class Service {
  readonly #description: string;

  constructor(type: string, locales: unknown, options: unknown) {
    this.#description = create(describe(type, locales, options));
  }

  static {
    descriptionOf = (formatter) => formatter.#description;
  }

  resolvedOptions(): unknown {
    return ask(this.#description, "resolvedOptions", []);
  }
}

class NumberFormat extends Service {
  #format: ((value: unknown) => string) | undefined;
  constructor(locales?: unknown, options?: unknown) {
    super("NumberFormat", locales, options);
  }
  get format(): (value: unknown) => string {
    this.#format ??= (value) => ask(descriptionOf(this), "format", [numeric(value)]) as string;
    return this.#format;
  }
  formatToParts(value: unknown): unknown {
    return ask(descriptionOf(this), "formatToParts", [numeric(value)]);
  }
  formatRange(start: unknown, end: unknown): unknown {
    return ask(descriptionOf(this), "formatRange", [numeric(start), numeric(end)]);
  }
  formatRangeToParts(start: unknown, end: unknown): unknown {
    return ask(descriptionOf(this), "formatRangeToParts", [numeric(start), numeric(end)]);
  }
}

class DateTimeFormat extends Service {
  #format: ((value?: unknown) => string) | undefined;
  constructor(locales?: unknown, options?: unknown) {
    super("DateTimeFormat", locales, options);
  }
  get format(): (value?: unknown) => string {
    this.#format ??= (value) => ask(descriptionOf(this), "format", [time(value)]) as string;
    return this.#format;
  }
  formatToParts(value?: unknown): unknown {
    return ask(descriptionOf(this), "formatToParts", [time(value)]);
  }
  formatRange(start: unknown, end: unknown): unknown {
    return ask(descriptionOf(this), "formatRange", [givenTime(start), givenTime(end)]);
  }
  formatRangeToParts(start: unknown, end: unknown): unknown {
    return ask(descriptionOf(this), "formatRangeToParts", [givenTime(start), givenTime(end)]);
  }
}

function givenTime(value: unknown): unknown {
  if (value === undefined) throw new NativeTypeError("startDate and endDate are required");
  return time(value);
}

class Collator extends Service {
  #compare: ((a: unknown, b: unknown) => number) | undefined;
  readonly #english: boolean;
  constructor(locales?: unknown, options?: unknown) {
    super("Collator", locales, options);
    this.#english = options === undefined && isPlainEnglish(locales);
  }
  get compare(): (a: unknown, b: unknown) => number {
    this.#compare ??= (a, b) =>
      compareTexts(NativeString(a), NativeString(b), this.#english, descriptionOf(this));
    return this.#compare;
  }
}

/** Locales whose collation is the root's. */
export function isPlainEnglish(locales: unknown): boolean {
  return locales === undefined || locales === "en-US" || locales === "en" || locales === "en-GB";
}

export function compareTexts(a: string, b: string, english: boolean, description: string): number {
  const known = english ? compareEnglish(a, b) : undefined;
  return known ?? (ask(description, "compare", [a, b]) as number);
}

class PluralRules extends Service {
  constructor(locales?: unknown, options?: unknown) {
    super("PluralRules", locales, options);
  }
  select(value: unknown): unknown {
    return ask(descriptionOf(this), "select", [numeric(NativeNumber(value))]);
  }
  selectRange(start: unknown, end: unknown): unknown {
    return ask(descriptionOf(this), "selectRange", [
      numeric(NativeNumber(start)),
      numeric(NativeNumber(end)),
    ]);
  }
}

class RelativeTimeFormat extends Service {
  constructor(locales?: unknown, options?: unknown) {
    super("RelativeTimeFormat", locales, options);
  }
  format(value: unknown, unit: unknown): unknown {
    return ask(descriptionOf(this), "format", [numeric(NativeNumber(value)), NativeString(unit)]);
  }
  formatToParts(value: unknown, unit: unknown): unknown {
    return ask(descriptionOf(this), "formatToParts", [numeric(NativeNumber(value)), NativeString(unit)]);
  }
}

class ListFormat extends Service {
  constructor(locales?: unknown, options?: unknown) {
    super("ListFormat", locales, options);
  }
  format(list: unknown): unknown {
    return ask(descriptionOf(this), "format", [textList(list)]);
  }
  formatToParts(list: unknown): unknown {
    return ask(descriptionOf(this), "formatToParts", [textList(list)]);
  }
}

class DisplayNames extends Service {
  constructor(locales: unknown, options: unknown) {
    if (options === undefined) throw new NativeTypeError("Cannot convert undefined or null to object");
    super("DisplayNames", locales, options);
  }
  of(code: unknown): unknown {
    return ask(descriptionOf(this), "of", [NativeString(code)]) ?? undefined;
  }
}

type Boundary = number | [index: number, isWordLike: boolean];

class Segments {
  readonly #text: string;
  readonly #starts: Boundary[];

  constructor(text: string, starts: Boundary[]) {
    this.#text = text;
    this.#starts = starts;
  }

  #startOf(at: number): number {
    const start = this.#starts[at];
    return start === undefined ? this.#text.length : typeof start === "number" ? start : start[0];
  }

  #segment(at: number): object {
    const start = this.#starts[at]!;
    const index = this.#startOf(at);
    const segment = StringSlice(this.#text, index, this.#startOf(at + 1));
    const data = { segment, index, input: this.#text };
    return typeof start === "number" ? data : { ...data, isWordLike: start[1] };
  }

  containing(position: unknown = 0): object | undefined {
    const wanted = MathTrunc(NativeNumber(position)) || 0;
    if (wanted < 0 || wanted >= this.#text.length) return undefined;
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#startOf(middle) <= wanted) low = middle;
      else high = middle;
    }
    return this.#segment(low);
  }

  *[Symbol.iterator](): Generator<object> {
    for (let at = 0; at < this.#starts.length; at++) yield this.#segment(at);
  }
}

class Segmenter extends Service {
  constructor(locales?: unknown, options?: unknown) {
    super("Segmenter", locales, options);
  }
  segment(text: unknown): Segments {
    const source = NativeString(text);
    return new Segments(source, ask(descriptionOf(this), "segment", [source]) as Boundary[]);
  }
}

interface LocaleFields {
  readonly [field: string]: unknown;
}

class Locale {
  readonly #tag: string;
  readonly #fields: LocaleFields;

  constructor(tag: unknown, options?: unknown) {
    if (typeof tag !== "string" && (typeof tag !== "object" || tag === null))
      throw new NativeTypeError("First argument to Intl.Locale constructor can't be empty or missing");
    const description = create(describe("Locale", [NativeString(tag)], options));
    this.#tag = ask(description, "toString", []) as string;
    this.#fields = ask(description, "fields", []) as LocaleFields;
  }

  static {
    setLocaleCheck((value) => #tag in value);
  }

  #field(name: string): unknown {
    return this.#fields[name];
  }
  get baseName(): unknown {
    return this.#field("baseName");
  }
  get calendar(): unknown {
    return this.#field("calendar");
  }
  get caseFirst(): unknown {
    return this.#field("caseFirst");
  }
  get collation(): unknown {
    return this.#field("collation");
  }
  get hourCycle(): unknown {
    return this.#field("hourCycle");
  }
  get language(): unknown {
    return this.#field("language");
  }
  get numberingSystem(): unknown {
    return this.#field("numberingSystem");
  }
  get numeric(): unknown {
    return this.#field("numeric");
  }
  get region(): unknown {
    return this.#field("region");
  }
  get script(): unknown {
    return this.#field("script");
  }
  maximize(): Locale {
    return new Locale(ask(describe("Locale", [this.#tag]), "maximize", []));
  }
  minimize(): Locale {
    return new Locale(ask(describe("Locale", [this.#tag]), "minimize", []));
  }
  toString(): string {
    return this.#tag;
  }
}

const intlMethods = {
  getCanonicalLocales(locales?: unknown): unknown {
    return ask(describe("Intl", locales), "getCanonicalLocales", []);
  },
  supportedValuesOf(key: unknown): unknown {
    return ask(describe("Intl"), "supportedValuesOf", [NativeString(key)]);
  },
};

function addSupportedLocales(type: string, formatter: object): void {
  const methods = {
    supportedLocalesOf(locales?: unknown, options?: unknown): unknown {
      return ask(describe("Intl", locales, options), "supportedLocalesOf", [type]);
    },
  };
  ObjectDefineProperty(methods.supportedLocalesOf, "length", { value: 1 });
  defineMethods(formatter, methods);
}

/** `Intl.NumberFormat()` without `new` makes one too, as the specification keeps it for these three. */
function callable(formatter: Formatter): Formatter {
  function wrapper(this: unknown, locales?: unknown, options?: unknown): object {
    return ReflectConstruct(formatter, [locales, options], new.target ?? wrapper);
  }
  ObjectDefineProperty(wrapper, "prototype", { value: formatter.prototype, writable: false });
  ObjectDefineProperty(wrapper, "length", { value: 0 });
  defineBuiltin(formatter.prototype as object, "constructor", wrapper);
  return wrapper as unknown as Formatter;
}

export function installIntl(): void {
  const intl = {};
  defineConstant(intl, SymbolToStringTag, "Intl");
  defineMethods(intl, intlMethods);
  const classes: [string, Formatter][] = [
    ["NumberFormat", callable(NumberFormat)],
    ["DateTimeFormat", callable(DateTimeFormat)],
    ["Collator", callable(Collator)],
    ["PluralRules", PluralRules],
    ["RelativeTimeFormat", RelativeTimeFormat],
    ["ListFormat", ListFormat],
    ["Segmenter", Segmenter],
    ["DisplayNames", DisplayNames as Formatter],
  ];
  for (let i = 0; i < classes.length; i++) {
    defineClass(intl, classes[i]![0], classes[i]![1], `Intl.${classes[i]![0]}`);
    addSupportedLocales(classes[i]![0], classes[i]![1]);
  }
  defineClass(intl, "Locale", Locale, "Intl.Locale");
  defineBuiltin(globalThis, "Intl", intl);
}
