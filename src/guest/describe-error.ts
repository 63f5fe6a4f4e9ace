/**
 * What a guest threw, as plain data for the host. Reads data properties only; see `brands.ts`. Reports have no
 * prototype, so that nothing the guest put on `Object.prototype` shows through.
 */
import { kindOf, ownData } from "./brands.js";
import { errorMessage, errorName, errorStack, isStandardErrorKey } from "./error-header.js";
import { ArrayIsArray, JSONStringify, MathMin, ObjectSetPrototypeOf, StringSlice } from "./primordials.js";
import { isProxy } from "./proxies.js";
import { cutMiddle, headEnd } from "./quote.js";
import { render, renderOwn } from "./render.js";

export interface GuestErrorReport {
  readonly isError: boolean;
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  /** The value, when it is not an error. */
  readonly rendered?: string;
  readonly cause?: GuestErrorReport;
  /** Of an AggregateError, the first ten. */
  readonly errors?: readonly GuestErrorReport[];
  /** Own enumerable properties beyond the standard ones. */
  readonly properties?: string;
}

const MAX_DEPTH = 6;
const MAX_ERRORS = 10;
const MAX_MESSAGE = 20_000;
const MAX_NAME = 200;
const MAX_STACK = 8000;
const MAX_PROPERTIES = 1000;

/** @param maxChars Bound of the rendered value when something else than an error was thrown. */
export function describeThrown(thrown: unknown, maxChars = 4000): GuestErrorReport {
  try {
    return toReport(thrown, maxChars, 0);
  } catch {
    return notError("[not enough memory or stack left to describe what was thrown]");
  }
}

function toReport(thrown: unknown, maxChars: number, depth: number): GuestErrorReport {
  if (typeof thrown !== "object" || thrown === null || kindOf(thrown) !== "error")
    return notError(render(thrown, { maxChars }));
  const { cause, errors, properties } = parts(thrown, maxChars, depth);
  return {
    __proto__: null,
    isError: true,
    name: start(errorName(thrown), MAX_NAME),
    message: cutMiddle(errorMessage(thrown), MAX_MESSAGE),
    stack: start(errorStack(thrown), MAX_STACK),
    ...(cause === undefined ? undefined : { cause }),
    ...(errors === undefined ? undefined : { errors }),
    ...(properties === undefined ? undefined : { properties }),
  } as GuestErrorReport;
}

function notError(rendered: string): GuestErrorReport {
  return {
    __proto__: null,
    isError: false,
    name: "Thrown",
    message: "",
    stack: "",
    rendered,
  } as GuestErrorReport;
}

function parts(error: object, maxChars: number, depth: number) {
  if (depth >= MAX_DEPTH) return { cause: undefined, errors: undefined, properties: undefined };
  const cause = ownData(error, "cause");
  return {
    cause: cause === undefined ? undefined : toReport(cause, maxChars, depth + 1),
    errors: describeErrors(ownData(error, "errors"), maxChars, depth),
    properties: renderOwn(
      error,
      (key) => isStandardErrorKey(key) || key === "cause" || key === "errors",
      MAX_PROPERTIES,
    ),
  };
}

function describeErrors(errors: unknown, maxChars: number, depth: number): GuestErrorReport[] | undefined {
  if (!ArrayIsArray(errors) || isProxy(errors)) return undefined;
  const reports: GuestErrorReport[] = [];
  // Neither a patched index setter nor a patched toJSON of Array.prototype reaches it.
  ObjectSetPrototypeOf(reports, null);
  const count = MathMin(errors.length, depth === 0 ? MAX_ERRORS : 2);
  for (let i = 0; i < count; i++) reports[i] = toReport(ownData(errors, i), maxChars, depth + 1);
  return reports;
}

function start(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : StringSlice(text, 0, headEnd(text, maxChars));
}

/**
 * A report as JSON. Written by hand, because `JSON.stringify` keeps its stack of open objects in an ordinary array:
 * with an index setter on `Array.prototype` it runs guest code.
 */
export function encodeReport(report: GuestErrorReport): string {
  let text = `{"isError":${report.isError}`;
  text += field("name", report.name) + field("message", report.message) + field("stack", report.stack);
  text += field("rendered", report.rendered) + field("properties", report.properties);
  if (report.cause !== undefined) text += `,"cause":${encodeReport(report.cause)}`;
  if (report.errors !== undefined) {
    let items = "";
    for (let i = 0; i < report.errors.length; i++)
      items += (i === 0 ? "" : ",") + encodeReport(report.errors[i] as GuestErrorReport);
    text += `,"errors":[${items}]`;
  }
  return `${text}}`;
}

function field(name: string, value: string | undefined): string {
  return value === undefined ? "" : `,"${name}":${JSONStringify(value)}`;
}
