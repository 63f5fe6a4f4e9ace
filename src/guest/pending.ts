/**
 * Calls the guest has started and the host has not settled. The table is part of the heap, so an image taken while
 * calls are pending can be restored anywhere and settled there, by id.
 */
import { decode } from "./decode.js";
import { defineData } from "./define-data.js";
import { encode } from "./encode.js";
import { giveUpTable, newTable, tableDelete, tableGet, tableSet, tableSize } from "./eval-table.js";
import { tellHost } from "./host.js";
import {
  NativeError,
  NativePromise,
  ObjectHasOwn,
  ObjectPropertyIsEnumerable,
  StringIndexOf,
  StringSlice,
} from "./primordials.js";
import { keep } from "./promises.js";

interface PendingCall {
  promise: Promise<unknown> | undefined;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
  /** Where the call was made: a failure that comes back has a stack of ours, which tells nobody anything. */
  readonly stack: unknown;
}

const pending = newTable<number, PendingCall>();
let nextId = 1;

/** Starts a host function; `name` is looked up by the host now, not when the reference was taken. */
export function callHostFunction(name: string, label: string, input: unknown): Promise<unknown> {
  const { stack } = new NativeError("");
  const call: PendingCall = { promise: undefined, resolve: nothing, reject: nothing, stack };
  call.promise = new NativePromise((resolve, reject) => {
    call.resolve = resolve;
    call.reject = reject;
    const argument = input === undefined ? "" : encode(input, `${label}: the argument`);
    const id = nextId++;
    // Throws when the host refuses; it answers an accepted call only later.
    tellHost("call", `${id}\n${name}\n${argument}`);
    tableSet(pending, id, call);
  });
  return call.promise;
}

function nothing(): void {}

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
    const call = tableGet(pending, id);
    tableDelete(pending, id);
    if (call) {
      const text = StringSlice(batch, mark + 1, end);
      const value = text.length === 0 ? undefined : decode(text, 0);
      if (fulfilled) call.resolve(value);
      else {
        keep(call.promise);
        call.reject(withStack(value, call.stack));
      }
    }
    at = end;
  }
}

/** Gives an error another stack; anything else stays as it is. */
export function withStack(reason: unknown, stack: unknown): unknown {
  if (typeof reason !== "object" || reason === null || !ObjectHasOwn(reason, "stack")) return reason;
  defineData(reason, "stack", stack, ObjectPropertyIsEnumerable(reason, "stack"));
  return reason;
}

/** Forgets every pending call: what awaits them never runs. */
export function dropPending(): void {
  giveUpTable(pending);
}

export function pendingCount(): number {
  return tableSize(pending);
}
