/** Host values as text; `value-format.ts` describes the format. */
import { toBase64 } from "./base64.js";
import { type Node, viewsByTag } from "./value-format.js";

/** Deeper plain data than this goes through the table, which needs no stack. */
const MAX_PLAIN_DEPTH = 100;

/**
 * A host value as text for the guest; `beside` takes the bytes in it. Functions and symbols become `undefined`;
 * instances of unknown classes cross as objects of their enumerable properties (their `toJSON`, if any, speaks for
 * them).
 */
export function encodeValue(value: unknown, beside?: Uint8Array[]): string {
  if (typeof value === "string" && isPlainText(value)) return `s${value}`;
  if (isPlain(value, 0, new Set())) return `j${JSON.stringify(value)}`;
  return `x${JSON.stringify(toTable(value, bytesNode(beside)))}`;
}

/** How a node says which bytes are its own. */
type BytesNode = (bytes: Uint8Array) => unknown[];

function bytesNode(beside: Uint8Array[] | undefined): BytesNode {
  if (!beside) return (bytes) => [toBase64(bytes)];
  // A copy: the function that answered may go on with its buffer.
  return (bytes) => [beside.push(bytes.slice()) - 1, bytes.length];
}

/** What survives the way through a C string as it is. A text that is not well formed changes when it is encoded. */
function isPlainText(text: string): boolean {
  return !text.includes("\0") && !/\p{Surrogate}/u.test(text);
}

/** True for what JSON carries exactly and without shared references. */
function isPlain(value: unknown, depth: number, seen: Set<object>): boolean {
  if (value === null) return true;
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0);
    case "object":
      break;
    default:
      return false;
  }
  if (depth > MAX_PLAIN_DEPTH || seen.has(value)) return false;
  seen.add(value);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++)
      if (!isPlain(value[index], depth + 1, seen)) return false;
    return !("toJSON" in value);
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype || "toJSON" in value || Object.hasOwn(value, "__proto__")) return false;
  for (const key of Object.keys(value)) {
    if (!isPlain((value as Record<string, unknown>)[key], depth + 1, seen)) return false;
  }
  return true;
}

function toTable(root: unknown, ofBytes: BytesNode): Node[] {
  const nodes: Node[] = [];
  const values: unknown[] = [];
  const indices = new Map<unknown, number>();
  const indexOf = (value: unknown): number => {
    const known = indices.get(value);
    if (known !== undefined && !Object.is(value, -0) && value !== 0) return known;
    const index = values.length;
    values.push(value);
    indices.set(value, index);
    return index;
  };
  indexOf(root);
  for (let index = 0; index < values.length; index++) nodes.push(toNode(values[index], indexOf, ofBytes));
  return nodes;
}

function toNode(value: unknown, indexOf: (value: unknown) => number, ofBytes: BytesNode): Node {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : ["n", Object.is(value, -0) ? "-0" : String(value)];
    case "bigint":
      return ["b", String(value)];
    case "object":
      return value === null ? null : toObjectNode(value, indexOf, ofBytes);
    default:
      return ["u"];
  }
}

function toObjectNode(value: object, indexOf: (value: unknown) => number, ofBytes: BytesNode): Node {
  if (Array.isArray(value)) {
    const items: number[] = [];
    for (let index = 0; index < value.length; index++)
      items.push(index in value ? indexOf(value[index]) : -1);
    return ["a", ...items];
  }
  if (value instanceof Date) return ["d", Number.isNaN(value.getTime()) ? null : value.getTime()];
  if (value instanceof RegExp) return ["r", value.source, value.flags];
  if (value instanceof Map) return ["m", ...[...value].flat(1).map(indexOf)];
  if (value instanceof Set) return ["s", ...[...value].map(indexOf)];
  if (value instanceof ArrayBuffer) return ["A", ...ofBytes(new Uint8Array(value))];
  if (ArrayBuffer.isView(value)) {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    const tag = Object.prototype.toString.call(value).slice(8, -1);
    return viewsByTag.has(tag) ? ["t", tag, ...ofBytes(bytes)] : ["A", ...ofBytes(bytes)];
  }
  if (value instanceof Error) {
    const { name, message, cause, errors, ...data } = value as Error & { errors?: unknown };
    return [
      "e",
      name,
      message,
      cause === undefined ? -1 : indexOf(cause),
      Array.isArray(errors) ? indexOf(errors) : -1,
      Object.keys(data).length > 0 ? indexOf({ ...data }) : -1,
    ];
  }
  const spokenFor =
    "toJSON" in value && typeof value.toJSON === "function" ? (value.toJSON() as unknown) : value;
  if (spokenFor !== value && (typeof spokenFor !== "object" || spokenFor === null))
    return toNode(spokenFor, indexOf, ofBytes);
  if (Array.isArray(spokenFor)) return toObjectNode(spokenFor, indexOf, ofBytes);
  const node: unknown[] = [Object.getPrototypeOf(spokenFor) === null ? "O" : "o"];
  for (const [key, item] of Object.entries(spokenFor as object)) {
    if (typeof item !== "function" && typeof item !== "symbol") node.push(key, indexOf(item));
  }
  return node;
}
