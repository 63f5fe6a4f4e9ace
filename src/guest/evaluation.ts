/** One eval as the guest sees it: what is put in place before, how its outcome reaches the host, what ends with it. */

import { ownData } from "./brands.js";
import { resetConsole, setConsoleLimit } from "./console.js";
import { defineConstant } from "./define-data.js";
import { describeThrown, encodeReport } from "./describe-error.js";
import { encode } from "./encode.js";
import { tellHost } from "./host.js";
import { forgetUnfinishedModules, offerImports } from "./modules.js";
import { dropPending, pendingCount } from "./pending.js";
import {
  ArrayIsArray,
  JSONParse,
  JSONStringify,
  NativeTypeError,
  ObjectGetOwnPropertyDescriptor,
  ObjectHasOwn,
  ObjectPrototype,
  PromiseThen,
} from "./primordials.js";
import { isPromise, letGoOfPromises } from "./promises.js";
import { isProxy } from "./proxies.js";
import { promiseHint, renderReport } from "./render.js";
import { clearTimers } from "./timers.js";
import { offerHostFunctions } from "./tools.js";

export interface EvalSettings {
  readonly tools: boolean;
  /** What static imports stand for; absent where there are no modules. */
  readonly imports?: [specifier: string, key: string][];
  /** Global host functions, such as `task`. */
  readonly globals: string[];
  /** The eval that was paused goes on: it is the same one. */
  readonly resumed: boolean;
  readonly maxRenderChars: number;
  readonly maxLogLineChars: number;
  /** What the host gets beside the text: the value, the value only if it may be content blocks, or nothing. */
  readonly returns: "value" | "content" | "text";
}

let settings: EvalSettings;
/** The text of `settings`; most evals of a session have the same. */
let settingsText = "";
/** Counts begun and ended evals: what an earlier program still reports is not this eval's outcome. */
let current = 0;

export function begin(text: string): void {
  if (text !== settingsText) {
    settings = JSONParse(text) as EvalSettings;
    settingsText = text;
  }
  // A program that was paused finds everything as it left it.
  if (settings.resumed) return;
  current++;
  offerHostFunctions(settings.tools, settings.globals);
  offerImports(settings.imports);
  resetConsole();
  setConsoleLimit(settings.maxLogLineChars);
  // The engine makes and resolves a program's outcome with an ordinary object.
  delete (ObjectPrototype as { then?: unknown }).then;
  delete (ObjectPrototype as { value?: unknown }).value;
}

/**
 * Makes room for the global variables a program declares and answers the first name that cannot be one. The engine
 * would keep what is there and ignore the assignment.
 */
export function declare(names: readonly string[]): string {
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!;
    const descriptor = ObjectGetOwnPropertyDescriptor(globalThis, name);
    if (descriptor === undefined || isAssignable(descriptor)) continue;
    if (!descriptor.configurable) return name;
    delete (globalThis as Record<string, unknown>)[name];
  }
  return "";
}

function isAssignable(descriptor: PropertyDescriptor): boolean {
  return ObjectHasOwn(descriptor, "value") ? descriptor.writable === true : descriptor.set !== undefined;
}

/** `program` is the promise of the program that was just started; it is fulfilled with `{ value }`. */
export function watch(program: Promise<unknown>): void {
  observe(program, (result) => {
    const holder =
      typeof result === "object" && result !== null
        ? ObjectGetOwnPropertyDescriptor(result, "value")
        : undefined;
    if (holder === undefined || !ObjectHasOwn(holder, "value")) {
      // The engine resolves a program with an ordinary object, which a `then` or `value` on Object.prototype captures.
      fail(
        new NativeTypeError(
          "Object.prototype was given a `then` or `value`, so the value of the code is lost. Delete it.",
        ),
      );
      return;
    }
    const value: unknown = holder.value;
    if (isPromise(value)) observe(value, complete);
    else complete(value);
  });
}

function observe(promise: Promise<unknown>, fulfilled: (value: unknown) => void): void {
  const mine = current;
  // `then` consults `promise.constructor`; without one it uses the engine's own, whatever the guest did to `Promise`.
  hideConstructor(promise);
  PromiseThen(
    promise,
    (value) => {
      if (mine !== current) return;
      try {
        fulfilled(value);
      } catch (error) {
        fail(error);
      }
    },
    (reason) => {
      if (mine === current) fail(reason);
    },
  );
}

function hideConstructor(promise: object): void {
  try {
    defineConstant(promise, "constructor", undefined);
  } catch {
    // A frozen promise keeps what it has: its own program decides how it ends.
  }
}

/** Written by hand for the reason that `encodeReport` gives. */
function complete(value: unknown): void {
  const { text, abbreviated, promises } = renderReport(value, {
    maxChars: settings.maxRenderChars,
    topLevel: true,
  });
  let report = `{"kind":"${typeof value}","text":${JSONStringify(text)},"abbreviated":${abbreviated}`;
  if (promises > 0) report += `,"hint":${JSONStringify(promiseHint(promises))}`;
  // After the line of the report, so that a large value is written once and not as a text in a text.
  let encoded = "";
  if (settings.returns === "value" || (settings.returns === "content" && mayBeContent(value))) {
    try {
      encoded = encode(value, "the value", true);
    } catch {
      // What cannot cross (a function, say) is still described by its text.
    }
  }
  tellHost("done", `=${report}}\n${encoded}`);
}

/** Content blocks are short lists of objects with a `type`; the host decides. */
function mayBeContent(value: unknown): boolean {
  if (typeof value !== "object" || value === null || isProxy(value)) return false;
  if (!ArrayIsArray(value)) return ObjectHasOwn(value, "type");
  const first = ownData(value, 0);
  if (typeof first === "object" && first !== null && isProxy(first)) return false;
  return value.length <= 100 && typeof first === "object" && first !== null && ObjectHasOwn(first, "type");
}

function fail(reason: unknown): void {
  tellHost("done", `!${encodeReport(describeThrown(reason))}`);
}

/** Nothing of this eval runs after this: its calls are forgotten and its timers cleared. */
export function end(): string {
  const pending = pendingCount();
  current++;
  dropPending();
  forgetUnfinishedModules();
  letGoOfPromises();
  return `${pending} ${clearTimers()}`;
}
