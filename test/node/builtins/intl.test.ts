import fc from "fast-check";
import { expect, test } from "vitest";
import { openBuiltins } from "../../support/builtins-guest.js";
import { sameAsHost, table } from "../../support/same-as-host.js";

table("en-US and UTC unless the program says otherwise", [
  ['(1234.5).toLocaleString("en-US", { style: "currency", currency: "USD" })', "$1,234.50"],
  ['new Date(0).toLocaleDateString("en-US", { month: "long" })', "January"],
  ["(1234567.891).toLocaleString()", "1,234,567.891"],
  ["12345678901234567890n.toLocaleString()", "12,345,678,901,234,567,890"],
  ["new Date(0).toLocaleString()", /^1\/1\/1970, 12:00:00\sAM$/],
  ["new Date(0).toLocaleDateString()", "1/1/1970"],
  ["new Date(0).toLocaleTimeString()", /^12:00:00\sAM$/],
  ["new Date(NaN).toLocaleString()", "Invalid Date"],
  ["new Intl.DateTimeFormat().resolvedOptions().timeZone", "UTC"],
  ["new Intl.NumberFormat().resolvedOptions().locale", "en-US"],
  ['new Intl.NumberFormat("xx").resolvedOptions().locale', "en-US"],
  ["[1234.5, null, undefined, 'a'].toLocaleString()", "1,234.5,,,a"],
  ["new Float64Array([1234.5]).toLocaleString('de-DE')", "1.234,5"],
  ['[1234.5, new Date(0)].toLocaleString("en-US", { timeZone: "UTC", year: "numeric" })', "1,234.5,1970"],
  ["new Intl.DateTimeFormat('en-US', { dateStyle: 'long' }).format(new Date(0))", "January 1, 1970"],
  ["Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', hour: 'numeric' }).format(0)", /^7\sPM$/],
]);

sameAsHost("With a locale given, Intl is the host's", [
  'new Intl.NumberFormat("de-DE").format(1e6)',
  'new Intl.NumberFormat("en-US", { notation: "compact" }).format(1234567)',
  'new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 1 }).format(0.1234)',
  'new Intl.NumberFormat("en-US", { style: "unit", unit: "kilometer-per-hour" }).format(50)',
  'new Intl.NumberFormat("en-US").formatToParts(1234.5)',
  'new Intl.NumberFormat("en-US", { style: "currency", currency: "EUR" }).formatRange(3, 5)',
  'new Intl.NumberFormat("en-US").format(-0)',
  'new Intl.NumberFormat("en-US").format(NaN)',
  'new Intl.NumberFormat("en-US").format(-Infinity)',
  'new Intl.NumberFormat("en-US").format(10n ** 20n)',
  'new Intl.NumberFormat("en-US").format("12345678901234567890.5")',
  'new Intl.NumberFormat("en-US").format(true)',
  'new Intl.NumberFormat("en-US", { minimumFractionDigits: 2 }).resolvedOptions().minimumFractionDigits',
  '[1, 2].map(new Intl.NumberFormat("en-US", { minimumFractionDigits: 1 }).format)',
  'Intl.NumberFormat("de").format(1.5)',
  'Intl.NumberFormat("de") instanceof Intl.NumberFormat',
  'new Intl.NumberFormat(["xx", "fr"]).resolvedOptions().locale',
  'new Intl.DateTimeFormat("de-DE", { dateStyle: "full", timeStyle: "short", timeZone: "Europe/Berlin" }).format(new Date("2024-07-01T12:00Z"))',
  'new Intl.DateTimeFormat("en-GB", { timeZone: "UTC" }).formatToParts(0)',
  'new Intl.DateTimeFormat("en-US", { timeZone: "UTC", month: "short", day: "numeric" }).formatRange(0, 864e6)',
  'new Date(0).toLocaleDateString("en-US", { timeZone: "Asia/Tokyo", weekday: "long" })',
  'new Date(0).toLocaleTimeString("en-GB", { timeZone: "Asia/Tokyo" })',
  '["ä", "a", "z"].sort((a, b) => a.localeCompare(b, "sv"))',
  '["ä", "a", "z"].sort((a, b) => a.localeCompare(b, "de"))',
  '["a10", "a2"].sort(new Intl.Collator("en", { numeric: true }).compare)',
  '"a".localeCompare("A", "en", { sensitivity: "base" })',
  '["résumé", "resume", "Resume"].sort(new Intl.Collator("fr").compare)',
  'new Intl.PluralRules("en", { type: "ordinal" }).select(22)',
  'new Intl.PluralRules("ru").select(5)',
  'new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(-1, "day")',
  'new Intl.RelativeTimeFormat("en").formatToParts(3, "hours")',
  'new Intl.ListFormat("en", { type: "disjunction" }).format(["a", "b", "c"])',
  'new Intl.ListFormat("en").format(new Set(["a", "b"]))',
  '[...new Intl.Segmenter("en", { granularity: "word" }).segment("Hi, you!")]',
  '[...new Intl.Segmenter("en").segment("👨‍👩‍👧é")].length',
  'new Intl.Segmenter("en", { granularity: "word" }).segment("Hi, you!").containing(5)',
  'new Intl.Segmenter("en").segment("ab").containing(9)',
  'new Intl.DisplayNames("en", { type: "region" }).of("DE")',
  'new Intl.DisplayNames(["de"], { type: "language" }).of("fr")',
  'new Intl.DisplayNames("en", { type: "region", fallback: "none" }).of("ZX")',
  'Intl.getCanonicalLocales(["EN-us", "de-de"])',
  'Intl.NumberFormat.supportedLocalesOf(["en-US", "xx-XX", "de"])',
  'Intl.supportedValuesOf("unit").includes("kilometer")',
  '(() => { const l = new Intl.Locale("zh-Hans-CN", { hourCycle: "h12" }); return [l.language, l.script, l.region, l.hourCycle, l.toString(), l.baseName, l.minimize().toString()]; })()',
  'new Intl.NumberFormat(new Intl.Locale("de-DE")).format(1.5)',
  '"I".toLocaleLowerCase("tr")',
  '"i".toLocaleUpperCase("tr-TR")',
  '"ß".toLocaleUpperCase()',
  'Object.prototype.toString.call(Intl) + Object.prototype.toString.call(new Intl.NumberFormat("en"))',
]);

sameAsHost("What the host's Intl refuses is refused in the guest", [
  'new Intl.NumberFormat("en-US", { style: "currency" })',
  'new Intl.NumberFormat("en-US", { style: "currency", currency: "dollars" })',
  'new Intl.NumberFormat("not a locale")',
  "new Intl.NumberFormat(5.5)",
  "new Intl.NumberFormat(null)",
  "new Intl.NumberFormat([5])",
  'new Intl.NumberFormat("en-US", null)',
  'new Intl.NumberFormat("en-US", { maximumFractionDigits: 1000 })',
  'new Intl.NumberFormat("en-US").format(Symbol())',
  'new Intl.DateTimeFormat("en-US", { timeZone: "Mars/Base" })',
  'new Intl.DateTimeFormat("en-US", { timeZone: "UTC" }).format(NaN)',
  'new Intl.DateTimeFormat("en-US", { month: "huge" })',
  'new Date(0).toLocaleDateString("en-US", { timeStyle: "short" })',
  'new Intl.RelativeTimeFormat("en").format(1, "fortnight")',
  'new Intl.ListFormat("en").format([1])',
  'new Intl.DisplayNames("en")',
  'new Intl.Locale("")',
  'Intl.supportedValuesOf("nonsense")',
  'Intl.PluralRules("en")',
  "Number.prototype.toLocaleString.call({})",
  "Date.prototype.toLocaleString.call({})",
  'String.prototype.localeCompare.call(null, "x")',
  'Object.getOwnPropertyDescriptor(Intl.NumberFormat.prototype, "format").get.call({})',
]);

test("the message is the host's", async () => {
  const guest = await openBuiltins();
  expect(guest.run('new Intl.NumberFormat("en-US", { style: "currency", currency: "dollars" })')).toMatch(
    /^RangeError: Invalid currency.*dollars/,
  );
});

test.each([
  ["undefined", "undefined"],
  ['"en"', "{ numeric: true }"],
  ["undefined", '{ sensitivity: "base" }'],
  ['"en-US"', '{ numeric: true, sensitivity: "accent" }'],
  ['"en-GB"', '{ sensitivity: "variant" }'],
])(
  "printable ASCII compares as the host's collator (%s, %s) does, and does not ask it",
  async (locales, options) => {
    const guest = await openBuiltins();
    const collator = new Function(
      `return new Intl.Collator(${locales} ?? "en-US", ${options})`,
    )() as Intl.Collator;
    const text = fc.string({
      unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
      maxLength: 6,
    });
    const near = fc.string({
      unit: fc.constantFrom("a", "A", "b", "B", " ", "-", "1", "0", "2", "."),
      maxLength: 6,
    });
    fc.assert(
      fc.property(fc.array(fc.oneof(text, near), { minLength: 2, maxLength: 12 }), (words) => {
        const source = `(() => { const w = ${JSON.stringify(words)}; return w.map((a) => w.map((b) => Math.sign(a.localeCompare(b, ${locales}, ${options})))); })()`;
        expect(guest.run(source)).toEqual(
          words.map((a) => words.map((b) => Math.sign(collator.compare(a, b)))),
        );
      }),
      { numRuns: 200, seed: 1 },
    );
    expect(guest.asked).toEqual([]);
  },
);

test("text beyond ASCII is compared by the host", async () => {
  const guest = await openBuiltins();
  expect(guest.run('["z", "é", "e", "f"].sort(new Intl.Collator().compare)')).toEqual(["e", "é", "f", "z"]);
  expect(guest.asked.length).toBeGreaterThan(0);
});

test("every pair of ASCII characters is in the host's order", async () => {
  const guest = await openBuiltins();
  const sorted = guest.run(
    "Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).sort((a, b) => a.localeCompare(b)).join('')",
  );
  const characters = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i));
  expect(sorted).toBe(characters.sort(new Intl.Collator("en-US").compare).join(""));
});

test("any number is formatted as the host formats it", async () => {
  const guest = await openBuiltins();
  fc.assert(
    fc.property(fc.double(), (value) => {
      const source = Object.is(value, -0) ? "-0" : String(value);
      expect(guest.run(`(${source}).toLocaleString()`)).toBe(value.toLocaleString("en-US"));
    }),
    { numRuns: 200, seed: 1 },
  );
});
