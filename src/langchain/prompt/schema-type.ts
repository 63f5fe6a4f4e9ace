/**
 * JSON Schema as one TypeScript type expression. Whatever the schema says, the text is a valid type: what cannot be
 * expressed becomes `unknown`, never an error. Types read in a prompt are documentation, so where exactness and
 * readability differ (`additionalProperties` beside named ones, string formats) the shorter text wins.
 */
import type { JsonSchema } from "./schema-json.js";
import { isKeywords, type Keywords, keywords, own, resolveReference } from "./schema-keywords.js";
import { comment, propertyName, quote } from "./source-text.js";
import {
  intersection,
  literal,
  maxEnum,
  neverType,
  type TypeText,
  typeName,
  union,
  unknownType,
} from "./type-text.js";

export interface TypeOptions {
  /** Levels of nesting that are spelled out; deeper ones are `unknown`. */
  readonly depth: number;
  /** Descriptions, defaults and formats as comments. */
  readonly comments: boolean;
  /** Optional properties printed on each of the outer levels; below those levels, only required ones. */
  readonly optional: readonly number[];
  /** Parts that may be printed, all in all: a schema of references can be short and its type without end. */
  readonly parts: number;
}

interface Scope {
  readonly options: TypeOptions;
  readonly root: JsonSchema;
  readonly level: number;
  /** References that are being printed, from the outside in. */
  readonly open: readonly string[];
  /** Properties of the schema around a union, for branches that only say which of them are required. */
  readonly around: Keywords;
  readonly budget: { parts: number };
}

export function schemaType(schema: JsonSchema, options: TypeOptions): string {
  const budget = { parts: options.parts };
  return print(schema, { options, root: schema, level: 0, open: [], around: {}, budget }).text;
}

function print(schema: unknown, scope: Scope): TypeText {
  if (schema === false) return neverType;
  if (!isKeywords(schema) || scope.budget.parts-- <= 0) return unknownType;
  const parts: TypeText[] = [];
  const reference = own(schema, "$ref");
  if (typeof reference === "string") parts.push(printReference(reference, scope));
  const base = printBase(schema, scope);
  if (base !== undefined) parts.push(base);
  const inner = { ...scope, around: { ...scope.around, ...keywords(own(schema, "properties")) } };
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = own(schema, keyword);
    if (Array.isArray(branches) && branches.length > 0)
      parts.push(union(branches.map((branch) => print(branch, inner))));
  }
  const all = own(schema, "allOf");
  if (Array.isArray(all)) for (const part of all) parts.push(print(part, inner));
  const not = own(schema, "not");
  if (not === true || (isKeywords(not) && Object.keys(not).length === 0)) return neverType;
  const text = intersection(parts);
  return own(schema, "nullable") === true ? union([text, { text: "null", shape: "atom" }]) : text;
}

/** The schema's own type, without references and combinators; nothing when it says nothing by itself. */
function printBase(schema: Keywords, scope: Scope): TypeText | undefined {
  if (Object.hasOwn(schema, "const")) return literal(schema["const"], 0);
  const values = own(schema, "enum");
  if (Array.isArray(values)) {
    if (values.length <= maxEnum) return union(values.map((value) => literal(value, 0)));
    return union(
      [...new Set(values.map((value) => typeName(value)))].map((text) => ({ text, shape: "atom" })),
    );
  }
  const type = own(schema, "type");
  const types = Array.isArray(type) ? type : type === undefined ? guessType(schema) : [type];
  if (types.length === 0) return undefined;
  return union(types.map((name) => printType(name, schema, scope)));
}

function guessType(schema: Keywords): string[] {
  const has = (...names: string[]) => names.some((name) => Object.hasOwn(schema, name));
  if (has("properties", "required", "additionalProperties", "patternProperties", "propertyNames"))
    return ["object"];
  return has("items", "prefixItems", "additionalItems") ? ["array"] : [];
}

function printType(name: unknown, schema: Keywords, scope: Scope): TypeText {
  switch (name) {
    case "string":
    case "boolean":
    case "null":
      return { text: name, shape: "atom" };
    case "number":
    case "integer":
      return { text: "number", shape: "atom" };
    case "array":
      return printArray(schema, scope);
    case "object":
      return printObject(schema, scope);
    default:
      return unknownType;
  }
}

function printArray(schema: Keywords, scope: Scope): TypeText {
  const items = own(schema, "items");
  const listed = own(schema, "prefixItems");
  const positions = Array.isArray(listed) ? listed : Array.isArray(items) ? items : undefined;
  const rest = Array.isArray(items) ? own(schema, "additionalItems") : items;
  const inner = deeper(scope);
  if (positions === undefined) {
    const item = inner === undefined ? unknownType : print(items ?? true, inner);
    return { text: `${item.shape === "atom" ? item.text : `(${item.text})`}[]`, shape: "atom" };
  }
  if (inner === undefined) return { text: "unknown[]", shape: "atom" };
  const least = own(schema, "minItems");
  const needed = typeof least === "number" ? least : positions.length;
  const elements = positions.map((position, index) => {
    const { text, shape } = print(position, inner);
    return index < needed ? text : `${shape === "atom" ? text : `(${text})`}?`;
  });
  if (isKeywords(rest)) {
    const { text, shape } = print(rest, inner);
    elements.push(`...${shape === "atom" ? text : `(${text})`}[]`);
  }
  return { text: `[${elements.join(", ")}]`, shape: "atom" };
}

function printObject(schema: Keywords, scope: Scope): TypeText {
  const properties = keywords(own(schema, "properties"));
  const listed = own(schema, "required");
  const required = new Set(Array.isArray(listed) ? listed.filter((name) => typeof name === "string") : []);
  const inner = deeper(scope);
  const index = inner === undefined ? undefined : printIndex(schema, inner);
  const members: string[] = [];
  let room = scope.options.optional[scope.level] ?? 0;
  let left = 0;
  for (const name of new Set([...Object.keys(properties), ...required])) {
    const optional = !required.has(name);
    if (optional && --room < 0) {
      left++;
      continue;
    }
    const property = own(properties, name) ?? own(scope.around, name) ?? true;
    const text = inner === undefined ? "unknown" : print(property, inner).text;
    members.push(`${propertyName(name)}${optional ? "?" : ""}: ${text}${note(property, scope)};`);
  }
  if (members.length === 0) {
    const closed = own(schema, "additionalProperties") === false && left === 0;
    return { text: `Record<string, ${closed ? "never" : (index ?? "unknown")}>`, shape: "atom" };
  }
  const more = left === 0 ? "" : ` /* ${left} optional left out */`;
  const object: TypeText = { text: `{ ${members.join(" ").replace(/;$/, "")}${more} }`, shape: "atom" };
  // Beside named properties an index signature would have to fit all of them, so it stands apart.
  return index === undefined || index === "unknown"
    ? object
    : intersection([object, { text: `Record<string, ${index}>`, shape: "atom" }]);
}

/** The type of the values whose names are not listed, when the schema says one. */
function printIndex(schema: Keywords, scope: Scope): string | undefined {
  const values = Object.values(keywords(own(schema, "patternProperties")));
  const additional = own(schema, "additionalProperties");
  if (isKeywords(additional)) values.push(additional);
  return values.length === 0 ? undefined : union(values.map((value) => print(value, scope))).text;
}

function printReference(reference: string, scope: Scope): TypeText {
  const target = resolveReference(reference, scope.root);
  if (target === undefined) return unknownType;
  if (scope.open.includes(reference)) {
    const name = comment(reference.split("/").at(-1) ?? "", 40).replace(/^#$/, "the whole input");
    const says = scope.options.comments && name !== "" ? ` /* ${name} again */` : "";
    return { text: `unknown${says}`, shape: "atom" };
  }
  return print(target, { ...scope, open: [...scope.open, reference] });
}

function deeper(scope: Scope): Scope | undefined {
  return scope.level >= scope.options.depth ? undefined : { ...scope, level: scope.level + 1, around: {} };
}

/** What the type itself cannot say about a property, short. */
function note(property: unknown, scope: Scope): string {
  if (!scope.options.comments || !isKeywords(property)) return "";
  const parts: string[] = [];
  const description = own(property, "description");
  if (typeof description === "string") parts.push(comment(description, 120));
  const format = own(property, "format");
  if (typeof format === "string") parts.push(comment(format, 30));
  if (Object.hasOwn(property, "default")) {
    const value = property["default"];
    const text = typeof value === "string" ? quote(value) : safeJson(value);
    if (text !== "") parts.push(`default ${comment(text, 40)}`);
  }
  const text = parts.filter((part) => part !== "").join("; ");
  return text === "" ? "" : ` /* ${text} */`;
}

function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}
