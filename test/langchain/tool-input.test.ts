import { tool } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { toToolInput } from "../../src/langchain/tools/tool-input.js";

const echo = tool(async (input) => input, {
  name: "echo_it",
  description: "",
  schema: z.object({ a: z.any() }),
});
const text = tool(async (input: string) => input, { name: "say", description: "", schema: z.string() });

describe("the input of a tool", () => {
  it.each([
    ["no argument", undefined, {}],
    ["null", null, {}],
    ["an empty object", {}, {}],
    ["fields without a value", { a: undefined, b: 1, c: { d: undefined } }, { b: 1, c: {} }],
    ["empty slots of lists", { a: [1, undefined, 2], b: Array(2) }, { a: [1, null, 2], b: [null, null] }],
    ["a date", { a: new Date(0) }, { a: "1970-01-01T00:00:00.000Z" }],
    ["null in it", { a: null, b: [null] }, { a: null, b: [null] }],
    ["bytes", { a: new Uint8Array([1]) }, { a: new Uint8Array([1]) }],
    ["one object twice", (({ o }) => ({ a: o, b: o }))({ o: { n: 1 } }), { a: { n: 1 }, b: { n: 1 } }],
  ])("takes %s", (_, argument, expected) => {
    expect(toToolInput(argument, echo)).toEqual(expected);
  });

  it.each([
    [
      "text",
      "q",
      "tools.echoIt takes one object with named fields, like tools.echoIt({ ... }), but was given a string.",
    ],
    ["a number", 5, "but was given a number."],
    ["a list", [1], "but was given a list."],
    ["a map", new Map(), "but was given a Map."],
    ["a function", () => 1, "but was given a function."],
    [
      "a big integer in it",
      { a: { b: 5n } },
      "tools.echoIt: `a.b` is a BigInt; pass a number or text, which",
    ],
    ["not a number", { a: [1, Number.NaN] }, "`a[1]` is NaN, which a tool's input cannot hold."],
    ["infinity", { a: Number.POSITIVE_INFINITY }, "`a` is Infinity, which"],
    ["a function in it", { a: () => 1 }, "`a` is a function, which"],
    ["a symbol in it", { a: Symbol("x") }, "`a` is a symbol, which"],
    ["a map in it", { a: new Map() }, "`a` is a Map; pass Object.fromEntries(map), which"],
    ["a set in it", { a: new Set() }, "`a` is a Set; pass [...set], which"],
    ["an invalid date", { a: new Date(Number.NaN) }, "`a` is an invalid date, which"],
  ])("refuses %s, with its place", (_, argument, message) => {
    expect(() => toToolInput(argument, echo)).toThrow(TypeError);
    expect(() => toToolInput(argument, echo)).toThrow(message);
  });

  it("refuses a cycle and an endless depth", () => {
    const cycle: Record<string, unknown> = { n: 1 };
    cycle["self"] = { back: cycle };
    expect(() => toToolInput(cycle, echo)).toThrow("`self.back` is a reference to what contains it");
    let deep: unknown = 1;
    for (let n = 0; n < 5000; n++) deep = [deep];
    expect(() => toToolInput({ deep }, echo)).toThrow("more than 200 levels deep");
  });

  it("keeps a field named __proto__ a field", () => {
    const input = toToolInput(JSON.parse('{"__proto__":{"x":1}}'), echo);
    expect(Object.keys(input)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
  });

  it("takes text for a tool of one text", async () => {
    expect(toToolInput("hello", text)).toEqual({ input: "hello" });
    expect(toToolInput({ input: "hello" }, text)).toEqual({ input: "hello" });
  });
});
