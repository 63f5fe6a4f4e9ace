import { describe, expect, it, test } from "vitest";
import { createInterpreter } from "../../src/index.js";
import { calleeAt } from "../../src/result/callee-text.js";

describe("what stands before a call's bracket", () => {
  it.each<[line: string, text: string, before?: string]>([
    ["o.f(1)", "o.f"],
    ["await tools.nope({})", "tools.nope"],
    ["x = a ?. b [ i ] . c (1)", "a?.b[i].c"],
    ["o.f?.(1)", "o.f"],
    ["[1].map(x => x.foo())", "x.foo", "x.foo"],
    ["g()", "g"],
    ["f(1).g()", "(...).g", ".g"],
    ["  .then(1)", "(...).then"],
    ['tools["no-pe"]({})', 'tools["no-pe"]'],
    ["new o.K()", "o.K"],
    ["this.#p()", "this.#p"],
  ])("%s", (line, text, before) => {
    const column = before === undefined ? line.indexOf("(") : line.lastIndexOf(before) + before.length;
    expect(calleeAt(line, column + 1)?.text).toBe(text);
  });

  it.each([
    ["await (x)", 7],
    ["(x)", 1],
    ["return (1)", 8],
    ["o.f`x`", 4],
    ["o.f(1)", 99],
    ["", 1],
    ["o[a[0]](1)", 8],
  ])("is nothing certain in %s", (line, column) => {
    expect(calleeAt(line, column)).toBeUndefined();
  });

  it("is bounded", () => {
    const line = `${"a.".repeat(200)}b()`;
    expect(calleeAt(line, line.length - 1)?.text).toHaveLength(80);
  });
});

describe("a call of what is no function", () => {
  test.each([
    ["const o9 = {}; o9.f()", "o9.f is not a function"],
    ["const t: number = 3; (t as any).f()", "(...).f is not a function"],
    ["new o9.K()", "o9.K is not a constructor"],
    ["[1].map(3)", "not a function"],
    ["[1].map((x) => x.foo())", "x.foo is not a function"],
  ])("says which: %s", async (source, message) => {
    const session = await (await createInterpreter()).open();
    const result = await session.eval(`globalThis.o9 ??= {}; ${source}`);
    expect(result.status === "failed" && result.error.message).toBe(message);
  });
});
