/** What code passes to a tool, as the tool takes it: plain JSON data in one object, or an error that says where not. */
import { schemaToJson } from "../prompt/schema-json.js";
import { type CallableTool, toGuestName, toolExpression } from "./tool-names.js";

const maxDepth = 200;

/**
 * A tool's input is what a model could have sent, so it is JSON: `undefined` fields are left out as JSON does, while
 * what JSON would quietly turn into something else (NaN, a Map, a function, a cycle) is refused with its place.
 *
 * @throws {TypeError} with a text for the model.
 */
export function toToolInput(argument: unknown, tool: CallableTool): Record<string, unknown> {
  if (argument === undefined || argument === null) return {};
  const expression = toolExpression(toGuestName(tool.name));
  if (typeof argument === "string" && takesText(tool)) return { input: argument };
  if (typeof argument !== "object" || Array.isArray(argument) || !isRecord(argument))
    throw new TypeError(
      `${expression} takes one object with named fields, like ${expression}({ ... }), but was given ${kindOf(argument)}.`,
    );
  return copyRecord(argument, { expression, path: "", open: [] });
}

/** Tools of one text, as LangChain makes them from a string schema. */
function takesText(tool: CallableTool): boolean {
  const json = schemaToJson(tool.schema);
  if (typeof json !== "object") return false;
  const properties = json["properties"] as Record<string, { type?: unknown }> | undefined;
  return (
    typeof properties === "object" &&
    Object.keys(properties).length === 1 &&
    properties["input"]?.type === "string"
  );
}

interface Place {
  readonly expression: string;
  readonly path: string;
  readonly open: readonly unknown[];
}

function copy(value: unknown, place: Place): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      if (!Number.isFinite(value)) refuse(place, String(value));
      return value + 0;
    case "object":
      return value === null ? null : copyObject(value, place);
    case "bigint":
      return refuse(place, "a BigInt; pass a number or text");
    default:
      return refuse(place, kindOf(value));
  }
}

function copyObject(value: object, place: Place): unknown {
  if (place.open.includes(value)) return refuse(place, "a reference to what contains it");
  if (place.open.length > maxDepth) return refuse(place, `more than ${maxDepth} levels deep`);
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? refuse(place, "an invalid date") : value.toISOString();
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return value;
  if (value instanceof Map) return refuse(place, "a Map; pass Object.fromEntries(map)");
  if (value instanceof Set) return refuse(place, "a Set; pass [...set]");
  if (!Array.isArray(value)) return copyRecord(value, place);
  const open = [...place.open, value];
  return Array.from(value, (item: unknown, index) =>
    item === undefined ? null : copy(item, { ...place, path: `${place.path}[${index}]`, open }),
  );
}

function copyRecord(value: object, place: Place): Record<string, unknown> {
  const open = [...place.open, value];
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    const path = place.path === "" ? key : `${place.path}.${key}`;
    const copied = copy(item, { ...place, path, open });
    // Assigning `__proto__` would change the object instead of adding a field.
    if (key === "__proto__")
      Object.defineProperty(result, key, {
        value: copied,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    else result[key] = copied;
  }
  return result;
}

function isRecord(value: object): boolean {
  return !(
    value instanceof Map ||
    value instanceof Set ||
    value instanceof Date ||
    value instanceof ArrayBuffer ||
    ArrayBuffer.isView(value)
  );
}

function refuse({ expression, path }: Place, what: string): never {
  throw new TypeError(`${expression}: \`${path}\` is ${what}, which a tool's input cannot hold.`);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) {
    const name: unknown = value.constructor?.name;
    return typeof name === "string" && name !== "" && name !== "Object" ? `a ${name}` : "an object";
  }
  const type = typeof value;
  return type === "undefined" ? "undefined" : `a ${type}`;
}
