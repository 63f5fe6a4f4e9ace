import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { signatureOf, toolSignature } from "../../src/langchain/prompt/signatures.js";
import { typeScriptErrors } from "../support/typescript.js";

const declare = (schema: unknown, outputSchema?: unknown) =>
  toolSignature({ name: "web_search", guestName: "webSearch", schema, outputSchema }).declaration;

describe("signatures of schemas", () => {
  it("shows description, defaults and what comes back", () => {
    const signature = toolSignature({
      name: "web_search",
      guestName: "webSearch",
      description: "Search the web.\n  Newest first.",
      schema: z.object({
        query: z.string().describe("what to look for"),
        limit: z.number().default(10),
        kind: z.enum(["page", "image"]).optional(),
      }),
      outputSchema: z.object({ rows: z.array(z.object({ url: z.string() })) }),
    });
    expect(signature.declaration).toBe(
      '/** Search the web. Newest first. */ webSearch(input: { query: string /* what to look for */; limit?: number /* default 10 */; kind?: "page" | "image" }): Promise<{ rows: { url: string }[] }>;',
    );
  });

  it("reads zod 3 like zod 4", () => {
    const build = (zod: typeof z) =>
      zod.object({
        a: zod.string(),
        b: zod.number().default(1),
        c: zod.string().nullable(),
        d: zod.tuple([zod.string(), zod.number()]),
      });
    expect(declare(build(z3 as unknown as typeof z))).toBe(declare(build(z)));
    expect(declare(build(z))).toContain(
      "{ a: string; b?: number /* default 1 */; c: string | null; d: [string, number] }",
    );
  });

  it("ends at a recursion and says so", () => {
    const node: z.ZodType = z.object({
      text: z.string(),
      get next() {
        return node.optional();
      },
    });
    expect(declare(node)).toContain(
      "{ text: string; next?: { text: string; next?: unknown /* the whole input again */ } }",
    );
  });

  it("keeps the properties that branches share", () => {
    const shared = { type: "object", properties: { k: { type: "string" }, m: { type: "number" } } };
    expect(declare({ ...shared, oneOf: [{ required: ["k"] }, { required: ["m"] }] })).toContain(
      "(input: { k?: string; m?: number } & ({ k: string } | { m: number }))",
    );
  });

  it("says that no argument is needed when none is", () => {
    expect(declare(z.object({}))).toContain("webSearch(): ");
    expect(declare(z.object({ a: z.string().optional() }))).toContain("(input?: { a?: string })");
    for (const schema of [undefined, null, true, {}, 5, "x"])
      expect(declare(schema)).toContain("(input?: Record<string, unknown>): Promise<unknown>");
  });

  it.each([
    [
      "$ref",
      { $defs: { p: { type: "string" } }, type: "object", properties: { a: { $ref: "#/$defs/p" } } },
      "{ a?: string }",
    ],
    [
      "a reference into the distance",
      { type: "object", properties: { a: { $ref: "https://x.test/y" } } },
      "{ a?: unknown }",
    ],
    [
      "allOf",
      { allOf: [{ properties: { a: {} } }, { required: ["b"] }] },
      "{ a?: unknown } & { b: unknown }",
    ],
    ["const", { properties: { a: { const: { b: [1, null] } } } }, "{ a?: { b: [1, null] } }"],
    ["nullable", { properties: { a: { type: "string", nullable: true } } }, "{ a?: string | null }"],
    ["a map", { type: "object", additionalProperties: { type: "number" } }, "Record<string, number>"],
    [
      "patternProperties",
      { type: "object", patternProperties: { "^x": { type: "number" } } },
      "Record<string, number>",
    ],
    ["not", { properties: { a: { not: {} }, b: false, c: true } }, "{ a?: never; b?: never; c?: unknown }"],
    [
      "an open tuple",
      { properties: { a: { prefixItems: [{}, { type: "null" }], minItems: 1, items: { type: "string" } } } },
      "[unknown, null?, ...string[]]",
    ],
    [
      "lists of unions",
      { properties: { a: { type: "array", items: { type: ["string", "null"] } } } },
      "{ a?: (string | null)[] }",
    ],
    ["required names without a property", { type: "object", required: ["a-b"] }, '{ "a-b": unknown }'],
  ])("understands %s", (_, schema, expected) => {
    expect(declare(schema)).toContain(expected);
  });

  it("takes the output type from where tools carry it", () => {
    const outputSchema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
    const base = { name: "count", schema: z.object({}), invoke: async () => undefined };
    for (const tool of [
      { ...base, outputSchema },
      { ...base, metadata: { outputSchema } },
    ])
      expect(signatureOf(tool, "count").declaration).toBe("count(): Promise<{ n: number }>;");
    expect(signatureOf(base, "count").declaration).toBe("count(): Promise<unknown>;");
  });
});

describe("bounds of signatures", () => {
  const fields = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`field${n}`, { type: "string", description: "d" }]),
    );

  it("leaves optional fields out before required ones", () => {
    const text = declare({ type: "object", properties: fields(500), required: ["field7", "field499"] });
    expect(text.length).toBeLessThan(1500);
    expect(text).toContain("field7: string");
    expect(text).toContain("field499: string");
    expect(text).toMatch(/\d+ optional left out/);
  });

  it("keeps the names of required fields that fill the whole room", () => {
    const text = declare({ type: "object", properties: fields(120), required: Object.keys(fields(120)) });
    for (const name of Object.keys(fields(120))) expect(text).toContain(`${name}: `);
  });

  it("stays small for 3000 required fields, 200 levels and references that double 40 times", () => {
    let deep: unknown = { type: "string" };
    for (let level = 0; level < 200; level++)
      deep = { type: "object", properties: { x: deep }, required: ["x"] };
    const $defs: Record<string, unknown> = { d0: { type: "string" } };
    for (let n = 1; n < 40; n++) {
      const half = { $ref: `#/$defs/d${n - 1}` };
      $defs[`d${n}`] = { type: "object", properties: { a: half, b: half }, required: ["a", "b"] };
    }
    const many = { type: "object", properties: fields(3000), required: Object.keys(fields(3000)) };
    for (const schema of [deep, many, { $defs, $ref: "#/$defs/d39" }])
      expect(declare(schema).length).toBeLessThan(1600);
    expect(declare(many)).toContain("3000 required fields: field0, ");
  });

  it("survives schemas that cannot be read", () => {
    const cyclic: Record<string, unknown> = { type: "object", required: ["self"] };
    cyclic["properties"] = { self: cyclic };
    const hostile = Object.defineProperty({ type: "object" }, "properties", {
      enumerable: true,
      get: () => {
        throw new Error("no");
      },
    });
    expect(declare(cyclic)).toContain("self: ");
    expect(declare(hostile)).toBe("webSearch(input?: Record<string, unknown>): Promise<unknown>;");
  });
});

const hostileText = fc.oneof(
  fc.string(),
  fc.constantFrom("*/", "a\nb", "\u2028", "`$", "\\", '"', "//", "\ud800", "/** */", "\0"),
);
const propertyNames = fc.oneof(
  fc.string(),
  fc.constantFrom(
    "a",
    "a-b",
    "2x",
    "class",
    "__proto__",
    "constructor",
    "new",
    "get",
    "readonly",
    "",
    "a\nb",
    "*/",
    "é",
  ),
);

const { schema: anySchema } = fc.letrec<{ schema: unknown }>((tie) => {
  const schema = tie("schema");
  const list = fc.array(schema, { minLength: 1, maxLength: 3 });
  return {
    schema: fc.oneof(
      { depthSize: "small" },
      fc.boolean(),
      fc.record({
        $ref: fc.constantFrom("#", "#/$defs/a", "#/properties/a", "#/nowhere", "other.json", "#/%zz"),
      }),
      fc.record({ enum: fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 4 }) }),
      fc.record({ const: fc.oneof(fc.jsonValue({ maxDepth: 2 }), hostileText) }),
      fc.record(
        {
          type: fc.oneof(
            fc.constantFrom("object", "array", "string", "number", "integer", "boolean", "null", "odd"),
            fc.array(fc.constantFrom("object", "array", "string", "null"), { maxLength: 3 }),
          ),
          title: hostileText,
          description: hostileText,
          default: fc.oneof(hostileText, fc.jsonValue({ maxDepth: 1 })),
          format: hostileText,
          nullable: fc.boolean(),
          properties: fc.dictionary(propertyNames, schema, { maxKeys: 4 }),
          required: fc.array(propertyNames, { maxLength: 3 }),
          additionalProperties: schema,
          patternProperties: fc.dictionary(propertyNames, schema, { maxKeys: 2 }),
          items: fc.oneof(schema, list),
          prefixItems: list,
          minItems: fc.nat(3),
          additionalItems: schema,
          anyOf: list,
          oneOf: list,
          allOf: list,
          not: schema,
          $defs: fc.record({ a: schema }),
        },
        { requiredKeys: [] },
      ),
    ),
  };
});

describe("signatures of random schemas", () => {
  it("are TypeScript that compiles, and bounded", { timeout: 120_000 }, () => {
    const cases = fc.sample(
      fc.record({
        guestName: propertyNames,
        description: hostileText,
        schema: anySchema,
        outputSchema: anySchema,
      }),
      { numRuns: 1500, seed: 20260427 },
    );
    const declarations = cases.map((parts) => {
      const { declaration } = toolSignature({ name: parts.guestName, ...parts });
      expect(declaration.length).toBeLessThan(8000);
      return declaration;
    });
    const source = declarations.map((text, n) => `export interface I${n} { ${text} }`).join("\n");
    expect(typeScriptErrors(source)).toBe("");
  });

  it("keep every required name of the outer object", () => {
    fc.assert(
      fc.property(fc.uniqueArray(propertyNames, { maxLength: 8 }), anySchema, (required, inner) => {
        const properties = Object.fromEntries(required.map((name) => [name, inner]));
        const { declaration } = toolSignature({
          name: "t",
          guestName: "t",
          schema: { type: "object", properties, required },
        });
        for (const name of required)
          expect(declaration.includes(`${JSON.stringify(name)}: `) || declaration.includes(`${name}: `)).toBe(
            true,
          );
      }),
      { numRuns: 300, seed: 20260427 },
    );
  });
});
