/**
 * Evals that wait for a person. An eval that pauses is stored with its heap and interrupts the graph; when the graph
 * goes on, its task starts anew and finds here what it was in the middle of. What cannot be gone on with says so and is
 * not run again: calls it made have happened.
 */
import type { BaseMessage } from "@langchain/core/messages";
import type { BaseStore } from "@langchain/langgraph-checkpoint";
import { InterpreterError } from "../errors.js";
import type { Interpreter } from "../interpreter.js";
import type { PausedCall } from "../outcome.js";
import type { CallDecision } from "../program-outcome.js";
import type { Session } from "../session.js";
import type { SnapshotOptions } from "../session-memory.js";
import type { ApprovalGate } from "./approval-request.js";
import type { CallWrite } from "./call-writes.js";
import { type CheckedDecision, checkDecisions, toCallDecision } from "./decisions.js";
import type { EvalMessage, EvalToolConfig } from "./eval-tool.js";
import { HeldCalls, type HeldCallsState } from "./held-calls.js";
import type { InterpreterState } from "./interpreter-state.js";
import type { CallEnvironment } from "./invoke-tool.js";
import { isNoRoom, unlessNoRoom } from "./no-room.js";
import type { ResolvedOptions } from "./options.js";
import { type PausePlace, pausePlace } from "./pause-places.js";
import {
  decodeRecord,
  encodeRecord,
  fromText,
  type PauseRecord,
  type Question,
  toText,
} from "./pause-record.js";
import type { ResultKinds } from "./result-kinds.js";
import type { StepIdentity } from "./step-identity.js";
import { hasToolCall, StoppedEvals } from "./stopped-evals.js";
import type { Configurable, TaskInterrupts } from "./task-interrupts.js";
import type { MovedSession } from "./thread-sessions.js";

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

interface Attachment {
  readonly held: HeldCallsState;
  readonly writes: readonly CallWrite[];
  readonly results: ResultKinds;
}

export class Pauses {
  readonly #options: ResolvedOptions;
  readonly #interpreter: () => Promise<Interpreter>;
  readonly #local = new Map<string, Uint8Array>();

  constructor(options: ResolvedOptions, interpreter: () => Promise<Interpreter>) {
    this.#options = options;
    this.#interpreter = interpreter;
  }

  of(
    state: InterpreterState,
    step: StepIdentity,
    config: EvalToolConfig,
    interrupts: TaskInterrupts,
  ): PausableEval {
    const { snapshots, snapshotSigningKey, maxSnapshotBytes } = this.#options;
    const { checkpointer, thread } = step;
    const store = config["store"] as BaseStore | undefined;
    const places = { snapshots, checkpointer, thread, local: this.#local };
    const place = pausePlace({ ...places, store });
    const toolCall = config.toolCall?.id ?? config.toolCallId;
    return new PausableEval({
      interrupts,
      place,
      stopped: new StoppedEvals({
        // LangGraph's store takes nothing any more once the run is over.
        place: pausePlace({ ...places, store: undefined }),
        state,
        step,
        toolCall,
        signingKey: snapshotSigningKey,
        maxBytes: maxSnapshotBytes,
        interpreter: this.#interpreter,
      }),
      session: state.session,
      revision: state.revision,
      step,
      configurable: config.configurable as Configurable,
      toolCall,
      seal: { binding: `${state.session}/pause`, signingKey: snapshotSigningKey },
      maxBytes: maxSnapshotBytes,
      interpreter: this.#interpreter,
    });
  }
}

interface PausableEvalContext {
  readonly interrupts: TaskInterrupts;
  readonly place: PausePlace;
  readonly stopped: StoppedEvals;
  readonly session: string;
  readonly revision: string;
  readonly step: StepIdentity;
  readonly configurable: Configurable;
  readonly toolCall: string | undefined;
  readonly seal: Pick<SnapshotOptions, "binding" | "signingKey">;
  readonly maxBytes: number;
  readonly interpreter: () => Promise<Interpreter>;
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
    const { interrupts, step } = this.#context;
    if (!interrupts.isResuming || step.isReplay) return undefined;
    let record: PauseRecord | undefined;
    try {
      record = await this.#read();
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
    const { step, revision, stopped } = this.#context;
    if (step.isReplay) return undefined;
    const before = await stopped.before(messages);
    if (before) return { type: "cancelled", ...before };
    const record = await this.#read().catch(() => undefined);
    if (!record || record.phase === "done" || record.task === step.taskId) return undefined;
    const { base, from } = record;
    if ((revision !== base && revision !== from.revision) || !hasToolCall(messages, record.toolCall))
      return undefined;
    if (record.checkpoint === step.checkpointId) return { type: "sibling" };
    const session = await this.#restore(record).catch(unlessNoRoom);
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
    const { place, step, revision, toolCall, maxBytes, interrupts } = this.#context;
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
      question: await this.#question(calls, gate, environment),
    };
    try {
      const { held, state, results } = environment;
      const attachment: Attachment = {
        held: held.state,
        writes: state?.calls() ?? [],
        results: results.kinds,
      };
      const image = await session.snapshot({
        ...this.#context.seal,
        attachment: await toText(attachment, interrupts.checkpointer.serde),
      });
      if (image.length > maxBytes)
        return `its variables take ${image.length} bytes, more than maxSnapshotBytes (${maxBytes})`;
      await place.put(this.#imageKey(slot), image);
      await this.#write(record);
      await this.#context.stopped.forget();
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    environment.config.signal?.throwIfAborted();
    throw this.#ask(record.question);
  }

  /** The eval has ended: should its task start anew once more, it gets this message and runs nothing. */
  async ended(message: EvalMessage): Promise<void> {
    if (!this.#last) return;
    const { place } = this.#context;
    await this.#write({ ...this.#last, phase: "done", message });
    // Only now: until the record says that the eval is over, it may be needed.
    await Promise.all([0, 1].map((slot) => place.delete(this.#imageKey(slot)))).catch(() => {});
  }

  async #answer(record: PauseRecord): Promise<Found> {
    const { interrupts } = this.#context;
    const { position, question } = record;
    if (interrupts.isBeyond(position)) return lost("what was kept of it is older than the last answer.");
    if (!interrupts.isAnswered(position)) throw this.#ask(question);
    const ambiguous = !interrupts.isAddressed(position) && (await this.#hasOtherQuestions());
    const answer = interrupts.take(position);
    let decisions: readonly CheckedDecision[] = [];
    if (question.kind === "approvals") {
      const checked = ambiguous
        ? { problem: "Several questions are open; answer each by its id: { resume: { [id]: answer } }." }
        : checkDecisions(answer, question.actions);
      if ("problem" in checked) throw await this.#askAgain(record, checked.problem);
      decisions = checked.decisions;
    }
    let session: Session;
    let attachment: Attachment;
    try {
      session = await this.#restore(record);
      attachment = await fromText(String(session.attachment), interrupts.checkpointer.serde);
    } catch (error) {
      if (!InterpreterError.isInstance(error) || isNoRoom(error)) throw error;
      return lost(error.message);
    }
    if (!session.isPaused) {
      session.dispose();
      return lost("it was stored by another version of the interpreter.");
    }
    const running: PauseRecord = { ...record, phase: "running" };
    await this.#write(running);
    this.#last = running;
    const held = new HeldCalls(attachment.held);
    const { configurable } = this.#context;
    const decide = (gate: ApprovalGate) => {
      const settled = new Map<number, CallDecision>();
      if (question.kind === "interrupt") {
        held.answer(question.call, answer, configurable);
        const call = session.pausedCalls.find(({ id }) => id === question.call);
        if (call) settled.set(call.id, { type: "run", input: call.input });
        return settled;
      }
      for (const [index, { id }] of question.actions.entries()) {
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
    };
    return {
      type: "resumption",
      resumption: {
        moved: { session, state: record.from },
        held,
        writes: attachment.writes,
        results: attachment.results,
        decide,
        giveBack: () => this.#write(record),
      },
    };
  }

  /** One question at a time: all approvals together, or one interrupt; another one than the last where there are more. */
  async #question(
    calls: readonly PausedCall[],
    gate: ApprovalGate,
    { held }: CallEnvironment,
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
    const last = this.#last?.question;
    const asked = last && first && last.kind === first.kind && callOf(last) === callOf(first);
    return ((asked && second) || first) as Question;
  }

  #ask(question: Question): Error {
    const { interrupts } = this.#context;
    return interrupts.toError(
      question.kind === "approvals" ? { value: question.request } : question.interrupt,
    );
  }

  async #askAgain(record: PauseRecord, error: string): Promise<Error> {
    const { question } = record;
    if (question.kind !== "approvals") return this.#ask(question);
    const again: Question = { ...question, request: { ...question.request, error } };
    await this.#write({ ...record, position: record.position + 1, question: again });
    return this.#ask(again);
  }

  #imageKey(slot: number): string {
    return `${this.#context.session}-heap-${slot}`;
  }

  async #read(): Promise<PauseRecord | undefined> {
    const { place, session, seal, interrupts } = this.#context;
    const bytes = await place.get(session);
    return bytes && decodeRecord(bytes, interrupts.checkpointer.serde, seal);
  }

  async #write(record: PauseRecord): Promise<void> {
    const { place, session, seal, interrupts } = this.#context;
    await place.put(session, await encodeRecord(record, interrupts.checkpointer.serde, seal));
  }

  async #restore(record: PauseRecord): Promise<Session> {
    const { place, interpreter, seal } = this.#context;
    const image = await place.get(this.#imageKey(record.slot));
    if (!image) throw new InterpreterError("SNAPSHOT_MISSING", "what was kept of it is gone.");
    return (await interpreter()).restore(image, seal);
  }

  async #interruptedTasks(): Promise<ReadonlySet<string>> {
    const { interrupts, step } = this.#context;
    const { thread, checkpointId, namespace } = step;
    if (thread === undefined) return new Set();
    const configurable = { thread_id: thread, checkpoint_ns: namespace, checkpoint_id: checkpointId };
    const writes = (await interrupts.checkpointer.getTuple({ configurable }))?.pendingWrites ?? [];
    const asked = writes.filter(([, channel, value]) => channel === "__interrupt__" && hasEntries(value));
    const ended = new Set(writes.filter(([, channel]) => !channel.startsWith("__")).map(([task]) => task));
    return new Set(asked.map(([task]) => task).filter((task) => !ended.has(task)));
  }

  async #wasInterrupted(): Promise<boolean> {
    return (await this.#interruptedTasks()).has(this.#context.step.taskId);
  }

  async #hasOtherQuestions(): Promise<boolean> {
    return (await this.#interruptedTasks()).size > 1;
  }
}

const cancelledText =
  "The eval before this one waited for an approval and was cancelled: what it had not done by then will not happen; its variables are as they were then.";

function callOf(question: Question): number | undefined {
  return question.kind === "interrupt" ? question.call : undefined;
}

function hasEntries(value: unknown): boolean {
  return !Array.isArray(value) || value.length > 0;
}

function lost(why: string): Found {
  const text = `This eval waited for an answer and cannot go on: ${why} Nothing of it was run again; calls it made before have happened. Variables may be older than it.`;
  return { type: "lost", text };
}
