/**
 * An eval's result as the text a model reads: console lines as printed, then one outcome, then notes.
 *
 * ```
 * loaded 3 rows                          console.log
 * [warn] row 2 has no price              console.warn, console.error likewise
 * → {"total": 42}                        the value; or, for a failure:
 * RangeError: line three
 *   at eval 3, line 3, column 7
 *   throw new RangeError("line three")
 * (the rest of the note)
 * ```
 *
 * What the guest writes cannot be taken for our framing:
 * - a console line that begins like a line of ours (an arrow, a level prefix, `Error: `, a position, a note) is
 *   shown behind `[log] `;
 * - a value is behind the only bare arrow, and the prelude quotes a string one of whose lines begins like ours;
 * - messages and names of errors have their continuation lines moved in by two; a name that does not end in
 *   `Error` or `Exception` is shown behind `Uncaught `, so that no guest error reads like a failure of the host
 *   (`Timeout: ...`).
 */

import { cutMiddle, wellFormed } from "./cut-text.js";
import { failureText } from "./failure-text.js";
import { isFraming } from "./framing.js";
import type { EvalResult, LogLine } from "./outcome.js";

export interface ResultTextOptions {
  /** One budget for everything. When it cannot hold the cut marker, the text is the marker alone. @default 4000 */
  readonly maxResultChars?: number;
  /**
   * Where the whole value still is, for example `rows`; mentioned when part of the value is missing.
   * @default the variable the source ends in
   */
  readonly fullValueName?: string;
}

/** How a cell is understood that ends without a value: see `TransformResult`. */
export interface ValuelessCell {
  readonly kind: "empty" | "declarations" | "function" | "program";
  readonly declared: readonly string[];
}

const MAX_DECLARED_NAMES = 12;

export function formatResult(result: EvalResult, options: ResultTextOptions = {}): string {
  const { maxResultChars = 4000 } = options;
  const fullValueName =
    options.fullValueName ?? (result.status === "completed" ? result.valueName : undefined);
  const console = wellFormed(result.logs.map(logText).join("\n"));
  const outcome = wellFormed(outcomeText(result));
  const notes = [...result.notes];
  if (result.status === "completed" && result.abbreviated && fullValueName !== undefined)
    notes.push(`shortened; the whole value is in ${fullValueName}`);
  const sections = {
    console: result.logs.length === 0 ? undefined : console,
    outcome: outcome === "" ? undefined : outcome,
    notes: notes.length === 0 ? undefined : wellFormed(notes.map(noteText).join("\n")),
  };
  const whole = join(sections);
  if (whole.length <= maxResultChars) return whole;
  const where = result.status === "completed" ? fullValueName : undefined;
  return fitSections(sections, maxResultChars, whole, where);
}

/** The note for a cell that ran and has nothing to show; undefined when `→ undefined` or silence says it. */
export function valuelessNote(cell: ValuelessCell): string | undefined {
  const { kind, declared } = cell;
  if (kind === "empty") return "nothing to run";
  if (kind === "function")
    return `function, not called${declared[0] === undefined ? "" : `: ${declared[0]}`}`;
  if (kind === "program" || declared.length === 0) return undefined;
  const more = declared.length - MAX_DECLARED_NAMES;
  const names = declared.slice(0, MAX_DECLARED_NAMES).join(", ");
  return `defined: ${names}${more > 0 ? ` and ${more} more` : ""}`;
}

interface Sections {
  readonly console: string | undefined;
  readonly outcome: string | undefined;
  readonly notes: string | undefined;
}

function join({ console, outcome, notes }: Sections): string {
  return [console, outcome, notes].filter((section) => section !== undefined).join("\n");
}

/** Notes are short and come whole when they can; then the outcome; the console keeps at least a quarter. */
function fitSections(sections: Sections, max: number, whole: string, where: string | undefined): string {
  const length = (text: string | undefined) => (text === undefined ? 0 : text.length + 1);
  const notes = Math.min(length(sections.notes), Math.floor(max / 5));
  const rest = max + 1 - notes;
  const outcome = Math.min(
    length(sections.outcome),
    rest - Math.min(length(sections.console), Math.floor(rest / 4)),
  );
  const cut = (text: string | undefined, share: number, place?: string) =>
    text === undefined ? undefined : cutMiddle(text, share - 1, place);
  const fitted = join({
    console: cut(sections.console, rest - outcome),
    outcome: cut(sections.outcome, outcome, where),
    notes: cut(sections.notes, notes),
  });
  return fitted.length <= max ? fitted : cutMiddle(whole, max);
}

function logText({ level, text }: LogLine): string {
  if (level === "warn" || level === "error") return `[${level}] ${guarded(text, true)}`;
  return guarded(text, false);
}

/** @param prefixed The first line is behind a prefix of ours already. */
function guarded(text: string, prefixed: boolean): string {
  return text
    .split("\n")
    .map((line, i) => ((i === 0 && prefixed) || !isFraming(line) ? line : `[log] ${line}`))
    .join("\n");
}

function outcomeText(result: EvalResult): string {
  switch (result.status) {
    case "failed":
      return failureText(result.error);
    case "paused": {
      const names = result.calls.map((call) => call.name).join(", ");
      return `Paused: waiting for a decision on ${names}`;
    }
    case "completed":
      if (result.text !== "") return `→ ${result.text}`;
      return result.logs.length > 0 || result.notes.length > 0 ? "" : "→ undefined";
  }
}

function noteText(note: string): string {
  return `(${note.replace(/\s*[\n\r\u2028\u2029]\s*/g, " ")})`;
}
