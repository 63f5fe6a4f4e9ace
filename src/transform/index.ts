import type { Program } from "acorn";
import type { EvalFailure } from "../outcome.js";
import { type CompileOptions, compile, type Transformed } from "./compile.js";
import { compileModule, type TransformedModule } from "./module.js";
import {
  asWritten,
  countFences,
  otherReadings,
  type Reading,
  startsWithFence,
  unescapedReadings,
  unfence,
} from "./normalise.js";
import { located, parseSource, SourceError, startsAsObject } from "./parse.js";
import { failureAt, lineAt, positionAt } from "./positions.js";
import { describeNonCode, findFence } from "./refuse.js";
import { hasTypeArguments, loadTypeScript, parseStripped, type TypeScript } from "./typescript.js";

export type { SourceKind, Transformed } from "./compile.js";
export type { TransformedModule } from "./module.js";
export type { Position } from "./positions.js";

/**
 * What a model wrote, as one script for the engine. The steps: read it as JavaScript, else as TypeScript, else as
 * code in wrapping that is easily recognised; then a few edits, each on its own line, that make the top level
 * persist. Pure; the TypeScript compiler is only loaded when the text is no JavaScript.
 */
export interface TransformOptions {
  /** Whether `import` has modules to come from. @default false */
  readonly modules?: boolean;
  /** Global function that imports call. @default "__import__" */
  readonly importFunction?: string;
  /** Label of the eval, for the frames of a failure. @default "eval" */
  readonly label?: string;
  /** Further globals that cannot be assigned, besides `tools`, `task` and `console`. @default [] */
  readonly reserved?: readonly string[];
}

export type TransformResult = Transformed | { readonly ok: false; readonly failure: EvalFailure };

type Settings = Omit<CompileOptions, "isTypeScript">;
type Outcome<T = Transformed> = T | { readonly ok: false; readonly error: SourceError };

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
  const { modules = false, importFunction = "__import__", reserved = [], label = "eval" } = options;
  // A byte order mark is not text.
  const written = source.startsWith("\ufeff") ? source.slice(1) : source;
  const key = `${modules} ${importFunction} ${reserved.join()}`;
  const known = recent.find((entry) => entry.written === written && entry.key === key);
  if (known) return toResult(known.outcome, written, label);
  const remember = (outcome: Outcome): TransformResult => {
    recent.unshift({ written, key, outcome });
    if (recent.length > maxRecent) recent.pop();
    return toResult(outcome, written, label);
  };
  const outcome = read(written, { modules, importFunction, reserved });
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
  const reading = asWritten(written);
  const label = options.label ?? "module";
  const parsed = attempt(() => parseSource(written, "module"));
  if (!(parsed instanceof SourceError))
    return toResult(
      outcomeOf(() => compileModule(reading, parsed)),
      written,
      label,
    );
  if (parsed.isRefusal) return toResult<TransformedModule>({ ok: false, error: parsed }, written, label);
  return withTypeScript((typescript) => {
    const outcome = outcomeOf(() => compileTypeScriptModule(reading, typescript));
    if (outcome.ok || outcome.error.isRefusal || outcome.error.offset > parsed.offset)
      return toResult(outcome, written, label);
    return toResult<TransformedModule>({ ok: false, error: parsed }, written, label);
  });
}

const asIs = (offset: number) => offset;

function compileTypeScriptModule(reading: Reading, typescript: TypeScript): TransformedModule {
  const stripped = located(asIs, () => typescript.strip(reading.text, { keepUnusedImports: false }));
  return located(stripped.toSource, () => {
    const program = parseStripped(reading.text, stripped, "module");
    return compileModule({ ...reading, text: stripped.code, toWritten: stripped.toSource }, program);
  });
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

function read(written: string, settings: Settings): Outcome | Promise<Outcome> {
  const isFenced = startsWithFence(written);
  const isOneBlock = isFenced && countFences(written) <= 2;
  const reading = isOneBlock ? unfence(written) : asWritten(written);
  const parsed = attempt(() => located(reading.toWritten, () => parseSource(reading.text)));
  if (parsed instanceof SourceError) {
    if (parsed.isRefusal) return { ok: false, error: parsed };
    return withTypeScript((typescript) => readOtherwise(reading, parsed, typescript, settings));
  }
  if (parsed.body.length === 0) {
    // `// plan\nconst a = 1` with an escaped line break is nothing but a comment.
    for (const other of unescapedReadings(reading)) {
      const program = attempt(() => parseSource(other.text));
      if (!(program instanceof SourceError) && program.body.length > 0)
        return outcomeOf(() => compileJavaScript(other, program, settings));
    }
  }
  const fence = findFence(reading.text, parsed);
  if (fence) {
    const message = describeNonCode(reading.text, "") ?? "A template literal is not a function";
    return { ok: false, error: new SourceError(message, reading.toWritten(fence.start)) };
  }
  if (!hasTypeArguments(reading.text, parsed))
    return outcomeOf(() => compileJavaScript(reading, parsed, settings));
  return withTypeScript((typescript) => {
    const outcome = outcomeOf(() => compileTypeScript(reading, typescript, settings));
    if (!outcome.ok) return outcomeOf(() => compileJavaScript(reading, parsed, settings));
    const note = "Read as TypeScript: `<...>(` as type arguments, not as comparisons.";
    return { ...outcome, notes: [...outcome.notes, note] };
  });
}

function withTypeScript<T>(work: (typescript: TypeScript) => T): T | Promise<T> {
  const typescript = loadTypeScript();
  return typescript instanceof Promise ? typescript.then(work) : work(typescript);
}

/** The text is no JavaScript: TypeScript, then other readings of it, then the best explanation there is. */
function readOtherwise(
  reading: Reading,
  javascriptError: SourceError,
  typescript: TypeScript,
  settings: Settings,
): Outcome {
  const { text } = reading;
  if (startsAsObject(text)) {
    const toWritten = (offset: number) => reading.toWritten(Math.max(offset - 1, 0));
    const literal: Reading = { ...reading, text: `(${text}\n)`, toWritten };
    const outcome = outcomeOf(() => compileTypeScript(literal, typescript, settings));
    if (outcome.ok) return outcome;
  }
  const outcome = outcomeOf(() => compileTypeScript(reading, typescript, settings));
  if (outcome.ok || outcome.error.isRefusal) return outcome;
  for (const other of otherReadings(reading)) {
    const otherOutcome = outcomeOf(() => compileEither(other, typescript, settings));
    if (otherOutcome.ok || otherOutcome.error.isRefusal) return otherOutcome;
  }
  // Whoever got further understood more of the text.
  const error = outcome.error.offset > javascriptError.offset ? outcome.error : javascriptError;
  const { written } = reading;
  const line = lineAt(written, positionAt(written, Math.min(error.offset, written.trimEnd().length)).line);
  const nonCode = describeNonCode(text, line);
  if (nonCode !== undefined) return { ok: false, error: new SourceError(nonCode, error.offset) };
  const jsx = findJsx(text, javascriptError, typescript);
  return { ok: false, error: jsx?.movedTo(reading.toWritten(jsx.offset)) ?? error };
}

function findJsx(text: string, error: SourceError, typescript: TypeScript): SourceError | undefined {
  if (!/<\/|\/>/.test(text) || !typescript.isJsx(text)) return undefined;
  const element = /(?<=^|[=(,?:&|[{>]|return)\s*<[A-Za-z>]/.exec(text);
  const offset = element ? element.index + element[0].indexOf("<") : error.offset;
  return new SourceError(
    "JSX is not supported here: there is nothing to render to; build strings or plain objects instead",
    offset,
  );
}

function compileEither(reading: Reading, typescript: TypeScript, settings: Settings): Transformed {
  const parsed = attempt(() => parseSource(reading.text));
  return parsed instanceof SourceError
    ? compileTypeScript(reading, typescript, settings)
    : compileJavaScript(reading, parsed, settings);
}

function compileJavaScript(reading: Reading, program: Program, settings: Settings): Transformed {
  return located(reading.toWritten, () => compile(reading, program, { ...settings, isTypeScript: false }));
}

function compileTypeScript(reading: Reading, typescript: TypeScript, settings: Settings): Transformed {
  const stripped = located(reading.toWritten, () =>
    typescript.strip(reading.text, { keepUnusedImports: !settings.modules }),
  );
  const toWritten = (offset: number) => reading.toWritten(stripped.toSource(offset));
  return located(toWritten, () => {
    const program = parseStripped(reading.text, stripped, "script");
    return compile({ ...reading, text: stripped.code, toWritten }, program, {
      ...settings,
      isTypeScript: true,
    });
  });
}

function attempt<T>(work: () => T): T | SourceError {
  try {
    return work();
  } catch (error) {
    if (error instanceof SourceError) return error;
    throw error;
  }
}

function outcomeOf<T extends { readonly ok: true }>(work: () => T): Outcome<T> {
  const outcome = attempt(work);
  return outcome instanceof SourceError ? { ok: false, error: outcome } : outcome;
}
