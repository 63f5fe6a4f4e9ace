import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { openRawGuest, type RawGuest } from "../support/raw-engine.js";
import { poison, renderEntry } from "../support/render-entry.js";
import { valueRows } from "../support/value-rows.js";

const guest = await openRawGuest(renderEntry());
afterAll(() => guest.dispose());

const wellFormed = /^(?:[^\ud800-\udfff]|[\ud800-\udbff][\udc00-\udfff])*$/;

/** Can stand in parentheses and keeps its value there. */
const isExpression = (source: string) => !/^(?:class|(?:async )?function)/.test(source);

describe("a value as text", () => {
  test.each(valueRows)("%s", (source, text) => {
    expect(guest.run(source)).toBe(text);
  });

  test("is the same after the guest replaced every intrinsic, and none of it runs", async () => {
    const wrong: string[] = [];
    for (const [source, text] of valueRows) {
      if (!isExpression(source)) continue;
      const poisoned = await openRawGuest(renderEntry());
      poisoned.run(`globalThis.subject = (${source}); 0`);
      expect(poisoned.run(`${poison} 1`)).toBe("1");
      const shown = poisoned.run("subject");
      const ran = poisoned.run("globalThis.ran");
      if (shown !== text || ran !== "undefined") wrong.push(`${source} => ${shown} (${ran})`);
      poisoned.dispose();
    }
    expect(wrong).toEqual([]);
  });

  test("lists the names the guest defined for the global object", async () => {
    const fresh = await openRawGuest(renderEntry());
    expect(fresh.run("globalThis")).toBe("[globalThis]");
    expect(fresh.run("var rows = 1, total = 2; [globalThis]")).toBe("[[globalThis: rows, total]]");
    fresh.dispose();
  });
});

describe("what does not fit", () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    [
      "Array.from({ length: 3000 }, (_, i) => i)",
      /^\[\n {2}0, 1, 2,[\s\S]*,\n {2}\.\.\. \d+ more items\n\]$/,
    ],
    ["'q'.repeat(5000)", /^q+\n… \[1,\d\d\d characters cut\] …\nq+$/],
    ["({ s: 'q'.repeat(50000) })", /^\{"?\n? *"s": "q+" \.\.\. \d+ more characters \.\.\. "q+"\n?\}$/],
    [
      "new Set(Array.from({ length: 5000 }, (_, i) => i))",
      /^Set\(5000\) \{[\s\S]* \.\.\. \d+ more members\n\}$/,
    ],
    [
      "new Map(Array.from({ length: 5000 }, (_, i) => [i, i]))",
      /^Map\(5000\) \{[\s\S]* \.\.\. \d+ more entries\n\}$/,
    ],
    [
      "var wide = {}; for (let i = 0; i < 200000; i++) wide['key' + i] = i; wide",
      /^\{\n {2}"key0": 0,[\s\S]* {2}\.\.\. \d+ more keys\n\}$/,
    ],
    ["var deep = []; for (let i = 0; i < 100000; i++) deep = [deep]; deep", /^\[{33}Array\(1\)\]{33}$/],
    ["var deep = {}; for (let i = 0; i < 100000; i++) deep = { deep }; deep", /\[Object: 1 keys\]/],
    [
      "var deep = new Map(); for (let i = 0; i < 100000; i++) deep = new Map([[1, deep]]); deep",
      /\[Map\(1\)\]/,
    ],
    [
      "var deep = new Error('e'); for (let i = 0; i < 1000; i++) deep = new Error('e', { cause: deep }); deep",
      /^Error: e/,
    ],
    [
      "({ text: 'y'.repeat(9000), answer: 42, list: Array.from({ length: 500 }, (_, i) => 'item ' + i) })",
      /"answer": 42/,
    ],
    ["new Uint8Array(1e7)", /^Uint8Array\(10000000\) \[[\s\S]*\.\.\. 9999900 more items\n\]$/],
    ["new Array(4294967295)", /^\[<4294967295 empty>\]$/],
    ["'→' + 'x'.repeat(9000)", /^"→x+" \.\.\. \d+ more characters \.\.\. "x+"$/],
  ];
  test.each(cases)("says how much is missing: %s", (source, pattern) => {
    const text = guest.run(source);
    expect(text).toMatch(pattern);
    expect(text.length).toBeLessThanOrEqual(4000);
  });

  test("counts exactly what is missing", () => {
    const text = guest.run("Array.from({ length: 3000 }, (_, i) => i)");
    const shown = text.match(/\d+(?=,)/g)!.length;
    expect(shown + Number(/(\d+) more items/.exec(text)![1])).toBe(3000);
  });

  test("shows most of what there is room for", () => {
    expect(guest.run("Array.from({ length: 3000 }, (_, i) => i)").length).toBeGreaterThan(2800);
  });

  test.each([0, 1, 2, 5, 10, 20, 40, 80, 200, 1000])("never exceeds %d characters", async (maxChars) => {
    const tight = await openRawGuest(renderEntry(maxChars));
    for (const [source] of valueRows) {
      const text = tight.run(source);
      if (!text.startsWith('{"isError')) expect(text.length, source).toBeLessThanOrEqual(maxChars);
      expect(text, source).toMatch(wellFormed);
    }
    tight.dispose();
  });

  test("never splits a surrogate pair", async () => {
    for (const maxChars of [50, 51, 52, 53]) {
      const tight = await openRawGuest(renderEntry(maxChars));
      for (const source of [
        "'\u{1f600}'.repeat(500)",
        "['\u{1f600}'.repeat(500)]",
        "({ ['\u{1f600}'.repeat(500)]: 1 })",
      ])
        expect(tight.run(source)).toMatch(wellFormed);
      tight.dispose();
    }
  });

  test("survives being called with almost no stack left", () => {
    const source = `
      function down(n) { try { return down(n + 1) } catch (e) { return [[[[{ n }]]]] } }
      down(0)`;
    expect(guest.run(source)).toMatch(/^\[\[\[\[\{"n": \d+\}\]\]\]\]$/);
  });
});

describe("any value", () => {
  const scalar = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
  );
  const literal = (value: unknown): string =>
    Object.is(value, -0)
      ? "-0"
      : typeof value === "number"
        ? String(value)
        : Array.isArray(value)
          ? `[${value.map(literal).join(", ")}]`
          : typeof value === "object" && value !== null
            ? `{${Object.entries(value)
                .map(([key, item]) => `[${JSON.stringify(key)}]: ${literal(item)}`)
                .join(", ")}}`
            : JSON.stringify(value);
  const { plain } = fc.letrec((tie) => ({
    plain: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      scalar,
      fc.array(tie("plain"), { maxLength: 6 }),
      fc.dictionary(fc.string({ unit: "binary", maxLength: 12 }), tie("plain"), { maxKeys: 6 }),
    ),
  }));

  test("that is plain data reads as code for an equal value", async () => {
    const roomy = await openRawGuest(renderEntry(200_000));
    fc.assert(
      fc.property(plain, (value) => {
        const text = roomy.run(`[${literal(value)}]`);
        const back = new Function(`return ${text}`)() as unknown;
        expect(back).toEqual([value]);
      }),
      { numRuns: 200 },
    );
    roomy.dispose();
  });

  const exotic = fc.oneof(
    plain.map(literal),
    fc.constantFrom(...valueRows.map(([source]) => source).filter(isExpression)),
  );
  const wrap = fc.constantFrom(
    (a: string, b: string) => `[${a}, ${b}]`,
    (a: string, b: string) => `({ a: ${a}, b: [${b}] })`,
    (a: string, b: string) => `new Map([[${a}, ${b}]])`,
    (a: string, b: string) => `new Set([${a}, ${b}])`,
    (a: string, b: string) => `Object.assign(new Error("e", { cause: ${a} }), { b: ${b} })`,
    (a: string, b: string) => `Array(3).fill([${a}, ${b}])`,
  );
  test("renders within its bound and without throwing", async () => {
    const guests = new Map<number, RawGuest>();
    for (const maxChars of [7, 60, 300, 4000])
      guests.set(maxChars, await openRawGuest(renderEntry(maxChars)));
    fc.assert(
      fc.property(
        fc.constantFrom(...guests.keys()),
        wrap,
        wrap,
        exotic,
        exotic,
        exotic,
        (max, f, g, a, b, c) => {
          const text = guests.get(max)!.run(f(a, `(${g(b, c)})`));
          expect(text).not.toMatch(/^\{"isError/);
          expect(text.length).toBeLessThanOrEqual(max);
        },
      ),
      { numRuns: 300 },
    );
    for (const open of guests.values()) open.dispose();
  });
});

describe("what the text does not say", () => {
  const entry = `
    import { describeInstancesOf } from "./instance-text.js";
    import { promiseHint, render, renderReport } from "./render.js";
    import { JSONStringify } from "./primordials.js";
    class Secret {
      #text = "hidden";
      static read(secret) { return "Secret: " + secret.#text; }
    }
    describeInstancesOf(Secret.prototype, Secret.read);
    globalThis.Secret = Secret;
    export const show = (value) => {
      const { text, abbreviated, promises } = renderReport(value, { maxChars: 120, topLevel: true });
      return JSONStringify(text + "|" + abbreviated + "|" + (promises === 0 ? "" : promiseHint(promises)));
    };
    export const caught = (thrown) => JSONStringify("threw " + render(thrown, { maxChars: 200 }));
  `;
  test.each([
    ["[1, 2]", "[1, 2]|false|"],
    ["'x'.repeat(500)", /\|true\|$/],
    ["['x'.repeat(500)]", /\|true\|$/],
    ["Array.from({ length: 500 }, (_, i) => i)", /\|true\|$/],
    ["[Promise.resolve()]", /\|the value contains a promise that was not awaited: did you forget await\?$/],
    [
      "[1, 2].map(async (x) => x)",
      /\|the value contains 2 promises .* did you forget await Promise\.all\(\.\.\.\)\?$/,
    ],
    ["new Secret()", "[Secret: hidden]|false|"],
    ["[new (class Sub extends Secret {})()]", "[[Secret: hidden]]|false|"],
    ["Object.create(Secret.prototype)", "Secret {}|false|"],
  ])("is reported beside it: %s", async (source, expected) => {
    const open = await openRawGuest(entry);
    expect(open.run(source)).toMatch(typeof expected === "string" ? exactly(expected) : expected);
    open.dispose();
  });

  const exactly = (text: string) => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`);
});

test("a value that filled the memory is shown, or the text says that there is no room", async () => {
  const small = await openRawGuest(renderEntry(), { memoryPages: 256 });
  const source = `
    var hoard = [];
    try { for (;;) hoard.push({ text: "x".repeat(200) + hoard.length }); } catch { hoard.length -= 5; }
    hoard`;
  expect(small.run(source)).toMatch(
    /^(?:\[\n {2}\{"text": "x+[\s\S]* more items\n\]|\[not enough memory left .*\])$/,
  );
  expect(small.run("hoard = null; 1 + 1")).toBe("2");
  small.dispose();
});
