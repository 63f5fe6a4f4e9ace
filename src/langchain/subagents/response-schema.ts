/** The `responseSchema` of a subagent: what is accepted, and the form in which a provider takes it. */
import { resolveReference } from "../prompt/schema-keywords.js";

/** Where deepagents' `task` tool looks for the schema of one call; its browser build does not export the name. */
export const responseFormatConfigKey = "__deepagents_subagent_response_format";

export const maxSchemaChars = 4096;
export const maxSchemaDepth = 5;
export const maxSchemaProperties = 32;

type Keywords = { readonly [keyword: string]: unknown };

/** Keywords that hold one schema, and whether it stands one level deeper than the schema around it. */
const single = new Map([
  ["items", 1],
  ["additionalItems", 1],
  ["additionalProperties", 1],
  ["unevaluatedItems", 1],
  ["unevaluatedProperties", 1],
  ["contains", 1],
  ["propertyNames", 0],
  ["not", 0],
  ["if", 0],
  ["then", 0],
  ["else", 0],
]);
const lists = new Map([
  ["items", 1],
  ["prefixItems", 1],
  ["anyOf", 0],
  ["oneOf", 0],
  ["allOf", 0],
]);
const named = new Map([
  ["properties", 1],
  ["patternProperties", 1],
  ["dependentSchemas", 0],
  ["$defs", 0],
  ["definitions", 0],
]);

/**
 * A copy that providers accept: a root of type object with `properties` (LangChain takes nothing else for a schema)
 * and a title that may name a function. The caller's object is not changed.
 *
 * @throws {TypeError} before any subagent starts, when the schema is too large or its root is not an object.
 */
export function prepareResponseSchema(schema: unknown): Keywords {
  if (!isPlainObject(schema))
    throw new TypeError("task: 'responseSchema' must be a plain object (JSON Schema) when provided");
  checkSize(schema);
  checkShape(schema);
  const { type } = schema;
  const properties = schema["properties"];
  const isObject = type === "object" || (type === undefined && isPlainObject(properties));
  if (!isObject)
    throw new TypeError(
      'task: responseSchema must have an object at its root: { type: "object", properties: { ... } }. Put a list or a single value into a property.',
    );
  return { ...schema, type: "object", properties: properties ?? {}, title: titleOf(schema["title"]) };
}

function checkSize(schema: Keywords): void {
  let text: string;
  try {
    text = JSON.stringify(schema);
  } catch {
    throw new TypeError("task: responseSchema must be plain JSON without cycles");
  }
  if (text.length > maxSchemaChars)
    throw new TypeError(`responseSchema exceeds ${maxSchemaChars} byte limit (${text.length} bytes)`);
}

/** Depth follows references, because a chain of flat definitions is as deep as its expansion. */
function checkShape(root: Keywords): void {
  let properties = 0;
  const counted = new Set<unknown>();
  const deepest = new Map<unknown, number>();

  const visit = (schema: unknown, depth: number, open: readonly unknown[]): void => {
    if (!isPlainObject(schema)) return;
    // A recursion is bounded by the data; what it repeats has been looked at.
    if (open.includes(schema)) return;
    if (depth > maxSchemaDepth)
      throw new TypeError(`responseSchema exceeds maximum nesting depth of ${maxSchemaDepth}`);
    if (!counted.has(schema)) {
      counted.add(schema);
      for (const keyword of ["properties", "patternProperties"])
        properties += Object.keys(schema[keyword] ?? {}).length;
      if (properties > maxSchemaProperties)
        throw new TypeError(`responseSchema exceeds maximum of ${maxSchemaProperties} properties`);
    }
    if ((deepest.get(schema) ?? -1) >= depth) return;
    deepest.set(schema, depth);
    const inside = [...open, schema];
    const { $ref } = schema;
    if (typeof $ref === "string") visit(resolveReference($ref, root), depth, inside);
    for (const [keyword, step] of single) visit(schema[keyword], depth + step, inside);
    for (const [keyword, step] of lists) {
      const list = schema[keyword];
      if (Array.isArray(list)) for (const part of list) visit(part, depth + step, inside);
    }
    for (const [keyword, step] of named) {
      const map = schema[keyword];
      if (isPlainObject(map)) for (const part of Object.values(map)) visit(part, depth + step, inside);
    }
  };
  visit(root, 0, []);
}

function titleOf(title: unknown): string {
  const name = typeof title === "string" ? title.replace(/[^a-zA-Z0-9_-]+/g, "_").slice(0, 64) : "";
  return /[a-zA-Z0-9]/.test(name) ? name : "subagent_response";
}

function isPlainObject(value: unknown): value is Keywords {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
