/** Roughly how many bytes a value takes, from a sample of what it holds. Runs nothing the guest defined. */
import { arrayBufferLength, kindOf, typedArrayBytes } from "./brands.js";
import { newList } from "./lists.js";
import {
  ArrayPush,
  MapForEach,
  MapSize,
  MathRound,
  NativeSet,
  ObjectGetOwnPropertyDescriptor,
  ObjectHasOwn,
  ObjectKeys,
  SetAdd,
  SetForEach,
  SetHas,
  SetSize,
} from "./primordials.js";

/** Values looked at; what is left beyond them counts as their average. */
const SAMPLE = 600;
/** Items looked at in one list; each then stands for several. */
const ITEMS = 60;

export function estimateSize(root: unknown): number {
  const seen = new NativeSet<unknown>();
  const values = newList<unknown>();
  values[0] = root;
  const weights = newList<number>();
  weights[0] = 1;
  let bytes = 0;
  let looked = 0;
  let at = 0;
  for (; at < values.length && at < SAMPLE; at++) {
    const value = values[at];
    const weight = weights[at] as number;
    looked += weight;
    if (typeof value === "object" && value !== null) {
      if (SetHas(seen, value)) continue;
      SetAdd(seen, value);
      bytes += weight * (48 + contents(value, weight, values, weights));
    } else bytes += weight * primitiveSize(value);
  }
  let rest = 0;
  for (let index = at; index < weights.length; index++) rest += weights[index] as number;
  return MathRound(bytes + (looked > 0 ? (bytes / looked) * rest : 0));
}

function primitiveSize(value: unknown): number {
  if (typeof value === "string") return 16 + value.length;
  return typeof value === "function" ? 200 : 8;
}

/** Own bytes of an object; what it refers to is added to the lists. */
function contents(object: object, weight: number, values: unknown[], weights: number[]): number {
  const add = (value: unknown, stands: number) => {
    ArrayPush(values, value);
    ArrayPush(weights, weight * stands);
  };
  switch (kindOf(object)) {
    case "typed-array":
      return typedArrayBytes(object);
    case "array-buffer":
      return arrayBufferLength(object);
    case "array": {
      const { length } = object as unknown[];
      const step = length > ITEMS ? length / ITEMS : 1;
      for (let index = 0; index < length; index += step) {
        const descriptor = ObjectGetOwnPropertyDescriptor(object, index - (index % 1));
        if (descriptor && ObjectHasOwn(descriptor, "value")) add(descriptor.value, step);
      }
      return length * 8;
    }
    case "map": {
      const size = MapSize(object);
      const step = size > ITEMS ? size / ITEMS : 1;
      let count = 0;
      MapForEach(object as Map<unknown, unknown>, (item, key) => {
        if (count++ >= ITEMS) return;
        add(key, step);
        add(item, step);
      });
      return size * 40;
    }
    case "set": {
      const size = SetSize(object);
      const step = size > ITEMS ? size / ITEMS : 1;
      let count = 0;
      SetForEach(object as Set<unknown>, (item) => {
        if (count++ < ITEMS) add(item, step);
      });
      return size * 40;
    }
    case "proxy":
      return 0;
    default: {
      const keys = ObjectKeys(object);
      const step = keys.length > ITEMS ? keys.length / ITEMS : 1;
      for (let index = 0; index < keys.length && index < ITEMS; index++) {
        const descriptor = ObjectGetOwnPropertyDescriptor(object, keys[index]!);
        if (descriptor && ObjectHasOwn(descriptor, "value")) add(descriptor.value, step);
      }
      return keys.length * 16;
    }
  }
}
