import type { EvalFailure } from "../result/outcome.js";
import type { Transformed } from "./compile.js";
import type { TransformedModule } from "./module.js";
import { failureAt } from "./positions.js";
import { type Outcome, readModule, readSource } from "./read.js";

export type { Transformed } from "./compile.js";
export type { TransformedModule } from "./module.js";

/**
 * What a model wrote, as one script for the engine. Pure; the TypeScript compiler is only loaded when the text is no
 * JavaScript.
 */
export interface TransformOptions {
  /** Whether `import` has modules to come from. @default false */
  readonly modules?: boolean;
  /** Global function that imports call. @default "__import__" */
  readonly importFunction?: string;
  /** Label of the eval, for the frames of a failure. @default "eval" */
  readonly label?: string;
  /** Whether there are functions in `tools`, for the texts of refusals. @default true */
  readonly tools?: boolean;
  /** Further globals that cannot be assigned, besides `tools`, `task` and `console`. @default [] */
  readonly reserved?: readonly string[];
  /** Globals whose getter throws; `typeof` is safe for them all the same. @default [] */
  readonly absent?: readonly string[];
}

export type TransformResult = Transformed | { readonly ok: false; readonly failure: EvalFailure };

export type ModuleResult = TransformedModule | { readonly ok: false; readonly failure: EvalFailure };

/** Models repeat themselves: the last outcomes are kept. They hold no state of a session. */
const maxRecent = 4;
const recent: { readonly written: string; readonly key: string; readonly outcome: Outcome }[] = [];

/**
 * The script to evaluate for a source text, or why there is none. A promise only where the text is no JavaScript
 * and the TypeScript compiler has not been loaded before.
 */
export function transformSource(
  source: string,
  options: TransformOptions = {},
): TransformResult | Promise<TransformResult> {
  const {
    modules = false,
    importFunction = "__import__",
    reserved = [],
    absent = [],
    label = "eval",
    tools = true,
  } = options;
  // A byte order mark is not text.
  const written = source.startsWith("\ufeff") ? source.slice(1) : source;
  const key = `${modules} ${tools} ${importFunction} ${reserved.join()} ${absent.join()}`;
  const known = recent.find((entry) => entry.written === written && entry.key === key);
  if (known) return toResult(known.outcome, written, label);
  const remember = (outcome: Outcome): TransformResult => {
    recent.unshift({ written, key, outcome });
    if (recent.length > maxRecent) recent.pop();
    return toResult(outcome, written, label);
  };
  const outcome = readSource(written, { modules, importFunction, reserved, absent, tools });
  return outcome instanceof Promise ? outcome.then(remember) : remember(outcome);
}

/**
 * The source text of a module, JavaScript or TypeScript, as an async function; see `TransformedModule.code`.
 * A promise under the same condition as `transformSource`.
 */
export function transformModule(
  source: string,
  options: Pick<TransformOptions, "label"> = {},
): ModuleResult | Promise<ModuleResult> {
  const written = source.startsWith("\ufeff") ? source.slice(1) : source;
  const label = options.label ?? "module";
  const outcome = readModule(written);
  return outcome instanceof Promise
    ? outcome.then((later) => toResult(later, written, label))
    : toResult(outcome, written, label);
}

function toResult<T extends { readonly ok: true }>(
  outcome: Outcome<T>,
  written: string,
  label: string,
): T | { readonly ok: false; readonly failure: EvalFailure } {
  if (outcome.ok) return outcome;
  const { offset, message, code } = outcome.error;
  return { ok: false, failure: failureAt(written, offset, message, { label, code }) };
}
