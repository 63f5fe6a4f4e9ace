/** What is known of an eval that has paused, beside its heap: small, and rewritten at every step of the way. */

import type { Seal } from "../../session/session-state.js";
import type { EvalMessage } from "../eval-tool.js";
import { openRecord, sealRecord } from "../sealed-record.js";
import { fromText, type Serializer, toText } from "../serialized-text.js";
import type { InterpreterState } from "../state/interpreter-state.js";
import type { ApprovalRequest } from "./approval-request.js";
import type { ApprovalAction } from "./decisions.js";
import type { OpenInterrupt } from "./task-interrupts.js";

/** What the graph was interrupted with. */
export type Question =
  | {
      readonly kind: "approvals";
      readonly request: ApprovalRequest;
      readonly actions: readonly ApprovalAction[];
    }
  | { readonly kind: "interrupt"; readonly call: number; readonly interrupt: OpenInterrupt };

export interface PauseRecord {
  /**
   * `asked`: waits for its answer. `running`: an answer came and the eval went on; found so later, the process that ran
   * it is gone. `done`: the eval has ended with `message`.
   */
  readonly phase: "asked" | "running" | "done";
  /** The task and the step it belongs to. */
  readonly task: string;
  readonly checkpoint: string;
  readonly toolCall: string | undefined;
  /** The revision its step began with, and the state the eval itself started from: parallel evals may lie in between. */
  readonly base: string;
  readonly from: InterpreterState;
  /** Of the question among the interrupts of the eval. */
  readonly position: number;
  /** Where the heap is: two places in turn, so that the last one is there until the next one is. */
  readonly slot: 0 | 1;
  readonly question: Question;
  readonly message?: EvalMessage | undefined;
}

export async function encodeRecord(record: PauseRecord, serde: Serializer, seal: Seal): Promise<Uint8Array> {
  return sealRecord("pause", await toText(record, serde), seal);
}

/** @throws {SnapshotError} for bytes that are no record, are altered, or are another session's. */
export async function decodeRecord(bytes: Uint8Array, serde: Serializer, seal: Seal): Promise<PauseRecord> {
  return fromText<PauseRecord>(await openRecord("pause", bytes, seal), serde);
}
