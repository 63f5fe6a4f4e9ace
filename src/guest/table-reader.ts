/** The nodes of a table as guest values: first everything that needs no other node, then what is in it. */
import { takeBytes } from "./bytes.js";
import { defineData } from "./define-data.js";
import { errorClass } from "./error-classes.js";
import { newList } from "./lists.js";
import {
  ArrayIsArray,
  ArrayPush,
  MapSet,
  NativeBigInt,
  NativeDate,
  NativeError,
  NativeMap,
  NativeNumber,
  NativeRegExp,
  NativeSet,
  ObjectCreate,
  ObjectKeys,
  ObjectSetPrototypeOf,
  SetAdd,
} from "./primordials.js";
import { viewClass } from "./view-classes.js";

export function readTable(nodes: readonly unknown[]): unknown {
  const values = newList<unknown>();
  for (let index = 0; index < nodes.length; index++) ArrayPush(values, toShell(nodes[index]));
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index];
    if (ArrayIsArray(node) && node[0] !== "e") fill(values[index], node, values);
  }
  // An error takes over the fields of its data, so those have to be there.
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index];
    if (ArrayIsArray(node) && node[0] === "e") fill(values[index], node, values);
  }
  return values[0];
}

function toShell(node: unknown): unknown {
  if (!ArrayIsArray(node)) return node;
  switch (node[0]) {
    case "n":
      return NativeNumber(node[1]);
    case "b":
      return NativeBigInt(node[1] as string);
    case "d":
      return new NativeDate(node[1] === null ? NaN : (node[1] as number));
    case "r":
      return new NativeRegExp(node[1] as string, node[2] as string);
    case "t": {
      const View = viewClass(node[1] as string);
      return new View(takeBytes(node[2] as number, 0, node[3] as number));
    }
    case "A":
      return takeBytes(node[1] as number, 0, node[2] as number);
    case "e":
      return toError(node[1] as string, node[2] as string);
    case "m":
      return new NativeMap();
    case "s":
      return new NativeSet();
    case "a":
      return [];
    case "o":
      return {};
    case "O":
      return ObjectCreate(null);
    default:
      return undefined;
  }
}

/** An error of a class that is not the language's keeps its name. */
function toError(name: string, message: string): Error {
  const error = new NativeError(message);
  const type = errorClass(name);
  if (type === undefined) defineData(error, "name", name, false);
  else ObjectSetPrototypeOf(error, type.prototype as object);
  return error;
}

function fill(target: unknown, node: unknown[], values: unknown[]): void {
  switch (node[0]) {
    case "a":
      for (let index = 1; index < node.length; index++) {
        const at = node[index] as number;
        if (at === -1) (target as unknown[]).length = index;
        else defineData(target as object, index - 1, values[at], true);
      }
      break;
    case "o":
    case "O":
      for (let index = 1; index < node.length; index += 2)
        defineData(target as object, node[index] as string, values[node[index + 1] as number], true);
      break;
    case "m":
      for (let index = 1; index < node.length; index += 2) {
        const key = values[node[index] as number];
        MapSet(target as Map<unknown, unknown>, key, values[node[index + 1] as number]);
      }
      break;
    case "s":
      for (let index = 1; index < node.length; index++)
        SetAdd(target as Set<unknown>, values[node[index] as number]);
      break;
    case "e":
      fillError(target as object, node, values);
      break;
  }
}

function fillError(error: object, node: readonly unknown[], values: readonly unknown[]): void {
  const cause = node[3] as number;
  const errors = node[4] as number;
  const fields = node[5] as number;
  if (cause !== -1) defineData(error, "cause", values[cause], false);
  if (errors !== -1) defineData(error, "errors", values[errors], false);
  if (fields === -1) return;
  const data = values[fields] as Record<string, unknown>;
  const keys = ObjectKeys(data);
  for (let index = 0; index < keys.length; index++) defineData(error, keys[index]!, data[keys[index]!], true);
}
