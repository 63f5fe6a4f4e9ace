import { describe, expect, it } from "vitest";
import {
  type CallableTool,
  resolveToolNames,
  suggestName,
  toGuestName,
  toolExpression,
  validatePtcOption,
} from "../../src/langchain/tools/tool-names.js";

const toolNamed = (name: string): CallableTool => ({ name, invoke: async () => name });

describe("names in code", () => {
  it.each([
    ["web_search", "webSearch"],
    ["get-item", "getItem"],
    ["a__b", "a_B"],
    ["_lead", "Lead"],
    ["get_1st", "get_1st"],
    ["UPPER_CASE", "UPPER_CASE"],
    ["__proto__", "_Proto__"],
    ["größe_neu", "größeNeu"],
  ])("calls %s %s", (name, guestName) => {
    expect(toGuestName(name)).toBe(guestName);
  });

  it.each(["2bad", "with space", "get-Item", "2_bad", "a.b"])("leaves %s to brackets", (name) => {
    expect(toGuestName(name)).toBe(name);
    expect(toolExpression(name)).toBe(`tools[${JSON.stringify(name)}]`);
  });
});

describe("the ptc option", () => {
  it("is off when it is not given", () => {
    expect(validatePtcOption(undefined, "eval")).toBeUndefined();
  });

  it("takes names and tools", () => {
    const own = toolNamed("own");
    expect(validatePtcOption(["web_search", own, own, "tasks", "subtask"], "eval")).toHaveLength(5);
  });

  it.each([
    ["true", true, "`ptc` must be an array of tool names and tools, but it is true."],
    ["a string", "web_search", '`ptc` must be an array of tool names and tools, but it is "web_search".'],
    ["null", null, "`ptc` must be an array of tool names and tools, but it is null."],
    [
      "an object",
      { tools: [] },
      "`ptc` must be an array of tool names and tools, but it is an object (Object).",
    ],
    ["a number in it", ["a", 1], "`ptc[1]` must be the name of a tool or a tool, but it is 1."],
    ["an empty name", [""], '`ptc[0]` must be the name of a tool or a tool, but it is "".'],
    [
      "a provider's tool",
      [{ type: "web_search", name: "x" }],
      "`ptc[0]` must be the name of a tool or a tool, but it is an object (Object).",
    ],
  ])("refuses %s", (_, value, message) => {
    expect(() => validatePtcOption(value, "eval")).toThrow(new TypeError(message));
  });

  it.each(["task", "js", "then", "$search"])(
    "refuses the reserved name %s, as a name and as a tool",
    (name) => {
      expect(() => validatePtcOption([name], "js")).toThrow(TypeError);
      expect(() => validatePtcOption([toolNamed(name)], "js")).toThrow(`\`ptc[0]\` is "${name}"`);
    },
  );

  it("refuses two different tools of one name", () => {
    expect(() => validatePtcOption([toolNamed("a"), toolNamed("a")], "eval")).toThrow(
      'two different tools named "a"',
    );
  });

  it("refuses two tools that would have one name in code", () => {
    expect(() => validatePtcOption([toolNamed("get-item"), toolNamed("get_item")], "eval")).toThrow(
      'the tools "get-item" and "get_item" would both be tools.getItem in code',
    );
  });
});

describe("the tools of a request", () => {
  it("keeps the option's order and the original names", () => {
    const tools = [toolNamed("b_b"), toolNamed("a_a"), toolNamed("hidden")];
    const resolved = resolveToolNames(["a_a", "b_b"], tools);
    expect(resolved.tools.map(({ name, guestName }) => [name, guestName])).toEqual([
      ["a_a", "aA"],
      ["b_b", "bB"],
    ]);
    expect(resolved.unknown).toEqual([]);
  });

  it("offers only what this request has, and reports the rest", () => {
    expect(resolveToolNames(["gone", "here"], [toolNamed("here"), { type: "server_tool" }])).toMatchObject({
      tools: [{ name: "here" }],
      unknown: ["gone"],
    });
  });

  it("prefers a tool given as an instance to the agent's tool of that name, in either order", () => {
    const own = toolNamed("search");
    for (const entries of [
      ["search", own],
      [own, "search"],
    ])
      expect(resolveToolNames(entries, [toolNamed("search")]).tools).toEqual([
        { name: "search", guestName: "search", tool: own },
      ]);
  });

  it("names both tools of a collision that only this request shows", () => {
    expect(() => resolveToolNames(["getItem", "get_item"], ["getItem", "get_item"].map(toolNamed))).toThrow(
      'the tools "getItem" and "get_item" would both be tools.getItem',
    );
    expect(() => resolveToolNames(["getItem", "get_item"], [toolNamed("get_item")])).not.toThrow();
  });
});

describe("suggestions", () => {
  const names = ["webSearch", "readFile", "get_1st"];
  it.each([
    ["webSaerch", "webSearch"],
    ["web_search", "webSearch"],
    ["websearch", "webSearch"],
    ["get1st", "get_1st"],
  ])("answers %s with %s", (unknown, expected) => {
    expect(suggestName(unknown, names)).toBe(expected);
  });

  it("suggests nothing when nothing is near", () => {
    expect(suggestName("deleteEverything", names)).toBeUndefined();
    expect(suggestName("x".repeat(100_000), names)).toBeUndefined();
    expect(suggestName("x", [])).toBeUndefined();
  });
});
