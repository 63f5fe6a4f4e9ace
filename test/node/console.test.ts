import { afterAll, afterEach, describe, expect, test } from "vitest";
import { openRawGuest, type RawGuest } from "../support/raw-engine.js";
import { poison } from "../support/render-entry.js";

const entry = `
import { installConsole, resetConsole, setConsoleLimit } from "./console.js";
import { installProxy } from "./proxies.js";
import { JSONStringify, StringIndexOf } from "./primordials.js";
import { render } from "./render.js";
installProxy();
let lines = "";
installConsole((level, text) => { lines += (lines === "" ? "" : ",") + "[" + JSONStringify(level) + "," + JSONStringify(text) + "]"; });
export const show = (value) => {
  if (value === "reset") resetConsole();
  if (value === "limit") setConsoleLimit(100);
  const shown = "[" + lines + "]";
  lines = "";
  return JSONStringify(shown);
};
export const caught = (thrown) => JSONStringify("[[\\"thrown\\"," + JSONStringify(render(thrown, { maxChars: 500 })) + "]]");
`;

let guest: RawGuest = await openRawGuest(entry);
const printed = (source: string) => JSON.parse(guest.run(source)) as [level: string, text: string][];
const fresh = async () => {
  guest.dispose();
  guest = await openRawGuest(entry);
};
afterAll(() => guest.dispose());
afterEach(() => printed("'reset'"));

describe("console", () => {
  test.each<[string, string]>([
    ["console.log('a', 1, true, null, undefined, {a: 1}, [1, 2])", 'a 1 true null undefined {"a": 1} [1, 2]'],
    [
      "console.log(10n, Symbol('s'), () => 1, NaN, -0, new Map([[1, 2]]), new Set([1]), /re/g)",
      "10n Symbol(s) [Function (anonymous)] NaN -0 Map(1) {1 => 2} Set(1) {1} /re/g",
    ],
    ["const c = {n: 1}; c.self = c; console.log(c)", '{"n": 1, "self": [Circular]}'],
    ["console.log('%s is %d', 'a', 5)", "a is 5"],
    ["console.log('a\\n\\nb')", "a\n\nb"],
    ["console.log()", ""],
    ["console.log('')", ""],
    ["console.log('%s', 'a', 'b', {c: 1})", 'a b {"c": 1}'],
    ["console.log('%s %s', 'only')", "only %s"],
    ["console.log('100%', 'sure')", "100% sure"],
    ["console.log('%% %s', 1)", "% 1"],
    ["console.log('%%')", "%%"],
    ["console.log('%d %i %f', '42.5', '42.5', '42.5x')", "42.5 42 42.5"],
    ["console.log('%d %d %d', 5n, {}, 'x')", "5n NaN NaN"],
    ["console.log('%d', {valueOf() { throw 1 }})", "NaN"],
    ["console.log('%s', {toString() { throw 1 }})", '{"toString": [Function: toString]}'],
    ["console.log('%j %o %O', {a: 1}, [2], 'x')", '{"a": 1} [2] "x"'],
    ["console.log('%j', {toJSON() { throw 1 }})", '{"toJSON": [Function: toJSON]}'],
    ["console.log('%cstyled', 'color: red')", "styled"],
    ["console.log('%x %s', 1)", "%x 1"],
    ["console.log('%s', Symbol('s'))", "Symbol(s)"],
    ["console.log({a: '%s'}, 'x')", '{"a": "%s"} x'],
    ["console.log(new Error('E'))", "Error: E"],
    ["console.log('failed:', new TypeError('bad'))", "failed: TypeError: bad"],
    ["console.log(undefined, [undefined], null)", "undefined [undefined] null"],
    ["console.log([Promise.resolve(1)])", "[[Promise, not awaited]]"],
    ["console.log({get a() { throw 1 }})", '{"a": [Getter]}'],
    ["console.log(new Proxy({}, {get() { throw 1 }, ownKeys() { throw 1 }}))", "[Proxy]"],
    ["[1].forEach(console.log)", "1 0 [1]"],
    ["const {log} = console; log('detached')", "detached"],
    ["console.dir({a: {b: 1}}, {depth: 0})", '{"a": {"b": 1}}'],
    ["console.dir('text')", '"text"'],
    ["console.dirxml({a: 1})", '{"a": 1}'],
    ["console.timeEnd('t')", "t: not measured, there is no clock here"],
    ["console.time('t'); console.timeLog('t', 'x')", "t: not measured, there is no clock here x"],
    ["console.table(5)", "5"],
    ["console.table('x')", "x"],
    ["console.table(null)", "null"],
  ])("prints %s", (source, text) => {
    expect(printed(`{ ${source} } ; 0`)).toEqual([["log", text]]);
  });

  test("tells levels apart", () => {
    const source =
      "console.log('l'); console.info('i'); console.debug('d'); console.warn('w'); console.error('e')";
    expect(printed(source)).toEqual([
      ["log", "l"],
      ["info", "i"],
      ["debug", "d"],
      ["warn", "w"],
      ["error", "e"],
    ]);
    expect(printed("console.trace('here', 1); console.trace()")).toEqual([
      ["debug", "Trace: here 1"],
      ["debug", "Trace"],
    ]);
  });

  test("says which assertion failed and nothing for one that holds", () => {
    expect(
      printed("console.assert(true, 'x'); console.assert(1 > 2); console.assert(0, 'got %d', 3, {a: 1})"),
    ).toEqual([
      ["error", "Assertion failed"],
      ["error", 'Assertion failed: got 3 {"a": 1}'],
    ]);
  });

  test("moves groups in, every line of them", () => {
    const source = `
      console.group("outer"); console.log("a\\nb"); console.groupCollapsed(); console.warn({ x: 1 }); console.groupEnd();
      console.log("c"); console.groupEnd(); console.groupEnd(); console.log("d")`;
    expect(printed(source)).toEqual([
      ["log", "outer"],
      ["log", "  a\n  b"],
      ["warn", '    {"x": 1}'],
      ["log", "  c"],
      ["log", "d"],
    ]);
  });

  test("counts by label and starts again after a reset", () => {
    expect(
      printed("console.count(); console.count('a'); console.count(); console.countReset(); console.count()"),
    ).toEqual([
      ["log", "default: 1"],
      ["log", "a: 1"],
      ["log", "default: 2"],
      ["log", "default: 1"],
    ]);
    printed("'reset'");
    expect(printed("console.countReset('a'); console.count('a')")).toEqual([
      ["warn", "Count for 'a' does not exist"],
      ["log", "a: 1"],
    ]);
  });

  test("leaves open groups behind after a reset", () => {
    printed("console.group()");
    printed("'reset'");
    expect(printed("console.log('x')")).toEqual([["log", "x"]]);
  });

  test.each([
    [
      "console.table([{a: 1, b: 'x'}, {a: 2, c: true}])",
      `
┌─────────┬───┬─────┬──────┐
│ (index) │ a │ b   │ c    │
├─────────┼───┼─────┼──────┤
│ 0       │ 1 │ "x" │      │
│ 1       │ 2 │     │ true │
└─────────┴───┴─────┴──────┘`,
    ],
    [
      "console.table([[1, 2], [3, 4]])",
      `
┌─────────┬───┬───┐
│ (index) │ 0 │ 1 │
├─────────┼───┼───┤
│ 0       │ 1 │ 2 │
│ 1       │ 3 │ 4 │
└─────────┴───┴───┘`,
    ],
    [
      "console.table({x: {v: 1}, y: 5})",
      `
┌─────────┬───┬────────┐
│ (index) │ v │ Values │
├─────────┼───┼────────┤
│ x       │ 1 │        │
│ y       │   │ 5      │
└─────────┴───┴────────┘`,
    ],
    [
      "console.table([{a: 1, b: 2}], ['b'])",
      `
┌─────────┬───┐
│ (index) │ b │
├─────────┼───┤
│ 0       │ 2 │
└─────────┴───┘`,
    ],
    [
      "console.table(new Map([['k', 1]]))",
      `
┌───────────────────┬─────┬────────┐
│ (iteration index) │ Key │ Values │
├───────────────────┼─────┼────────┤
│ 0                 │ "k" │ 1      │
└───────────────────┴─────┴────────┘`,
    ],
    [
      "console.table([{get a() { throw 1 }, d: new Date(0)}])",
      `
┌─────────┬──────────┬──────────────────────────┐
│ (index) │ a        │ d                        │
├─────────┼──────────┼──────────────────────────┤
│ 0       │ [Getter] │ 1970-01-01T00:00:00.000Z │
└─────────┴──────────┴──────────────────────────┘`,
    ],
  ])("draws %s", (source, text) => {
    expect(printed(source)).toEqual([["log", text.slice(1)]]);
  });

  test("bounds tables and says what is left", () => {
    const source = `console.table(Array.from({ length: 500 }, (_, i) => ({ i })))`;
    const [[, text]] = printed(source) as [[string, string]];
    expect(text).toMatch(/\n\.\.\. 400 more rows$/);
    const wide = "console.table([Object.fromEntries(Array.from({ length: 50 }, (_, i) => ['c' + i, i]))])";
    expect(printed(wide)[0]![1]).toMatch(/c19[\s\S]*more than 20 columns$/);
  });

  test("bounds every message and keeps its end", async () => {
    await fresh();
    printed("'limit'");
    const [[, text]] = printed("console.log('x'.repeat(10000) + 'THE END')") as [[string, string]];
    expect(text.length).toBeLessThanOrEqual(100);
    expect(text).toMatch(/^x+ … \[9,9\d\d characters cut\] … x+THE END$/);
    await fresh();
  });

  test("cannot be taken away; the methods the guest replaced stay replaced", async () => {
    await fresh();
    expect(printed("console = { log() {} }; console.log('still')")).toEqual([["log", "still"]]);
    expect(printed("delete globalThis.console; console.log('there')")).toEqual([["log", "there"]]);
    printed("console.log = (text) => console.info('patched ' + text)");
    expect(printed("console.log('x')")).toEqual([["info", "patched x"]]);
  });

  test("looks like Node's", async () => {
    await fresh();
    expect(printed("console.log(typeof console.table, Object.keys(globalThis).includes('console'))")).toEqual(
      [["log", "function false"]],
    );
    expect(printed("console.log(Object.prototype.toString.call(console), console.log.name)")).toEqual([
      ["log", "[object console] log"],
    ]);
    expect(
      printed(
        "console.clear(); console.profile(); console.profileEnd(); console.timeStamp(); console.time()",
      ),
    ).toEqual([]);
  });

  test("prints the same after the guest replaced every intrinsic, and none of it runs", async () => {
    await fresh();
    const source = `console.log("%s %d %j", "a", 5, { b: [1, "x"] }, items); console.count("n");
      console.table([{ a: 1 }, [2]]); console.group("g"); console.warn(new Error("e")); console.assert(false, "no");`;
    printed("globalThis.items = new Map([[1, { c: 2 }]]); 0");
    printed(`globalThis.speak = () => { ${source} }; 0`);
    const before = printed("speak()");
    printed("'reset'");
    printed(`${poison} 0`);
    expect(printed("speak()")).toEqual(before);
    expect(printed("console.log(globalThis.ran)")).toEqual([["log", "  undefined"]]);
  });
});
