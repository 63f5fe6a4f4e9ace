/**
 * One eval that may wait for a person. When it pauses it is kept and interrupts the graph; when the graph goes on, its
 * task starts anew and finds here what it was in the middle of. What cannot be gone on with says so and is not run
 * again: calls it made have happened.
 */
import type { BaseMessage } from "@langchain/core/messages";
import { InterpreterError } from "../../errors.js";
import type { PausedCall } from "../../result/outcome.js";
import type { Session } from "../../session/session.js";
import type { EvalMessage } from "../eval-tool.js";
import type { MovedSession } from "../sessions/lease.js";
import { isNoRoom, unlessNoRoom } from "../sessions/no-room.js";
import { hasToolCall, type StoppedEvals } from "../sessions/stopped-evals.js";
import type { StepIdentity } from "../step-identity.js";
import type { CallEnvironment } from "../tools/invoke-tool.js";
import type { ApprovalGate } from "./approval-request.js";
import { checkDecisions } from "./decisions.js";
import { interruptedTasks } from "./interrupted-tasks.js";
import type { KeptPause } from "./kept-pause.js";
import { nextQuestion, toInterrupt } from "./pause-question.js";
import type { PauseRecord, Question } from "./pause-record.js";
import {
  type AnsweredQuestion,
  createResumption,
  type PauseAttachment,
  type Resumption,
} from "./resumption.js";
import type { Configurable, TaskInterrupts } from "./task-interrupts.js";

export type Found =
  | { readonly type: "resumption"; readonly resumption: Resumption }
  | { readonly type: "ended"; readonly message: EvalMessage }
  | { readonly type: "lost"; readonly text: string };

/** What an earlier eval left behind that was never answered. */
export type Leftover =
  | { readonly type: "sibling" }
  | {
      readonly type: "cancelled";
      /** What the model has to know of it. */
      readonly text: string;
      /** Absent where there is nothing to go on from. */
      readonly moved: MovedSession | undefined;
    };

export interface PausableEvalContext {
  readonly interrupts: TaskInterrupts;
  readonly kept: KeptPause<PauseAttachment>;
  readonly stopped: StoppedEvals;
  /** Of the state its step begins with. */
  readonly revision: string;
  readonly step: StepIdentity;
  readonly configurable: Configurable;
  readonly toolCall: string | undefined;
}

export class PausableEval {
  readonly #context: PausableEvalContext;
  /** The last pause of this very eval. */
  #last: PauseRecord | undefined;

  constructor(context: PausableEvalContext) {
    this.#context = context;
  }

  get isResuming(): boolean {
    return this.#context.interrupts.isResuming;
  }

  /**
   * What this task was in the middle of, when it has run before.
   *
   * @throws {GraphInterrupt} when its question has not been answered, or not in a way that can be used.
   */
  async find(): Promise<Found | undefined> {
    const { interrupts, step, kept } = this.#context;
    if (!interrupts.isResuming || step.isReplay) return undefined;
    let record: PauseRecord | undefined;
    try {
      record = await kept.read();
    } catch (error) {
      if (!InterpreterError.isInstance(error)) throw error;
      if (await this.#wasInterrupted()) return lost(error.message);
      return undefined;
    }
    if (record?.task !== step.taskId) {
      const missing = interrupts.isAnswered(0) && (await this.#wasInterrupted());
      return missing ? lost("what was kept of it is gone.") : undefined;
    }
    if (record.phase === "done" && record.message) return { type: "ended", message: record.message };
    if (record.phase === "running") return lost("the process that went on with it ended in between.");
    return this.#answer(record);
  }

  /** Whether the session's state is that of an eval which was stopped, or paused and was not gone on with. */
  async leftover(messages: readonly BaseMessage[] | undefined): Promise<Leftover | undefined> {
    const { step, revision, stopped, kept } = this.#context;
    if (step.isReplay) return undefined;
    const before = await stopped.before(messages);
    if (before) return { type: "cancelled", ...before };
    const record = await kept.read().catch(() => undefined);
    if (!record || record.phase === "done" || record.task === step.taskId) return undefined;
    const { base, from } = record;
    if ((revision !== base && revision !== from.revision) || !hasToolCall(messages, record.toolCall))
      return undefined;
    if (record.checkpoint === step.checkpointId) return { type: "sibling" };
    const session = await kept.restore(record).catch(unlessNoRoom);
    if (!session) return undefined;
    await session.drop();
    return { type: "cancelled", text: cancelledText, moved: { session, state: from } };
  }

  /** The run was aborted: what the eval changed until then is kept for the next one. */
  async stop(moved: MovedSession, wasRebuilt: boolean, message: EvalMessage): Promise<void> {
    await this.#context.stopped.keep(moved, wasRebuilt);
    // One that had paused before is not run again: what it did by then has happened.
    this.ended(message).catch(() => {});
  }

  /**
   * Keeps the eval and interrupts the graph.
   *
   * @throws {GraphInterrupt}
   * @returns why the eval could not be kept, when it could not.
   */
  async suspend(
    { session, state: from }: MovedSession,
    calls: readonly PausedCall[],
    gate: ApprovalGate,
    environment: CallEnvironment,
  ): Promise<string> {
    const { kept, stopped, step, revision, toolCall } = this.#context;
    const slot = this.#last?.slot === 0 ? 1 : 0;
    const record: PauseRecord = {
      phase: "asked",
      task: step.taskId,
      checkpoint: step.checkpointId,
      toolCall,
      base: revision,
      from,
      position: (this.#last?.position ?? -1) + 1,
      slot,
      question: await nextQuestion(calls, gate, environment.held, this.#last?.question),
    };
    try {
      const { held, state, results } = environment;
      const attachment = { held: held.state, writes: state?.calls() ?? [], results: results.kinds };
      const tooLarge = await kept.putHeap(session, slot, attachment);
      if (tooLarge) return tooLarge;
      await kept.write(record);
      await stopped.forget();
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    environment.config.signal?.throwIfAborted();
    throw this.#ask(record.question);
  }

  /** The eval has ended: should its task start anew once more, it gets this message and runs nothing. */
  async ended(message: EvalMessage): Promise<void> {
    if (!this.#last) return;
    const { kept } = this.#context;
    await kept.write({ ...this.#last, phase: "done", message });
    // Only now: until the record says that the eval is over, it may be needed.
    await kept.dropHeaps();
  }

  async #answer(record: PauseRecord): Promise<Found> {
    const { interrupts, kept, configurable } = this.#context;
    const { position } = record;
    if (interrupts.isBeyond(position)) return lost("what was kept of it is older than the last answer.");
    if (!interrupts.isAnswered(position)) throw this.#ask(record.question);
    const question = await this.#takeAnswer(record);
    let session: Session;
    let attachment: PauseAttachment;
    try {
      session = await kept.restore(record);
      attachment = await kept.attachmentOf(session);
    } catch (error) {
      if (!InterpreterError.isInstance(error) || isNoRoom(error)) throw error;
      return lost(error.message);
    }
    if (!session.isPaused) {
      session.dispose();
      return lost("it was stored by another version of the interpreter.");
    }
    const running: PauseRecord = { ...record, phase: "running" };
    await kept.write(running);
    this.#last = running;
    const moved = { session, state: record.from };
    const giveBack = () => kept.write(record);
    const resumption = createResumption(moved, attachment, question, configurable, giveBack);
    return { type: "resumption", resumption };
  }

  /** @throws {GraphInterrupt} when the answer cannot be used. */
  async #takeAnswer({ position, question, ...record }: PauseRecord): Promise<AnsweredQuestion> {
    const { interrupts, kept } = this.#context;
    const ambiguous = !interrupts.isAddressed(position) && (await this.#interruptedTasks()).size > 1;
    const answer = interrupts.take(position);
    if (question.kind === "interrupt") return { ...question, answer };
    const checked = ambiguous
      ? { problem: "Several questions are open; answer each by its id: { resume: { [id]: answer } }." }
      : checkDecisions(answer, question.actions);
    if ("decisions" in checked) return { ...question, ...checked };
    const again = { ...question, request: { ...question.request, error: checked.problem } };
    await kept.write({ ...record, position: position + 1, question: again });
    throw this.#ask(again);
  }

  #ask(question: Question): Error {
    return this.#context.interrupts.toError(toInterrupt(question));
  }

  async #wasInterrupted(): Promise<boolean> {
    return (await this.#interruptedTasks()).has(this.#context.step.taskId);
  }

  #interruptedTasks(): Promise<ReadonlySet<string>> {
    const { interrupts, step } = this.#context;
    return interruptedTasks(interrupts.checkpointer, step);
  }
}

const cancelledText =
  "The eval before this one waited for an approval and was cancelled: what it had not done by then will not happen; its variables are as they were then.";

function lost(why: string): Found {
  const text = `This eval waited for an answer and cannot go on: ${why} Nothing of it was run again; calls it made before have happened. Variables may be older than it.`;
  return { type: "lost", text };
}
