/** What a program came to, still in the guest's terms, and what has to be kept of one that waits for approvals. */

import type { FailureCode } from "../errors.js";
import type { GuestErrorReport } from "../result/failure.js";
import type { LogLine, PausedCall } from "../result/outcome.js";
import { decodeValue } from "../values/decode-value.js";
import { encodeValue } from "../values/encode-value.js";

export type Outcome =
  | {
      readonly status: "completed";
      readonly kind: string;
      readonly text: string;
      readonly value: string | undefined;
      /** The bytes in the value, beside its text; see `decodeValue`. */
      readonly bytes?: readonly Uint8Array<ArrayBuffer>[];
      readonly abbreviated: boolean;
      readonly hint: string | undefined;
    }
  /** `report` is the guest's description of what was thrown; absent when the host ended the eval. */
  | {
      readonly status: "failed";
      readonly code: FailureCode;
      readonly message?: string;
      readonly report?: unknown;
      /** `"compile"`: the engine refused the source, nothing of it ran. */
      readonly phase?: "compile";
    }
  | { readonly status: "paused"; readonly calls: readonly PausedCall[] };

/** Everything of a paused eval that is not in the heap. Plain data. */
export interface PausedEvaluation {
  readonly logs: readonly LogLine[];
  readonly usedMs: number;
  readonly waitedMs: number;
  readonly calls: number;
  /** How many of them count for the budget. */
  readonly toolCalls?: number;
  readonly gated: readonly PausedCall[];
  readonly timers: readonly { readonly id: number; readonly leftMs: number }[];
  /** The program itself has ended; only calls it did not await are open. */
  readonly done?: Outcome | undefined;
}

/** How an approval ended: run the call (with this input), or settle it without running. */
export type CallDecision =
  | { readonly type: "run"; readonly input: unknown }
  | { readonly type: "resolve"; readonly value: unknown }
  | { readonly type: "reject"; readonly error: unknown }
  | { readonly type: "wait" };

/** The guest's own report of its end: `=` or `!`, JSON, and behind a line break the value. */
export function readReport(argument: string, bytes: readonly Uint8Array<ArrayBuffer>[]): Outcome {
  // JSON has no line break of its own.
  const end = argument.indexOf("\n");
  const report = JSON.parse(end === -1 ? argument.slice(1) : argument.slice(1, end)) as {
    kind: string;
    text: string;
    abbreviated?: boolean;
    hint?: string;
  };
  if (!argument.startsWith("=")) return { status: "failed", code: "GUEST_THROW", report };
  const { kind, text, abbreviated = false, hint } = report;
  return {
    status: "completed",
    kind,
    text,
    value: argument.slice(end + 1) || undefined,
    bytes,
    abbreviated,
    hint,
  };
}

/** When even the error cannot be allocated, the engine throws `null`; when it can, it cannot always be shown. */
export function isOutOfMemory(outcome: Outcome): boolean {
  if (outcome.status !== "failed") return false;
  const report = outcome.report as { name?: string; message?: string; rendered?: string };
  const { name, message, rendered } = report;
  if (name === "InternalError" && message?.startsWith("out of memory")) return true;
  return rendered === "null" || (rendered?.startsWith("[not enough memory") ?? false);
}

/** Without bytes beside it, as it is stored. */
export function asPlainData(outcome: Outcome): Outcome {
  if (outcome.status !== "completed" || !outcome.bytes?.length || outcome.value === undefined) return outcome;
  const { bytes, value, ...rest } = outcome;
  return { ...rest, value: encodeValue(decodeValue(value, bytes)) };
}

export function notDeclarable(name: string): Outcome {
  const message = `Cannot declare '${name}': the global object has a property of that name which cannot be changed; use another name`;
  const report: GuestErrorReport = { isError: true, name: "TypeError", message, stack: "" };
  return { status: "failed", code: "GUEST_THROW", report };
}

export const unsettled: Outcome = {
  status: "failed",
  code: "GUEST_UNSETTLED",
  message: "the code awaits a promise that nothing pending can settle: no call, timer or job is left",
};
