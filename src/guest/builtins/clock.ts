/**
 * `Date` and `performance` without a clock of their own.
 *
 * The engine runs in UTC and its own clock stands still. What would read the clock asks the host, which throws
 * unless it was given one. Everything else of `Date` is the engine's, through the same prototype object.
 */
import { defineConstant } from "../define-data.js";
import { askHost } from "../host.js";
import {
  NativeDate,
  NativeNumber,
  ObjectDefineProperty,
  ReflectConstruct,
  SymbolToStringTag,
} from "../primordials.js";
import { defineBuiltin, defineMethods } from "./define.js";
import { DateToString } from "./intrinsics.js";

export const now = (): number => NativeNumber(askHost("clock", ""));

/** The time, where the session has a clock. */
export function readClock(): number | undefined {
  try {
    return now();
  } catch {
    return undefined;
  }
}

function GuestDate(this: unknown, ...values: unknown[]): unknown {
  if (new.target === undefined) return DateToString(new NativeDate(now()));
  return ReflectConstruct(NativeDate, values.length === 0 ? [now()] : values, new.target);
}

const dateStatics = {
  now(): number {
    return now();
  },
};

let origin: number | undefined;
const timeOrigin = () => (origin ??= now());

const performanceMethods = {
  now(): number {
    const start = timeOrigin();
    return now() - start;
  },
  get timeOrigin(): number {
    return timeOrigin();
  },
  toJSON(): { timeOrigin: number } {
    return { timeOrigin: timeOrigin() };
  },
};

export function installClock(): void {
  defineConstant(GuestDate, "name", "Date");
  defineConstant(GuestDate, "length", 7);
  ObjectDefineProperty(GuestDate, "prototype", { value: NativeDate.prototype, writable: false });
  defineMethods(GuestDate, dateStatics);
  defineBuiltin(GuestDate, "parse", NativeDate.parse);
  defineBuiltin(GuestDate, "UTC", NativeDate.UTC);
  defineBuiltin(NativeDate.prototype, "constructor", GuestDate);
  defineBuiltin(globalThis, "Date", GuestDate);

  const performance = {};
  defineMethods(performance, performanceMethods);
  defineConstant(performance, SymbolToStringTag, "Performance");
  defineBuiltin(globalThis, "performance", performance);
}
