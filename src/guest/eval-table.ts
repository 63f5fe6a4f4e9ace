/**
 * Maps that are given up with the eval that filled them. The engine never makes the table of an emptied map smaller;
 * and a new one made when a flood ends would lie behind all that the flood took, and split that room for good. So
 * there is none until the next entry.
 */
import { MapDelete, MapGet, MapSet, MapSize, NativeMap } from "./primordials.js";

export interface EvalTable<K, V> {
  map: Map<K, V> | undefined;
}

export function newTable<K, V>(): EvalTable<K, V> {
  return { __proto__: null, map: undefined } as unknown as EvalTable<K, V>;
}

export function tableGet<K, V>({ map }: EvalTable<K, V>, key: K): V | undefined {
  return map === undefined ? undefined : MapGet(map, key);
}

export function tableSet<K, V>(table: EvalTable<K, V>, key: K, value: V): void {
  table.map ??= new NativeMap<K, V>();
  MapSet(table.map, key, value);
}

/** False when there was no such entry. */
export function tableDelete<K, V>({ map }: EvalTable<K, V>, key: K): boolean {
  return map !== undefined && MapDelete(map, key);
}

export function tableSize<K, V>({ map }: EvalTable<K, V>): number {
  return map === undefined ? 0 : MapSize(map);
}

export function giveUpTable<K, V>(table: EvalTable<K, V>): void {
  table.map = undefined;
}
