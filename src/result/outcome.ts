import type { FailureCode } from "../errors.js";

/** One console line of an eval, as the guest printed it. */
export interface LogLine {
  readonly level: "log" | "info" | "warn" | "error" | "debug";
  readonly text: string;
}

/** A place in source that the model wrote: 1-based line and column of the eval it came from. */
export interface SourceFrame {
  /** Name of the function, empty at top level. */
  readonly functionName: string;
  /** Label of the eval, for example `eval 3`. */
  readonly label: string;
  readonly line: number;
  readonly column: number;
  /** The text of that line, when the eval's source is still known. */
  readonly sourceLine?: string;
}

/** What went wrong in an eval, as plain data. */
export interface EvalFailure {
  readonly code: FailureCode;
  /** `TypeError`, `MyError`, ...; for a thrown non-error the word `Thrown`. */
  readonly name: string;
  readonly message: string;
  /** Innermost first, only frames of source that the model wrote. */
  readonly frames: readonly SourceFrame[];
  /** The rendered value, when something other than an error was thrown. */
  readonly thrown?: string;
  /** `error.cause`, when it is an error. */
  readonly cause?: EvalFailure;
  /** `AggregateError.errors`, at most ten of them. */
  readonly errors?: readonly EvalFailure[];
  /** Own enumerable properties of the error beyond the standard ones, rendered. */
  readonly properties?: string;
  /** The session goes on in a new instance of the engine, from an earlier state; the message says which. */
  readonly rebuilt?: true;
}

/** Figures of one eval. */
export interface EvalStatistics {
  /** Time the guest itself ran, waiting for host functions excluded. */
  readonly guestMs: number;
  /** Whole eval, waiting included. */
  readonly totalMs: number;
  /** Host functions called. */
  readonly calls: number;
}

interface EvalReport {
  readonly logs: readonly LogLine[];
  /** Short remarks for the model: how the source was understood, what was dropped, what is unhandled. */
  readonly notes: readonly string[];
  readonly statistics: EvalStatistics;
}

export interface EvalCompleted extends EvalReport {
  readonly status: "completed";
  /** What kind of source it was: nothing, declarations only, a function that was not called, or a program. */
  readonly kind: "empty" | "declarations" | "function" | "program";
  /** Names the source declares at top level. */
  readonly declared: readonly string[];
  /** The completion value rendered for a reader; empty when there is none to show. */
  readonly text: string;
  /** The variable that holds the value, when the source ends in nothing but its name. */
  readonly valueName?: string;
  /** The text does not show all of the value. */
  readonly abbreviated: boolean;
  /** The completion value as a host value; `undefined` where `returns: "text"` was asked for. */
  readonly value: unknown;
}

export interface EvalFailed extends EvalReport {
  readonly status: "failed";
  readonly error: EvalFailure;
}

/** A gated host function was called; see `Session.resume`. */
export interface EvalPaused extends EvalReport {
  readonly status: "paused";
  readonly calls: readonly PausedCall[];
}

export interface PausedCall {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}

export type EvalResult = EvalCompleted | EvalFailed | EvalPaused;
