/**
 * Live sessions of a middleware. A live session is a cache of the snapshot that the graph's state names: when the two
 * differ, the state wins.
 */
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { InterpreterError } from "../errors.js";
import type { Interpreter } from "../interpreter.js";
import type { Session } from "../session.js";
import type { InterpreterState } from "./interpreter-state.js";
import type { ResolvedOptions } from "./options.js";
import { findSnapshot, keepSnapshot, type SnapshotPlaces } from "./snapshot-places.js";

/** Which execution of which step asks: parallel calls of one step share it, a fork or a replay has another. */
export interface StepIdentity {
  readonly checkpointId: string;
  readonly taskId: string;
  readonly thread: string | undefined;
  readonly checkpointer: BaseCheckpointSaver | undefined;
}

interface LiveSession {
  readonly session: Session;
  version: number;
  /** The step that moved it beyond what its state named, what it started from, and who took part. */
  step: { checkpointId: string; from: number; tasks: Set<string> } | undefined;
  users: number;
}

export interface Lease {
  readonly session: Session;
  /** Why variables that the model may count on are missing; absent when all is well. */
  readonly lost: string | undefined;
  /** Keeps what the eval changed and answers what the state has to say from now on. */
  commit(): Promise<{ state: InterpreterState; note?: string | undefined }>;
  release(): void;
}

export class ThreadSessions {
  readonly #options: ResolvedOptions;
  readonly #interpreter: () => Promise<Interpreter>;
  readonly #live = new Map<string, LiveSession>();
  readonly #opening = new Map<string, Promise<{ live: LiveSession; lost: string | undefined }>>();
  readonly #local = new Map<string, Uint8Array>();

  constructor(options: ResolvedOptions, interpreter: () => Promise<Interpreter>) {
    this.#options = options;
    this.#interpreter = interpreter;
  }

  /** The session in exactly the state that `state` names. */
  async acquire(state: InterpreterState, step: StepIdentity): Promise<Lease> {
    const places = this.#places(step);
    const { live, lost } = await this.#find(state, step, places);
    live.users++;
    if (live.step?.checkpointId !== step.checkpointId) {
      live.step = { checkpointId: step.checkpointId, from: state.version, tasks: new Set() };
    }
    live.step.tasks.add(step.taskId);
    return {
      session: live.session,
      lost,
      commit: () => this.#commit(state, live, places),
      release: () => {
        live.users--;
      },
    };
  }

  /** Forgets a session and what only this process knows of it. */
  drop(session: string): void {
    this.#live.get(session)?.session.dispose();
    this.#live.delete(session);
    this.#local.delete(session);
  }

  #places(step: StepIdentity): SnapshotPlaces {
    return {
      store: this.#options.snapshots,
      checkpointer: step.checkpointer,
      thread: step.thread,
      local: this.#local,
    };
  }

  async #find(
    state: InterpreterState,
    step: StepIdentity,
    places: SnapshotPlaces,
  ): Promise<{ live: LiveSession; lost: string | undefined }> {
    const opening = this.#opening.get(state.session);
    if (opening) await opening.catch(() => {});
    const live = this.#live.get(state.session);
    if (live && isCurrent(live, state, step)) {
      // Last used, last evicted.
      this.#live.delete(state.session);
      this.#live.set(state.session, live);
      return { live, lost: undefined };
    }
    const made = this.#open(state, places);
    this.#opening.set(state.session, made);
    try {
      return await made;
    } finally {
      this.#opening.delete(state.session);
    }
  }

  async #open(
    state: InterpreterState,
    places: SnapshotPlaces,
  ): Promise<{ live: LiveSession; lost: string | undefined }> {
    const interpreter = await this.#interpreter();
    const stale = this.#live.get(state.session);
    if (stale && stale.users === 0) stale.session.dispose();
    let session: Session | undefined;
    let lost: string | undefined;
    if (state.snapshot) {
      try {
        const bytes = await findSnapshot(places, state.snapshot);
        session = await interpreter.restore(bytes, this.#seal(state.session));
      } catch (error) {
        if (!InterpreterError.isInstance(error)) throw error;
        lost = `The variables of earlier evals are gone: ${error.message}`;
      }
    } else if (state.version > 0) {
      lost =
        state.lost ??
        "The variables of earlier evals are gone: they were kept only in the process that ran them.";
    }
    session ??= await interpreter.open();
    const live: LiveSession = { session, version: state.version, step: undefined, users: 0 };
    this.#live.set(state.session, live);
    return { live, lost };
  }

  async #commit(
    before: InterpreterState,
    live: LiveSession,
    places: SnapshotPlaces,
  ): Promise<{ state: InterpreterState; note?: string | undefined }> {
    live.version = Math.max(live.version, before.version) + 1;
    const version = live.version;
    const state: InterpreterState = { ...before, version, lost: undefined };
    // Nothing outlives this process anyway: the live session is the only copy that can be used again.
    if (!places.store && !(places.checkpointer && places.thread !== undefined)) return { state };
    const bytes = await live.session.snapshot(this.#seal(before.session));
    const { maxSnapshotBytes } = this.#options;
    if (bytes.length > maxSnapshotBytes) {
      const largest = (await live.session.variables()).slice(0, 3).map(({ name }) => name);
      const note = `not saved: the variables take ${bytes.length} bytes, more than maxSnapshotBytes (${maxSnapshotBytes}); largest: ${largest.join(", ")}. The last saved state stays.`;
      return { state, note };
    }
    try {
      return { state: { ...state, snapshot: await keepSnapshot(places, before.session, version, bytes) } };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { state, note: `not saved: ${reason} The last saved state stays.` };
    }
  }

  #seal(session: string): { binding: string; signingKey?: string | Uint8Array } {
    const { snapshotSigningKey } = this.#options;
    return {
      binding: session,
      ...(snapshotSigningKey === undefined ? {} : { signingKey: snapshotSigningKey }),
    };
  }
}

/** True for the state itself, and for a sibling call of the same step that has moved on from it. */
function isCurrent(live: LiveSession, state: InterpreterState, step: StepIdentity): boolean {
  const replay = live.step?.checkpointId === step.checkpointId && live.step.tasks.has(step.taskId);
  if (replay) return false;
  if (live.version === state.version) return true;
  return live.step?.checkpointId === step.checkpointId && live.step.from === state.version;
}
