/** Text as host values; `value-format.ts` describes the format. What the guest wrote is checked. */

import { InterpreterError } from "../errors.js";
import { fromBase64 } from "./base64.js";
import { type Node, viewsByTag } from "./value-format.js";

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
      const make = viewsByTag.get(String(first));
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

function bufferOf(bytes: unknown, beside: readonly Uint8Array<ArrayBuffer>[]): ArrayBuffer {
  if (typeof bytes !== "number") return fromBase64(String(bytes)).buffer;
  const own = beside[bytes];
  if (!own) throw new TypeError("index outside the bytes");
  // Each node has bytes of its own, but untrusted text may name some twice.
  return own.buffer;
}
