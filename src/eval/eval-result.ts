/** From an evaluation's outcome to the result the caller gets. */

import { type FailureContext, type GuestErrorReport, toFailure } from "../result/failure.js";
import type { EvalFailure, EvalResult } from "../result/outcome.js";
import { valuelessNote } from "../result/result-text.js";
import type { TransformResult } from "../transform/index.js";
import { decodeValue } from "../values/decode-value.js";
import type { Evaluation } from "./evaluation.js";
import type { Outcome } from "./program-outcome.js";

/** What an eval came to, for the caller: positions in the model's own source, remarks, the value. */
export function toResult(
  outcome: Outcome,
  evaluation: Evaluation,
  context: Omit<FailureContext, "code">,
  transformed?: TransformResult & { ok: true },
): EvalResult {
  const notes = [...(transformed?.notes ?? [])];
  for (const report of evaluation.unhandled as GuestErrorReport[]) {
    const failure = toFailure(report, { ...context, code: "GUEST_THROW" });
    notes.push(`unhandled rejection: ${failure.thrown ?? `${failure.name}: ${failure.message}`}`);
  }
  if (evaluation.clearedTimers > 0) {
    notes.push(clearedTimersNote(evaluation.clearedTimers));
  }
  if (evaluation.memoryIsFull) {
    notes.push(
      "the session's memory is full: let go of what is not needed (set variables to undefined, delete keys)",
    );
  }
  const report = { logs: evaluation.logs, notes, statistics: evaluation.statistics };
  if (outcome.status === "paused") return { status: "paused", calls: outcome.calls, ...report };
  if (outcome.status === "failed") {
    return { status: "failed", error: failureOf(outcome, context), ...report };
  }
  const value = outcome.value === undefined ? undefined : decodeValue(outcome.value, outcome.bytes);
  const kind = transformed?.kind ?? "program";
  const declared = transformed?.declared ?? [];
  const isValueless = outcome.kind === "undefined" || kind === "function";
  // How an empty source was read says already that there was nothing to run.
  const isExplained = kind === "empty" && notes.length > 0;
  const remark = isValueless && !isExplained ? valuelessNote({ kind, declared }) : undefined;
  if (remark) notes.push(remark);
  // What the notes or the console say needs no arrow with nothing behind it.
  const isSilent =
    isValueless &&
    (remark !== undefined || evaluation.logs.length > 0 || (kind !== "program" && notes.length > 0));
  if (outcome.hint) notes.push(outcome.hint);
  return {
    status: "completed",
    kind,
    declared,
    text: isSilent ? "" : outcome.text,
    abbreviated: outcome.abbreviated,
    ...(transformed?.valueName !== undefined && { valueName: transformed.valueName }),
    value,
    ...report,
  };
}

/** An eval that did not come to an outcome of its own. */
export function failed(error: EvalFailure, evaluation?: Evaluation): EvalResult {
  const statistics = evaluation?.statistics ?? { guestMs: 0, totalMs: 0, calls: 0 };
  return { status: "failed", error, logs: evaluation?.logs ?? [], notes: [], statistics };
}

function failureOf(
  outcome: Outcome & { status: "failed" },
  context: Omit<FailureContext, "code">,
): EvalFailure {
  if (outcome.report === undefined) {
    return {
      code: outcome.code,
      name: failureNames[outcome.code] ?? "Error",
      message: outcome.message ?? "",
      frames: [],
    };
  }
  const report = outcome.report as GuestErrorReport;
  const code = outcome.phase === "compile" && report.name === "SyntaxError" ? "GUEST_SYNTAX" : outcome.code;
  return toFailure(report, { ...context, code });
}

const failureNames: Partial<Record<EvalFailure["code"], string>> = {
  TIMEOUT: "TimeoutError",
  WAIT_TIMEOUT: "TimeoutError",
  MEMORY: "OutOfMemoryError",
  ABORTED: "AbortError",
  GUEST_UNSETTLED: "DeadlockError",
};

function clearedTimersNote(count: number): string {
  return count === 1
    ? "1 timer was still pending and has been cancelled; await it to let it run"
    : `${count} timers were still pending and have been cancelled; await them to let them run`;
}
