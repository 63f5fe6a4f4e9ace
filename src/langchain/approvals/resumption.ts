/** A paused eval that goes on: its session as it was, and what becomes of the calls it waits for. */
import type { CallDecision } from "../../eval/program-outcome.js";
import type { Session } from "../../session/session.js";
import type { MovedSession } from "../sessions/lease.js";
import type { CallWrite } from "../state/call-writes.js";
import type { ResultKinds } from "../tools/result-kinds.js";
import type { ApprovalGate } from "./approval-request.js";
import { type CheckedDecision, toCallDecision } from "./decisions.js";
import { HeldCalls, type HeldCallsState } from "./held-calls.js";
import type { Question } from "./pause-record.js";
import type { Configurable } from "./task-interrupts.js";

/** An eval as it was when it paused, and how its question was answered. */
export interface Resumption {
  readonly moved: MovedSession;
  readonly held: HeldCalls;
  /** What its calls had written to the agent's state: LangGraph drops that when a task interrupts. */
  readonly writes: readonly CallWrite[];
  /** What results were like by then. */
  readonly results: ResultKinds | undefined;
  /** Once the tools are there to turn edited arguments into input. */
  decide(gate: ApprovalGate): ReadonlyMap<number, CallDecision>;
  /** Nothing of it has run after all: it waits for an answer as before. */
  giveBack(): Promise<void>;
}

/** What is kept beside the heap. */
export interface PauseAttachment {
  readonly held: HeldCallsState;
  readonly writes: readonly CallWrite[];
  readonly results: ResultKinds;
}

/** A question with its answer: decisions in the order of its actions, or what the tool's `interrupt()` gives. */
export type AnsweredQuestion =
  | (Extract<Question, { kind: "approvals" }> & { readonly decisions: readonly CheckedDecision[] })
  | (Extract<Question, { kind: "interrupt" }> & { readonly answer: unknown });

export function createResumption(
  moved: MovedSession,
  attachment: PauseAttachment,
  question: AnsweredQuestion,
  configurable: Configurable,
  giveBack: () => Promise<void>,
): Resumption {
  const held = new HeldCalls(attachment.held);
  const { session } = moved;
  const { writes, results } = attachment;
  const decide = (gate: ApprovalGate) =>
    question.kind === "interrupt"
      ? answerInterrupt(session, held, question, configurable)
      : settleApprovals(session, held, question, gate);
  return { moved, held, writes, results, decide, giveBack };
}

function answerInterrupt(
  session: Session,
  held: HeldCalls,
  { call: id, answer }: Extract<AnsweredQuestion, { kind: "interrupt" }>,
  configurable: Configurable,
): ReadonlyMap<number, CallDecision> {
  held.answer(id, answer, configurable);
  const call = session.pausedCalls.find((paused) => paused.id === id);
  return new Map(call && [[id, { type: "run", input: call.input }]]);
}

function settleApprovals(
  session: Session,
  held: HeldCalls,
  { actions, decisions }: Extract<AnsweredQuestion, { kind: "approvals" }>,
  gate: ApprovalGate,
): ReadonlyMap<number, CallDecision> {
  const settled = new Map<number, CallDecision>();
  for (const [index, { id }] of actions.entries()) {
    const call = session.pausedCalls.find((paused) => paused.id === id);
    const decision = decisions[index];
    if (!call || !decision) continue;
    held.approve(id);
    settled.set(
      id,
      toCallDecision(decision, call.input, (args) => gate.edited(call, args)),
    );
  }
  return settled;
}
