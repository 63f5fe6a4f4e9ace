/** From what the guest threw to what the reader sees: positions in the model's own source, nothing of ours. */

import type { FailureCode } from "../errors.js";
import { calleeAt } from "./callee-text.js";
import type { EvalFailure, SourceFrame } from "./outcome.js";

/** What the guest reports about a thrown value; `src/guest/describe-error.ts` writes it. Untrusted. */
export interface GuestErrorReport {
  readonly isError: boolean;
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  readonly rendered?: string;
  readonly cause?: GuestErrorReport;
  readonly errors?: readonly GuestErrorReport[];
  readonly properties?: string;
}

export interface FailureContext {
  readonly code: FailureCode;
  /** `eval 3` for a file of the model's source, undefined for everything else. */
  readonly label: (file: string) => string | undefined;
  readonly mapPosition: (
    file: string,
    line: number,
    column: number,
  ) => { readonly line: number; readonly column: number } | undefined;
  readonly sourceLine: (file: string, line: number) => string | undefined;
  /** One sentence about a name that does not exist here. */
  readonly missing?: (name: string) => string | undefined;
}

const MAX_FRAMES = 20;
const MAX_SOURCE_LINE = 100_000;
/**
 * `    at name (eval-3.js:2:7)`, and for what the engine did not compile `    at eval-3.js:2:7`. The position is taken
 * from the end: a name may contain anything.
 */
const FRAME = /^ {4}at (?:(.*) \()?((?:eval|module)-\d+\.js):(\d+):(\d+)\)?$/;
const NOT_DEFINED = /^'?([\p{ID_Start}$_][\p{ID_Continue}$]*)'? is not defined$/u;

export function toFailure(report: GuestErrorReport, context: FailureContext): EvalFailure {
  const { name, rendered, cause, errors, properties } = report;
  const frames = parseFrames(report.stack, context);
  return {
    code: context.code,
    name: report.isError ? name : "Thrown",
    message: report.isError ? explained(report, frames[0], context) : "",
    frames,
    ...(report.isError ? undefined : { thrown: rendered ?? "undefined" }),
    ...(cause && { cause: toFailure(cause, { ...context, code: "GUEST_THROW" }) }),
    ...(errors && { errors: errors.map((error) => toFailure(error, { ...context, code: "GUEST_THROW" })) }),
    ...(properties !== undefined && { properties }),
  };
}

function explained(
  report: GuestErrorReport,
  frame: SourceFrame | undefined,
  { missing }: FailureContext,
): string {
  const name = report.name === "ReferenceError" ? NOT_DEFINED.exec(report.message)?.[1] : undefined;
  if (name === undefined) return withCallee(report, frame);
  const hint = missing?.(name);
  // The words of other engines, which readers know.
  return `${name} is not defined${hint === undefined ? "" : `. ${hint}`}`;
}

/** The engine says "not a function" of everything; where the model's own line made the call, its name goes in front. */
function withCallee({ name, message, stack }: GuestErrorReport, frame: SourceFrame | undefined): string {
  if (name !== "TypeError" || message !== "not a function" || frame?.sourceLine === undefined) return message;
  // A built-in that was given something else than a function is called correctly itself.
  if (!FRAME.test(stack.slice(0, Math.max(0, stack.indexOf("\n"))))) return message;
  const callee = calleeAt(frame.sourceLine, frame.column);
  if (callee === undefined) return message;
  return `${callee.text} is not a ${callee.constructed ? "constructor" : "function"}`;
}

/** Frames of the model's source, innermost first; those of the engine and of the prelude are dropped. */
function parseFrames(stack: string, context: FailureContext): SourceFrame[] {
  const frames: SourceFrame[] = [];
  for (const text of stack.split("\n")) {
    if (frames.length === MAX_FRAMES) break;
    const match = FRAME.exec(text);
    if (match === null) continue;
    const [, name = "", file, line, column] = match as unknown as [string, string, string, string, string];
    const label = context.label(file);
    if (label === undefined) continue;
    const position = context.mapPosition(file, Number(line), Number(column));
    if (position === undefined) continue;
    const sourceLine = context.sourceLine(file, position.line);
    frames.push({
      functionName: name === "<eval>" || name === "<anonymous>" ? "" : name,
      label,
      line: position.line,
      column: position.column,
      ...(sourceLine !== undefined && sourceLine.length <= MAX_SOURCE_LINE && { sourceLine }),
    });
  }
  return frames;
}
