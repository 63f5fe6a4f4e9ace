/**
 * Calls the guest has started and the host has not settled. The table is part of the heap, so an image taken while
 * calls are pending can be restored anywhere and settled there, by id.
 */
import { decode, encode } from "./codec.js";
import { askHost } from "./host.js";
import {
  MapClear,
  MapDelete,
  MapGet,
  MapSet,
  MapSize,
  NativeMap,
  NativePromise,
  StringIndexOf,
  StringSlice,
} from "./primordials.js";

interface PendingCall {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

const pending = new NativeMap<number, PendingCall>();
let nextId = 1;

/** Starts a host function; `name` is looked up by the host now, not when the reference was taken. */
export function callHostFunction(name: string, label: string, input: unknown): Promise<unknown> {
  return new NativePromise((resolve, reject) => {
    const argument = input === undefined ? "" : encode(input, `${label}: the argument`);
    const id = nextId++;
    MapSet(pending, id, { resolve, reject });
    askHost("call", `${id}\n${name}\n${argument}`);
  });
}

/**
 * Settles calls: for each, `id` `=` or `!`, the length of the encoded value in code units, a newline, the value.
 * One text for many results costs one crossing.
 */
export function settle(batch: string): void {
  let at = 0;
  while (at < batch.length) {
    const mark = StringIndexOf(batch, "\n", at);
    const head = StringSlice(batch, at, mark);
    const fulfilled = StringIndexOf(head, "=") !== -1;
    const separator = StringIndexOf(head, fulfilled ? "=" : "!");
    const id = +StringSlice(head, 0, separator);
    const end = mark + 1 + +StringSlice(head, separator + 1);
    const call = MapGet(pending, id);
    MapDelete(pending, id);
    if (call) {
      const text = StringSlice(batch, mark + 1, end);
      const value = text.length === 0 ? undefined : decode(text, 0);
      if (fulfilled) call.resolve(value);
      else call.reject(value);
    }
    at = end;
  }
}

/** Forgets every pending call: what awaits them never runs. */
export function dropPending(): void {
  MapClear(pending);
}

export function pendingCount(): number {
  return MapSize(pending);
}
