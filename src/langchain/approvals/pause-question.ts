/** What a paused eval asks, one question at a time: all approvals together, or one interrupt of a tool. */
import type { PausedCall } from "../../result/outcome.js";
import type { ApprovalGate } from "./approval-request.js";
import type { HeldCalls } from "./held-calls.js";
import type { Question } from "./pause-record.js";
import type { OpenInterrupt } from "./task-interrupts.js";

/** Another one than the last where there are more. */
export async function nextQuestion(
  calls: readonly PausedCall[],
  gate: ApprovalGate,
  held: HeldCalls,
  last: Question | undefined,
): Promise<Question> {
  const gated = calls.filter(({ id }) => held.openInterrupt(id) === undefined);
  const questions: (() => Promise<Question>)[] = [];
  for (const call of calls) {
    const interrupt = held.openInterrupt(call.id);
    if (interrupt) questions.push(async () => ({ kind: "interrupt", call: call.id, interrupt }));
    else if (call === gated[0])
      questions.push(async () => ({ kind: "approvals", ...(await gate.request(gated)) }));
  }
  const [first, second] = await Promise.all(questions.slice(0, 2).map((question) => question()));
  const asked = last && first && last.kind === first.kind && callOf(last) === callOf(first);
  return ((asked && second) || first) as Question;
}

export function toInterrupt(question: Question): OpenInterrupt {
  return question.kind === "approvals" ? { value: question.request } : question.interrupt;
}

function callOf(question: Question): number | undefined {
  return question.kind === "interrupt" ? question.call : undefined;
}
