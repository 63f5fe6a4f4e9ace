/** `Intl`: every class is a description that is sent to the host's `Intl` with each call. */
import { defineConstant } from "../define-data.js";
import {
  NativeNumber,
  NativeString,
  NativeTypeError,
  ObjectDefineProperty,
  ReflectConstruct,
  SymbolToStringTag,
} from "../primordials.js";
import { compareEnglish, type EnglishMode, englishMode } from "./collation.js";
import { defineBuiltin, defineClass, defineMethods } from "./define.js";
import { Locale } from "./intl-locale.js";
import { ask, describeFormatter, numeric, textList, time } from "./intl-request.js";
import { Segmenter } from "./intl-segmenter.js";
import { descriptionOf, Service } from "./intl-service.js";

type Formatter = new (locales?: unknown, options?: unknown) => object;

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
  readonly #english: EnglishMode | undefined;
  constructor(locales?: unknown, options?: unknown) {
    super("Collator", locales, options);
    this.#english = englishMode(locales, options);
  }
  get compare(): (a: unknown, b: unknown) => number {
    this.#compare ??= (a, b) => {
      const left = NativeString(a);
      const right = NativeString(b);
      const known = this.#english === undefined ? undefined : compareEnglish(left, right, this.#english);
      return known ?? (ask(descriptionOf(this), "compare", [left, right]) as number);
    };
    return this.#compare;
  }
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

const intlMethods = {
  getCanonicalLocales(locales?: unknown): unknown {
    return ask(describeFormatter("Intl", locales), "getCanonicalLocales", []);
  },
  supportedValuesOf(key: unknown): unknown {
    return ask(describeFormatter("Intl"), "supportedValuesOf", [NativeString(key)]);
  },
};

function addSupportedLocales(type: string, formatter: object): void {
  const methods = {
    supportedLocalesOf(locales?: unknown, options?: unknown): unknown {
      return ask(describeFormatter("Intl", locales, options), "supportedLocalesOf", [type]);
    },
  };
  defineConstant(methods.supportedLocalesOf, "length", 1);
  defineMethods(formatter, methods);
}

/** `Intl.NumberFormat()` without `new` makes one too, as the specification keeps it for these three. */
function callable(formatter: Formatter): Formatter {
  function wrapper(this: unknown, locales?: unknown, options?: unknown): object {
    return ReflectConstruct(formatter, [locales, options], new.target ?? wrapper);
  }
  ObjectDefineProperty(wrapper, "prototype", { value: formatter.prototype, writable: false });
  defineConstant(wrapper, "length", 0);
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
