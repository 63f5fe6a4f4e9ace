/** One failure as text: header, position and source line, properties, then cause and collected errors, moved in. */
import type { FailureCode } from "../errors.js";
import type { EvalFailure, SourceFrame } from "./outcome.js";

/** Failures the guest cannot cause by throwing have headers it cannot write; see `result-text.ts`. */
const hostHeaders: Partial<Record<FailureCode, string>> = {
  GUEST_UNSETTLED: "Never settled",
  TIMEOUT: "Timeout",
  WAIT_TIMEOUT: "Wait timeout",
  MEMORY: "Out of memory",
  STACK: "Stack overflow",
  ABORTED: "Aborted",
  SESSION_REBUILT: "Session rebuilt",
};

const MAX_SHOWN_FRAMES = 6;
const SOURCE_WIDTH = 120;
const LINE_BREAKS = /\r\n|[\n\r\u2028\u2029]/g;

export function failureText(failure: EvalFailure): string {
  return lines(failure, "").join("\n");
}

function lines(failure: EvalFailure, indent: string): string[] {
  const inner = `${indent}  `;
  const own = [
    indentRest(header(failure), inner),
    ...positionLines(failure).map((line) => inner + line),
    ...(failure.properties === undefined ? [] : [inner + indentRest(failure.properties, inner)]),
  ];
  if (failure.cause !== undefined) own.push(`${inner}cause: ${nested(failure.cause, inner)}`);
  failure.errors?.forEach((error, i) => {
    own.push(`${inner}[${i}]: ${nested(error, inner)}`);
  });
  return own;
}

function nested(failure: EvalFailure, indent: string): string {
  return lines(failure, indent).join("\n");
}

function header(failure: EvalFailure): string {
  const { code, name, message, thrown } = failure;
  const host = hostHeaders[code];
  if (host !== undefined) return message === "" ? `${host}: ${name}` : `${host}: ${message}`;
  if (thrown !== undefined) return `Thrown: ${thrown}`;
  const shown = name.replace(LINE_BREAKS, " ");
  const uncaught = /^[\w$.]*(?:Error|Exception)$/.test(shown) ? "" : "Uncaught ";
  if (message !== "") return `${uncaught}${shown}: ${message}`;
  // The bare name alone could be a console line; with a position below it, it cannot.
  return failure.frames.length > 0 ? `${uncaught}${shown}` : `${uncaught}${shown}: (no message)`;
}

function positionLines(failure: EvalFailure): string[] {
  const [first, ...outer] = failure.frames;
  if (first === undefined) return [];
  const folded = foldRepeats(outer.map(place), place(first));
  const shown = folded.slice(0, MAX_SHOWN_FRAMES - 1);
  const left = folded.length - shown.length;
  if (left > 0) shown.push(`... ${left} more frames`);
  return [place(first), ...source(first, failure.code === "GUEST_SYNTAX"), ...shown];
}

/** A recursion is one line. */
function foldRepeats(places: readonly string[], above: string): string[] {
  const folded: string[] = [];
  let repeats = 0;
  for (const [i, text] of places.entries()) {
    const isRepeat = text === (places[i - 1] ?? above);
    if (isRepeat) repeats++;
    if (repeats > 0 && (!isRepeat || i === places.length - 1)) {
      folded.push(`... the same ${repeats} more ${repeats === 1 ? "time" : "times"}`);
      repeats = 0;
    }
    if (!isRepeat) folded.push(text);
  }
  return folded;
}

function place({ functionName, label, line, column }: SourceFrame): string {
  const position = `${label}, line ${line}, column ${column}`;
  if (functionName === "") return `at ${position}`;
  const name = functionName.replace(/[\s\u0000-\u001f]+/g, " ");
  return `at ${name.length > 60 ? `${name.slice(0, 57)}...` : name} (${position})`;
}

/** The line the model wrote, or the part of it around the column. */
function source({ sourceLine, column }: SourceFrame, caret: boolean): string[] {
  if (sourceLine === undefined || sourceLine.trim() === "") return [];
  const at = Math.min(Math.max(column - 1, 0), sourceLine.length);
  const from = sourceLine.length <= SOURCE_WIDTH ? 0 : Math.max(0, at - SOURCE_WIDTH / 2);
  const part = sourceLine.slice(from, from + SOURCE_WIDTH).replace(/\t/g, " ");
  const text = caret ? part.trimEnd() : part.trim();
  return caret ? [`  ${text}`, `  ${" ".repeat(at - from)}^`] : [`  ${text}`];
}

function indentRest(text: string, indent: string): string {
  return text.replace(LINE_BREAKS, `\n${indent}`);
}
