/**
 * `console`, like Node's for what a program prints. Methods work detached and never run code of the guest's: what
 * they print comes from `render.ts`.
 */

import { formatArguments } from "./console-format.js";
import { tableText } from "./console-table.js";
import { defineConstant } from "./define-data.js";
import { giveUpTable, newTable, tableDelete, tableGet, tableSet } from "./eval-table.js";
import { definePermanent } from "./permanent-globals.js";
import { StringIndexOf, StringSlice, SymbolToStringTag } from "./primordials.js";
import { render } from "./render.js";

type Emit = (level: string, text: string) => void;

export interface ConsoleOptions {
  /** Milliseconds, where the session has a clock. Without one, timers say that nothing was measured. */
  readonly now?: () => number | undefined;
}

let maxChars = 4000;
let groupIndent = "";
let emitLine: Emit = () => {};
let now: () => number | undefined = () => undefined;
const counts = newTable<string, number>();
const timers = newTable<string, number>();

/** Defines `console`; `emit` gets one call per message, which may hold several lines. */
export function installConsole(emit: Emit, options: ConsoleOptions = {}): void {
  emitLine = emit;
  if (options.now !== undefined) now = options.now;
  definePermanent("console", () => consoleObject);
}

/** Groups, counters and timers start afresh; for the beginning of an eval. */
export function resetConsole(): void {
  groupIndent = "";
  giveUpTable(counts);
  giveUpTable(timers);
}

/** No message is longer than this: more would not fit the result either. */
export function setConsoleLimit(chars: number): void {
  maxChars = chars;
}

function print(level: string, text: string): void {
  emitLine(level, groupIndent === "" ? text : indented(text));
}

function indented(text: string): string {
  let out = "";
  let start = 0;
  for (let at = StringIndexOf(text, "\n"); at >= 0; at = StringIndexOf(text, "\n", start)) {
    out += groupIndent + StringSlice(text, start, at + 1);
    start = at + 1;
  }
  return out + groupIndent + StringSlice(text, start);
}

/** A label as a program gives it: nothing is `default`, everything else as it would print. */
function labelText(label: unknown): string {
  return label === undefined
    ? "default"
    : typeof label === "string"
      ? label
      : render(label, { maxChars: 200 });
}

function elapsed(label: string): string {
  const from = tableGet(timers, label);
  const to = now();
  return from === undefined || to === undefined
    ? `${label}: not measured, there is no clock here`
    : `${label}: ${to - from}ms`;
}

const consoleObject = {
  log(...args: unknown[]) {
    print("log", formatArguments(args, 0, maxChars));
  },
  info(...args: unknown[]) {
    print("info", formatArguments(args, 0, maxChars));
  },
  debug(...args: unknown[]) {
    print("debug", formatArguments(args, 0, maxChars));
  },
  warn(...args: unknown[]) {
    print("warn", formatArguments(args, 0, maxChars));
  },
  error(...args: unknown[]) {
    print("error", formatArguments(args, 0, maxChars));
  },
  trace(...args: unknown[]) {
    print("debug", args.length === 0 ? "Trace" : `Trace: ${formatArguments(args, 0, maxChars)}`);
  },
  assert(condition?: unknown, ...args: unknown[]) {
    if (condition) return;
    print(
      "error",
      args.length === 0 ? "Assertion failed" : `Assertion failed: ${formatArguments(args, 0, maxChars)}`,
    );
  },
  dir(value?: unknown) {
    print("log", render(value, { maxChars, topLevel: typeof value !== "string" }));
  },
  dirxml(...args: unknown[]) {
    print("log", formatArguments(args, 0, maxChars));
  },
  table(data?: unknown, columns?: unknown) {
    print("log", tableText(data, columns) ?? formatArguments([data], 0, maxChars));
  },
  group(...args: unknown[]) {
    if (args.length > 0) print("log", formatArguments(args, 0, maxChars));
    if (groupIndent.length < 64) groupIndent += "  ";
  },
  groupCollapsed(...args: unknown[]) {
    if (args.length > 0) print("log", formatArguments(args, 0, maxChars));
    if (groupIndent.length < 64) groupIndent += "  ";
  },
  groupEnd() {
    groupIndent = StringSlice(groupIndent, 2);
  },
  count(label?: unknown) {
    const name = labelText(label);
    const count = (tableGet(counts, name) ?? 0) + 1;
    tableSet(counts, name, count);
    print("log", `${name}: ${count}`);
  },
  countReset(label?: unknown) {
    const name = labelText(label);
    if (!tableDelete(counts, name)) print("warn", `Count for '${name}' does not exist`);
  },
  time(label?: unknown) {
    const at = now();
    if (at !== undefined) tableSet(timers, labelText(label), at);
  },
  timeLog(label?: unknown, ...args: unknown[]) {
    const more = args.length === 0 ? "" : ` ${formatArguments(args, 0, maxChars)}`;
    print("log", elapsed(labelText(label)) + more);
  },
  timeEnd(label?: unknown) {
    const name = labelText(label);
    print("log", elapsed(name));
    tableDelete(timers, name);
  },
  timeStamp() {},
  profile() {},
  profileEnd() {},
  clear() {},
};
defineConstant(consoleObject, SymbolToStringTag, "console");
