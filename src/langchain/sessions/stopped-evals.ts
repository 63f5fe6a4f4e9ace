/**
 * Evals whose run was aborted. LangGraph writes nothing of such a step, so no state names what the eval had changed by
 * then. It is kept here, and the next eval of the same conversation goes on from it. The same eval run again starts
 * from before it, and so does every line of the thread that does not contain it.
 */
import type { BaseMessage } from "@langchain/core/messages";
import type { Interpreter } from "../../interpreter.js";
import type { Seal } from "../../session/session-state.js";
import type { PausePlace } from "../approvals/pause-places.js";
import { openRecord, sealRecord } from "../sealed-record.js";
import type { InterpreterState } from "../state/interpreter-state.js";
import type { StepIdentity } from "../step-identity.js";
import type { MovedSession } from "./lease.js";
import { unlessNoRoom } from "./no-room.js";

const KIND = "stopped";

/** How a stopped eval left its session. */
export type StopOutcome = "kept" | "rebuilt" | "not kept";

/** What is known of a stopped eval, beside the heap it left. */
export interface StoppedRecord {
  readonly task: string;
  readonly checkpoint: string;
  readonly toolCall: string | undefined;
  /** The revision its step began with; parallel evals may lie between it and `from`. */
  readonly base: string;
  /** What the eval itself started from. */
  readonly from: InterpreterState;
  readonly outcome: StopOutcome;
}

export interface StoppedEvalContext {
  readonly place: PausePlace;
  readonly state: InterpreterState;
  readonly step: StepIdentity;
  readonly toolCall: string | undefined;
  readonly signingKey: Seal["signingKey"];
  readonly maxBytes: number;
  readonly interpreter: () => Promise<Interpreter>;
}

/** What the one before left, for the model and for the session. */
export interface StoppedBefore {
  readonly text: string;
  /** Absent where there is nothing to go on from. */
  readonly moved: MovedSession | undefined;
}

export class StoppedEvals {
  readonly #context: StoppedEvalContext;

  constructor(context: StoppedEvalContext) {
    this.#context = context;
  }

  /** Keeps what this eval has changed. A failure costs just that: the run is over in any case. */
  async keep({ session, state: from }: MovedSession, wasRebuilt: boolean): Promise<void> {
    const { place, step, state, toolCall, maxBytes } = this.#context;
    let outcome: StopOutcome = wasRebuilt ? "rebuilt" : "kept";
    try {
      if (session.isPaused) await session.drop();
      if (outcome === "kept") {
        const image = await session.snapshot(this.#heapSeal);
        if (image.length > maxBytes) outcome = "not kept";
        else await place.put(this.#imageKey, image);
      }
      const { checkpointId: checkpoint, taskId: task } = step;
      const record: StoppedRecord = { task, checkpoint, toolCall, base: state.revision, from, outcome };
      await place.put(this.#key, await sealRecord(KIND, JSON.stringify(record), this.#seal));
    } catch {
      // The next eval starts from the state that the graph names.
    }
  }

  /** Undefined when the eval before this one, in this line of the thread, was not stopped. */
  async before(messages: readonly BaseMessage[] | undefined): Promise<StoppedBefore | undefined> {
    const { step, state, place, interpreter } = this.#context;
    if (step.isReplay) return undefined;
    const record = await this.#read().catch(() => undefined);
    if (!record || record.task === step.taskId || record.checkpoint === step.checkpointId) return undefined;
    const { base, from, outcome } = record;
    const isNext = state.revision === base || state.revision === from.revision;
    if (!isNext || !hasToolCall(messages, record.toolCall)) return undefined;
    if (outcome !== "kept") return { text: texts[outcome], moved: undefined };
    try {
      const image = await place.get(this.#imageKey);
      if (!image) return { text: texts["not kept"], moved: undefined };
      const session = await (await interpreter()).restore(image, this.#heapSeal);
      return { text: texts.kept, moved: { session, state: from } };
    } catch (error) {
      unlessNoRoom(error);
      return { text: texts["not kept"], moved: undefined };
    }
  }

  /** Something newer knows what it had changed. */
  async forget(): Promise<void> {
    await this.#context.place.delete(this.#key).catch(() => {});
  }

  get #key(): string {
    return stoppedKey(this.#context.state.session);
  }

  get #imageKey(): string {
    return stoppedHeapKey(this.#context.state.session);
  }

  get #seal(): Seal {
    return { binding: recordBinding(this.#context.state.session), signingKey: this.#context.signingKey };
  }

  /** A snapshot of the session like any other: whoever can write the graph's state may name it there. */
  get #heapSeal(): Seal {
    return { binding: this.#context.state.session, signingKey: this.#context.signingKey };
  }

  async #read(): Promise<StoppedRecord | undefined> {
    const bytes = await this.#context.place.get(this.#key);
    const { session } = this.#context.state;
    return bytes && readStoppedRecord(bytes, session, this.#context.signingKey);
  }
}

export function stoppedKey(session: string): string {
  return `${session}-stopped`;
}

export function stoppedHeapKey(session: string): string {
  return `${stoppedKey(session)}-heap`;
}

/** @throws {SnapshotError} for bytes that are no record, are altered, or are another session's. */
export async function readStoppedRecord(
  bytes: Uint8Array,
  session: string,
  signingKey?: Seal["signingKey"],
): Promise<StoppedRecord> {
  const text = await openRecord(KIND, bytes, { binding: recordBinding(session), signingKey });
  return JSON.parse(text) as StoppedRecord;
}

function recordBinding(session: string): string {
  return `${session}/stopped`;
}

export const stoppedText =
  "The eval before this one was stopped before it ended: what it had changed by then stays, the rest of it will not happen.";

const texts: Readonly<Record<StopOutcome, string>> = {
  kept: stoppedText,
  rebuilt:
    "The eval before this one was stopped in the middle of something that cannot be interrupted: what it had changed is lost, and variables are as they were before it.",
  "not kept":
    "The eval before this one was stopped, and what it had changed could not be kept: variables are as they were before it.",
};

export function hasToolCall(messages: readonly BaseMessage[] | undefined, id: string | undefined): boolean {
  if (id === undefined) return false;
  return (messages ?? []).some((message) =>
    (message as BaseMessage & { tool_calls?: { id?: string }[] }).tool_calls?.some((call) => call.id === id),
  );
}
