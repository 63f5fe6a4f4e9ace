import type { Program } from "acorn";
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
  untag,
} from "./normalise.js";
import { located, parseSource, SourceError, startsAsObject } from "./parse.js";
import { lineAt, positionAt } from "./positions.js";
import { describeNonCode, findFence } from "./refuse.js";
import {
  hasTypeArguments,
  loadTypeScript,
  mayBeComparisons,
  parseStripped,
  type TypeScript,
} from "./typescript.js";

/**
 * How a text is understood: as JavaScript, else as TypeScript, else as code in wrapping that is easily recognised.
 * Errors it answers with point into the text the model wrote.
 */
export type Outcome<T = Transformed> = T | { readonly ok: false; readonly error: SourceError };

type Settings = Omit<CompileOptions, "isTypeScript">;

export function readSource(written: string, settings: Settings): Outcome | Promise<Outcome> {
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
    const message =
      describeNonCode(reading.text, "", settings.tools) ?? "A template literal is not a function";
    return { ok: false, error: new SourceError(message, reading.toWritten(fence.start)) };
  }
  if (!hasTypeArguments(reading.text, parsed))
    return outcomeOf(() => compileJavaScript(reading, parsed, settings));
  return withTypeScript((typescript) => {
    const outcome = outcomeOf(() => compileTypeScript(reading, typescript, settings));
    if (!outcome.ok) return outcomeOf(() => compileJavaScript(reading, parsed, settings));
    if (!mayBeComparisons(reading.text)) return outcome;
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
  const content = untag(reading);
  const contentOutcome = content && outcomeOf(() => compileEither(content, typescript, settings));
  if (contentOutcome?.ok) return contentOutcome;
  const jsx = findJsx(text, javascriptError, typescript);
  if (jsx) return { ok: false, error: jsx.movedTo(reading.toWritten(jsx.offset)) };
  for (const other of otherReadings(reading)) {
    const otherOutcome = outcomeOf(() => compileEither(other, typescript, settings));
    if (otherOutcome.ok || otherOutcome.error.isRefusal) return otherOutcome;
  }
  // Whoever got further understood more of the text.
  const error = outcome.error.offset > javascriptError.offset ? outcome.error : javascriptError;
  const { written } = reading;
  const line = lineAt(written, positionAt(written, Math.min(error.offset, written.trimEnd().length)).line);
  const nonCode = describeNonCode(text, line, settings.tools);
  if (nonCode !== undefined) return { ok: false, error: new SourceError(nonCode, error.offset) };
  return { ok: false, error };
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

export function readModule(
  written: string,
): Outcome<TransformedModule> | Promise<Outcome<TransformedModule>> {
  const reading = asWritten(written);
  const parsed = attempt(() => parseSource(written, "module"));
  if (!(parsed instanceof SourceError))
    return outcomeOf(() => located(reading.toWritten, () => compileModule(reading, parsed)));
  const failed: Outcome<TransformedModule> = { ok: false, error: parsed };
  if (parsed.isRefusal) return failed;
  return withTypeScript((typescript) => {
    const outcome = outcomeOf(() => compileTypeScriptModule(reading, typescript));
    return outcome.ok || outcome.error.isRefusal || outcome.error.offset > parsed.offset ? outcome : failed;
  });
}

function compileTypeScriptModule(reading: Reading, typescript: TypeScript): TransformedModule {
  const stripped = located(reading.toWritten, () =>
    typescript.strip(reading.text, { keepUnusedImports: false }),
  );
  return located(stripped.toSource, () => {
    const program = parseStripped(reading.text, stripped, "module");
    return compileModule({ ...reading, text: stripped.code, toWritten: stripped.toSource }, program);
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
