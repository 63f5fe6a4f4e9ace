/** A table while it is written: the values that were met, each once, and how each was reached. */
import { newList } from "./lists.js";
import { ArrayPush, MapGet, MapSet, NativeMap, NativeTypeError } from "./primordials.js";

export interface ValueTable {
  readonly values: readonly unknown[];
  readonly places: readonly Place[];
  /** A value that was not met before goes to the end. A closure: it runs for everything in the value. */
  readonly indexOf: (value: unknown, holder: number, step: string) => number;
  /** The bytes of the value, which cross beside the table. */
  readonly views: Uint8Array[];
  /** Read as data: no guest code runs. */
  readonly asData: boolean;
}

/** How a value was reached: from the holder at this index, by this step. Written out only for an error. */
interface Place {
  readonly holder: number;
  readonly step: string;
}

/** @param where Names the root in errors. */
export function newValueTable(root: unknown, where: string, asData: boolean): ValueTable {
  const values = newList<unknown>();
  const places = newList<Place>();
  const indices = new NativeMap<unknown, number>();
  const indexOf = (value: unknown, holder: number, step: string): number => {
    // 0 and -0 are one key of a map.
    const known = value === 0 ? undefined : MapGet(indices, value);
    if (known !== undefined) return known;
    const index = ArrayPush(values, value) - 1;
    ArrayPush(places, { __proto__: null, holder, step } as unknown as Place);
    MapSet(indices, value, index);
    return index;
  };
  indexOf(root, -1, where);
  const views = newList<Uint8Array>();
  return { __proto__: null, values, places, views, indexOf, asData } as unknown as ValueTable;
}

/** The index of what crosses beside the table. */
export function besideTable({ views }: ValueTable, view: Uint8Array): number {
  return ArrayPush(views, view) - 1;
}

/** Refuses the value at this index; `why` goes on after its path. */
export function refuse({ places }: ValueTable, at: number, why: string): never {
  throw new NativeTypeError(`${pathTo(places, at)} ${why}`);
}

const MAX_STEPS = 20;

function pathTo(places: readonly Place[], index: number): string {
  let path = "";
  let at = index;
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const { holder, step } = places[at]!;
    path = step + path;
    if (holder === -1) return path;
    at = holder;
  }
  return `${places[0]!.step}...${path}`;
}
