/** Maps and sets walked from the start, as far as the visitor wants, on the engine's own iterators. */
import { ObjectGetPrototypeOf, uncurry } from "./primordials.js";

type Next<T> = (iterator: object) => { readonly done: boolean; readonly value: T };
type Open = (collection: unknown) => object;

const openMap = uncurry(Map.prototype.entries) as unknown as Open;
const openSet = uncurry(Set.prototype.values) as unknown as Open;
const mapIterator = ObjectGetPrototypeOf(new Map().entries()) as { next: unknown };
const setIterator = ObjectGetPrototypeOf(new Set().values()) as { next: unknown };
const nextEntry = uncurry(mapIterator.next) as unknown as Next<readonly [unknown, unknown]>;
const nextMember = uncurry(setIterator.next) as unknown as Next<unknown>;

/** Stops when the visitor answers false. */
export function forEachEntry(map: object, visit: (key: unknown, value: unknown) => boolean): void {
  const iterator = openMap(map);
  for (let step = nextEntry(iterator); !step.done; step = nextEntry(iterator))
    if (!visit(step.value[0], step.value[1])) return;
}

export function forEachMember(set: object, visit: (item: unknown) => boolean): void {
  const iterator = openSet(set);
  for (let step = nextMember(iterator); !step.done; step = nextMember(iterator))
    if (!visit(step.value)) return;
}
