import { describe, expect, it } from "vitest";
import { prepareResponseSchema } from "../../src/langchain/subagents/response-schema.js";
import { parseTaskRequest } from "../../src/langchain/subagents/task-request.js";

const string = { type: "string" };
const nested = (levels: number, wrap: (inner: unknown) => object): object => {
  let schema: unknown = string;
  for (let level = 0; level < levels; level++) schema = wrap(schema);
  return schema as object;
};
const properties = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, string]));

describe("a response schema", () => {
  it("gets a title without a change to the caller's object", () => {
    const schema = Object.freeze({ type: "object", properties: Object.freeze({ word: string }) });
    expect(prepareResponseSchema(schema)).toEqual({
      type: "object",
      properties: { word: string },
      title: "subagent_response",
    });
  });

  it.each([
    ["Review", "Review"],
    ["My result: v2", "My_result_v2"],
    ["   ", "subagent_response"],
    ["总结", "subagent_response"],
    [5, "subagent_response"],
  ])("turns the title %s into a name that providers take", (title, expected) => {
    expect(prepareResponseSchema({ type: "object", properties: {}, title })["title"]).toBe(expected);
  });

  it("gets what a loosely written one lacks", () => {
    expect(prepareResponseSchema({ properties: { a: {} } })).toMatchObject({ type: "object" });
    expect(prepareResponseSchema({ type: "object", additionalProperties: string })).toMatchObject({
      properties: {},
    });
  });

  it.each([
    ["a list", { type: "array", items: string }],
    ["a string", string],
    ["a union", { anyOf: [{ type: "object" }] }],
    ["nothing", {}],
    ["a nullable object", { type: ["object", "null"] }],
  ])("is refused when its root is %s, with what to do instead", (_, schema) => {
    expect(() => prepareResponseSchema(schema)).toThrow(/must have an object at its root: .*into a property/);
  });

  it.each([[null], [[]], ["x"], [true]])("is refused when it is %j", (schema) => {
    expect(() => prepareResponseSchema(schema)).toThrow(
      "task: 'responseSchema' must be a plain object (JSON Schema) when provided",
    );
  });

  it("holds 4096 characters, 5 levels and 32 properties, and no more", () => {
    const padded = (length: number) => {
      const schema = { type: "object", description: "" };
      return { ...schema, description: "x".repeat(length - JSON.stringify(schema).length) };
    };
    expect(() => prepareResponseSchema(padded(4096))).not.toThrow();
    expect(() => prepareResponseSchema(padded(4097))).toThrow(
      "responseSchema exceeds 4096 byte limit (4097 bytes)",
    );
    const levels = (count: number) =>
      nested(count, (inner) => ({ type: "object", properties: { a: inner } }));
    expect(() => prepareResponseSchema(levels(5))).not.toThrow();
    expect(() => prepareResponseSchema(levels(6))).toThrow(
      "responseSchema exceeds maximum nesting depth of 5",
    );
    expect(() => prepareResponseSchema({ type: "object", properties: properties(32) })).not.toThrow();
    expect(() => prepareResponseSchema({ type: "object", properties: properties(33) })).toThrow(
      "responseSchema exceeds maximum of 32 properties",
    );
  });

  it.each([
    ["anyOf", (inner: unknown) => ({ anyOf: [inner] })],
    ["allOf", (inner: unknown) => ({ allOf: [inner] })],
    ["$defs", (inner: unknown) => ({ $defs: { d: inner } })],
    ["prefixItems", (inner: unknown) => ({ prefixItems: [inner] })],
    ["additionalProperties", (inner: unknown) => ({ additionalProperties: inner })],
    ["patternProperties", (inner: unknown) => ({ patternProperties: { x: inner } })],
    ["not", (inner: unknown) => ({ not: inner })],
  ])("counts what stands in %s", (_, wrap) => {
    const wide = { type: "object", properties: properties(32) };
    expect(() => prepareResponseSchema({ type: "object", properties: { a: string }, ...wrap(wide) })).toThrow(
      "maximum of 32 properties",
    );
    const deep = nested(6, (inner) => ({ type: "array", items: inner }));
    expect(() => prepareResponseSchema({ type: "object", ...wrap(deep) })).toThrow(
      "maximum nesting depth of 5",
    );
  });

  it("counts levels through references, and lets a recursion be", () => {
    const chain = Object.fromEntries(
      Array.from({ length: 8 }, (_, n) => [`d${n}`, { properties: { x: { $ref: `#/$defs/d${n + 1}` } } }]),
    );
    expect(() =>
      prepareResponseSchema({ type: "object", properties: { a: { $ref: "#/$defs/d0" } }, $defs: chain }),
    ).toThrow("maximum nesting depth of 5");
    const tree = { properties: { children: { type: "array", items: { $ref: "#/$defs/tree" } } } };
    expect(() =>
      prepareResponseSchema({ type: "object", properties: { a: { $ref: "#/$defs/tree" } }, $defs: { tree } }),
    ).not.toThrow();
  });

  it("is measured in bounded time when references double", () => {
    const $defs: Record<string, unknown> = {};
    for (let n = 0; n < 60; n++)
      $defs[`d${n}`] = { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] };
    expect(() =>
      prepareResponseSchema({ type: "object", $defs, allOf: [{ $ref: "#/$defs/d0" }] }),
    ).not.toThrow();
  });

  it("is refused when it is a cycle", () => {
    const schema: Record<string, unknown> = { type: "object" };
    schema["properties"] = { self: schema };
    expect(() => prepareResponseSchema(schema)).toThrow("plain JSON without cycles");
  });
});

describe("a request to a subagent", () => {
  it("takes the documented fields and the spelling of the task tool", () => {
    const schema = { type: "object", properties: { a: string } };
    const expected = {
      description: "d",
      subagentType: "w",
      responseSchema: { ...schema, title: "subagent_response" },
    };
    expect(parseTaskRequest({ description: "d", subagentType: "w", responseSchema: schema })).toEqual(
      expected,
    );
    expect(parseTaskRequest({ description: "d", subagent_type: "w", response_schema: schema })).toEqual(
      expected,
    );
    expect(parseTaskRequest({ description: "d", subagentType: "w", label: "l" })).toEqual({
      description: "d",
      subagentType: "w",
      label: "l",
    });
  });

  it("prefers the documented spelling when both are given", () => {
    for (const input of [
      { description: "d", subagent_type: "alias", subagentType: "main" },
      { description: "d", subagentType: "main", subagent_type: "alias" },
    ])
      expect(parseTaskRequest(input).subagentType).toBe("main");
  });

  it.each([
    ["nothing", undefined, /expected an object argument: task\(\{ description, subagentType/],
    ["the positional form", "do x", /expected an object argument: task\(\{ description/],
    ["a list", [], /expected an object argument/],
    [
      "an empty description",
      { description: " ", subagentType: "w" },
      "task: 'description' is required and must be a non-empty string",
    ],
    ["no type", { description: "d" }, "task: 'subagentType' is required and must be a non-empty string"],
    [
      "a label that is no string",
      { description: "d", subagentType: "w", label: 5 },
      "task: 'label' must be a string when provided",
    ],
    [
      "a null schema",
      { description: "d", subagentType: "w", responseSchema: null },
      "must be a plain object (JSON Schema) when provided",
    ],
    [
      "unknown keys",
      { description: "d", subagentType: "w", prompt: "x", model: "y" },
      "task: unknown keys: prompt, model. Allowed: description, subagentType, responseSchema, label",
    ],
  ])("explains %s", (_, input, message) => {
    expect(() => parseTaskRequest(input)).toThrow(TypeError);
    expect(() => parseTaskRequest(input)).toThrow(message);
  });

  it("names the types there are, and the nearest", () => {
    expect(() =>
      parseTaskRequest({ description: "d", subagentType: "revewer" }, ["writer", "reviewer"]),
    ).toThrow('task: there is no subagent "revewer". Did you mean "reviewer"? Available: reviewer, writer');
    expect(parseTaskRequest({ description: "d", subagentType: "any" }, []).subagentType).toBe("any");
  });
});
