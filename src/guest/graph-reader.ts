/** A graph of values from the table that `graph-writer.ts` wrote, in this version or any before it. */
import { fromBase64, takeBytes } from "./bytes.js";
import { defineData } from "./define-data.js";
import { errorClass } from "./error-classes.js";
import type { DataNode } from "./graph-writer.js";
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
  ObjectSetPrototypeOf,
  SetAdd,
} from "./primordials.js";
import { viewClass } from "./view-classes.js";

/** Objects for the nodes; `read` then answers what a value written with them is. */
export class GraphReader {
  readonly #objects: unknown[] = newList();

  constructor(nodes: readonly DataNode[]) {
    for (let index = 0; index < nodes.length; index++) ArrayPush(this.#objects, shell(nodes[index]!));
    // Views need their buffers, which are all there now.
    for (let index = 0; index < nodes.length; index++) {
      const node = nodes[index]!;
      if (node[0] === "t")
        this.#objects[index] = new (viewClass(node[1] as string))(
          this.read(node[2]!) as ArrayBuffer,
          node[3] as number,
          node[4] as number,
        );
    }
    for (let index = 0; index < nodes.length; index++) this.#fill(this.#objects[index], nodes[index]!);
  }

  read(value: unknown): unknown {
    if (!ArrayIsArray(value)) return value;
    const tag = value[0];
    if (typeof tag === "number") return this.#objects[tag];
    if (tag === "n") return NativeNumber(value[1]);
    if (tag === "b") return NativeBigInt(value[1] as string);
    return undefined;
  }

  #fill(target: unknown, node: DataNode): void {
    switch (node[0]) {
      case "o":
      case "O":
        this.#define(target as object, node, 1, true);
        return;
      case "e":
        this.#define(target as object, node, 2, false);
        return;
      case "a": {
        const array = target as unknown[];
        array.length = node.length - 1;
        for (let index = 1; index < node.length; index++) {
          const item = node[index]!;
          if (!(ArrayIsArray(item) && item[0] === "h")) defineData(array, index - 1, this.read(item), true);
        }
        return;
      }
      case "m":
        for (let index = 1; index < node.length; index += 2)
          MapSet(target as Map<unknown, unknown>, this.read(node[index]!), this.read(node[index + 1]!));
        return;
      case "s":
        for (let index = 1; index < node.length; index++)
          SetAdd(target as Set<unknown>, this.read(node[index]!));
        return;
    }
  }

  #define(target: object, node: DataNode, from: number, enumerable: boolean): void {
    for (let index = from; index < node.length; index += 2) {
      const key = node[index] as string;
      const shown = enumerable || !(key === "message" || key === "cause" || key === "errors");
      defineData(target, key, this.read(node[index + 1]!), shown);
    }
  }
}

function shell(node: DataNode): unknown {
  switch (node[0]) {
    case "j":
      return node[1];
    case "o":
      return {};
    case "O":
      return ObjectCreate(null);
    case "a":
      return [];
    case "m":
      return new NativeMap();
    case "s":
      return new NativeSet();
    case "d":
      return new NativeDate(node[1] === null ? Number.NaN : (node[1] as number));
    case "r": {
      const expression = new NativeRegExp(node[1] as string, node[2] as string);
      if (typeof node[3] === "number") expression.lastIndex = node[3];
      return expression;
    }
    case "A":
      return fromBase64(node[1] as string);
    case "B":
      return takeBytes(0, node[1] as number, node[2] as number);
    case "e": {
      const error = new NativeError();
      const type = errorClass(node[1] as string);
      return type === undefined ? error : ObjectSetPrototypeOf(error, type.prototype as object);
    }
    default:
      return undefined;
  }
}
