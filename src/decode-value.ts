/**
 * Values as text, for the boundary between host and guest. `guest/codec.ts` is the other end.
 *
 * `s` + the text: a string that JSON would not change. `j` + JSON: plain data. `x` + JSON of a table of nodes, node 0 the root, for everything else: a node is a JSON
 * primitive for itself, or an array whose first item is a tag and whose indices point at other nodes.
 *
 *   ["u"] undefined      ["n", "NaN"]      ["b", "12"] bigint     ["d", ms | null] Date    ["r", source, flags]
 *   ["a", ...index]      -1 is a hole      ["o" | "O", key, index, ...] object, O without prototype
 *   ["m", key, value, ...] Map             ["s", ...index] Set
 *   ["t", type, ...bytes] typed array      ["A", ...bytes] ArrayBuffer
 *   ["e", name, message, cause, errors, data]   Error; -1 where absent; data is an object of its other properties
 *
 * Bytes are base64 where the text stands alone. Between host and guest they cross beside it: an index into what crosses,
 * and for the guest the length too.
 *
 * JSON escapes NUL and lone surrogates, so strings cross code-unit exact. The table has no recursion and keeps shared
 * references and cycles. Text from the guest is untrusted: indices and tags are checked.
 */
import { InterpreterError } from "./errors.js";

type Node = string | number | boolean | null | readonly unknown[];

/** Deeper plain data than this goes through the table, which needs no stack. */
const MAX_PLAIN_DEPTH = 100;

/**
 * A host value as text for the guest; `beside` takes the bytes in it. Functions and symbols become `undefined`; instances of unknown classes cross as
 * objects of their enumerable properties (their `toJSON`, if any, speaks for them).
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
    return typedArrays.has(tag) ? ["t", tag, ...ofBytes(bytes)] : ["A", ...ofBytes(bytes)];
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

/**
 * @param beside The bytes that came beside a text of the guest's.
 * @throws {InterpreterError} `MESSAGE_INVALID` when the text is not of the format.
 */
export function decodeValue(text: string, beside: readonly Uint8Array<ArrayBuffer>[] = []): unknown {
  const body = text.slice(1);
  if (text.startsWith("s")) return body;
  try {
    if (text.startsWith("j")) return JSON.parse(body) as unknown;
    if (text.startsWith("x")) return fromTable(JSON.parse(body) as Node[], beside);
  } catch (error) {
    throw new InterpreterError("MESSAGE_INVALID", "A value from the guest could not be decoded.", {
      cause: error,
    });
  }
  throw new InterpreterError("MESSAGE_INVALID", "A value from the guest has an unknown encoding.");
}

function fromTable(nodes: readonly Node[], beside: readonly Uint8Array<ArrayBuffer>[]): unknown {
  if (!Array.isArray(nodes) || nodes.length === 0) throw new TypeError("empty table");
  const values: unknown[] = nodes.map((node) => toShell(node, beside));
  const at = (index: unknown): unknown => {
    if (typeof index !== "number" || !(index in values)) throw new TypeError("index outside the table");
    return values[index];
  };
  const isError = (node: Node) => Array.isArray(node) && node[0] === "e";
  // Errors last: they take over the fields of their data, so those have to be there.
  for (const errors of [false, true]) {
    nodes.forEach((node, index) => {
      if (Array.isArray(node) && isError(node) === errors) fill(values[index], node, at);
    });
  }
  return values[0];
}

/** Everything that can be made without looking at other nodes. */
function toShell(node: Node, beside: readonly Uint8Array<ArrayBuffer>[]): unknown {
  if (!Array.isArray(node)) return node;
  const [tag, first, second] = node as unknown[];
  switch (tag) {
    case "u":
      return undefined;
    case "n":
      return Number(first);
    case "b":
      return BigInt(String(first));
    case "d":
      return new Date(first === null ? Number.NaN : Number(first));
    case "r":
      return toRegExp(String(first), String(second));
    case "t": {
      const make = typedArrays.get(String(first));
      if (!make) throw new TypeError("unknown typed array");
      return make(bufferOf(second, beside));
    }
    case "A":
      return bufferOf(first, beside);
    case "e":
      return toError(String(first), String(second));
    case "m":
      return new Map();
    case "s":
      return new Set();
    case "a":
      return new Array(node.length - 1);
    case "o":
      return {};
    case "O":
      return Object.create(null) as object;
    default:
      throw new TypeError("unknown tag");
  }
}

/** The classes of the language are told by their names; an error of any other class keeps its name. */
function toError(name: string, message: string): Error {
  const error = new Error(message);
  const prototype = errorPrototypes.get(name);
  if (prototype) Object.setPrototypeOf(error, prototype);
  else define(error, "name", name, false);
  return error;
}

const errorPrototypes: ReadonlyMap<string, object> = new Map(
  [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, AggregateError].map(
    (type) => [type.name, type.prototype],
  ),
);

/** A pattern the host's engine refuses stays readable as its text. */
function toRegExp(source: string, flags: string): RegExp | string {
  try {
    return new RegExp(source, flags);
  } catch {
    return `/${source}/${flags}`;
  }
}

function fill(target: unknown, node: readonly unknown[], at: (index: unknown) => unknown): void {
  switch (node[0]) {
    case "a":
      for (let index = 1; index < node.length; index++) {
        if (node[index] !== -1) (target as unknown[])[index - 1] = at(node[index]);
      }
      break;
    case "o":
    case "O":
      for (let index = 1; index + 1 < node.length; index += 2)
        define(target as object, String(node[index]), at(node[index + 1]));
      break;
    case "m":
      for (let index = 1; index + 1 < node.length; index += 2) {
        (target as Map<unknown, unknown>).set(at(node[index]), at(node[index + 1]));
      }
      break;
    case "s":
      for (let index = 1; index < node.length; index++) (target as Set<unknown>).add(at(node[index]));
      break;
    case "e":
      if (node[3] !== -1) define(target as object, "cause", at(node[3]), false);
      if (node[4] !== -1) define(target as object, "errors", at(node[4]), false);
      if (node[5] !== -1) {
        for (const [key, value] of Object.entries(at(node[5]) as object))
          define(target as object, key, value);
      }
      break;
  }
}

/** Never assignment: `__proto__` would set the prototype. */
function define(target: object, key: string, value: unknown, enumerable = true): void {
  Object.defineProperty(target, key, { value, enumerable, writable: true, configurable: true });
}

const typedArrays: ReadonlyMap<string, (buffer: ArrayBuffer) => ArrayBufferView> = new Map<
  string,
  (buffer: ArrayBuffer) => ArrayBufferView
>([
  ["Int8Array", (b) => new Int8Array(b)],
  ["Uint8Array", (b) => new Uint8Array(b)],
  ["Uint8ClampedArray", (b) => new Uint8ClampedArray(b)],
  ["Int16Array", (b) => new Int16Array(b)],
  ["Uint16Array", (b) => new Uint16Array(b)],
  ["Int32Array", (b) => new Int32Array(b)],
  ["Uint32Array", (b) => new Uint32Array(b)],
  ["Float32Array", (b) => new Float32Array(b)],
  ["Float64Array", (b) => new Float64Array(b)],
  ["BigInt64Array", (b) => new BigInt64Array(b)],
  ["BigUint64Array", (b) => new BigUint64Array(b)],
  ["DataView", (b) => new DataView(b)],
]);

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(text);
}

function bufferOf(bytes: unknown, beside: readonly Uint8Array<ArrayBuffer>[]): ArrayBuffer {
  if (typeof bytes !== "number") return fromBase64(String(bytes)).buffer;
  const own = beside[bytes];
  if (!own) throw new TypeError("index outside the bytes");
  // Each node has bytes of its own, but untrusted text may name some twice.
  return own.buffer;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
