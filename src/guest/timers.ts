/** Timers as waiting: the host sleeps, the guest's clock budget does not run. All end with the eval that set them. */
import { defineData } from "./define-data.js";
import { describeThrown, encodeReport } from "./describe-error.js";
import { giveUpTable, newTable, tableDelete, tableGet, tableSet, tableSize } from "./eval-table.js";
import { tellHost } from "./host.js";
import { newList } from "./lists.js";
import { FunctionApply, MathMin, NativePromise, NativeTypeError } from "./primordials.js";
import { keep } from "./promises.js";

interface Timer {
  readonly callback: unknown;
  readonly args: readonly unknown[];
  /** Milliseconds between calls, -1 for a single one. */
  readonly interval: number;
}

const timers = newTable<number, Timer>();
let nextTimer = 1;

function start(name: string, repeat: boolean, args: readonly unknown[]): number {
  if (typeof args[0] !== "function")
    throw new NativeTypeError(`${name} needs a function as its first argument.`);
  const given = +(args[1] as number);
  const delay = given > 0 ? MathMin(given, 2147483647) : 0;
  const id = nextTimer++;
  tellHost("timer", `${id} ${delay}`);
  tableSet(timers, id, { callback: args[0], args: following(args), interval: repeat ? delay : -1 });
  return id;
}

/** What the callback gets. Not `slice`, which asks for `Symbol.species`. */
function following(args: readonly unknown[]): unknown[] {
  const rest = newList<unknown>();
  for (let index = 2; index < args.length; index++) rest[index - 2] = args[index];
  return rest;
}

function stop(id: unknown): void {
  const timer = +(id as number);
  if (tableDelete(timers, timer)) tellHost("timer-clear", `${timer}`);
}

/** Settles when that much time has passed for the host; the guest's own time stands still. */
export function sleep(ms: number): Promise<void> {
  return new NativePromise((resolve) => {
    start("setTimeout", false, [resolve, ms]);
  });
}

/** Called by the host when a timer is due. */
export function fire(id: number): void {
  const timer = tableGet(timers, id);
  if (!timer) return;
  if (timer.interval < 0) tableDelete(timers, id);
  else tellHost("timer", `${id} ${timer.interval}`);
  try {
    keep(FunctionApply(timer.callback, undefined, timer.args));
  } catch (error) {
    tellHost("unhandled", encodeReport(describeThrown(error)));
  }
}

/** Forgets all timers and says how many there were. */
export function clearTimers(): number {
  const count = tableSize(timers);
  giveUpTable(timers);
  return count;
}

export function installTimers(): void {
  const functions = {
    setTimeout: (...args: unknown[]) => start("setTimeout", false, args),
    setInterval: (...args: unknown[]) => start("setInterval", true, args),
    clearTimeout: (id?: unknown) => stop(id),
    clearInterval: (id?: unknown) => stop(id),
  };
  defineData(globalThis, "setTimeout", functions.setTimeout, false);
  defineData(globalThis, "setInterval", functions.setInterval, false);
  defineData(globalThis, "clearTimeout", functions.clearTimeout, false);
  defineData(globalThis, "clearInterval", functions.clearInterval, false);
}
