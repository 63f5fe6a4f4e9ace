/**
 * Live sessions of a middleware. A live session is a cache of the snapshot that the graph's state names: when the two
 * differ, the state wins. Where no checkpointer keeps the state, the thread's head takes its place.
 */
import type { Interpreter } from "../../interpreter.js";
import type { Session } from "../../session/session.js";
import type { ResolvedOptions } from "../options.js";
import type { InterpreterState } from "../state/interpreter-state.js";
import { pendingState } from "../state/pending-state.js";
import type { StepIdentity } from "../step-identity.js";
import type { ResultKinds } from "../tools/result-kinds.js";
import { type Ground, groundOf } from "./ground.js";
import type { Lease, MovedSession } from "./lease.js";
import type { LiveSession } from "./live-session.js";
import { LiveSessions } from "./live-sessions.js";
import { movedByOthers } from "./lost-variables.js";
import { openSession } from "./restore-session.js";
import { commit, isDataMissing, saveData } from "./session-commit.js";
import { collectSnapshots } from "./snapshot-retention.js";
import { stoppedText } from "./stopped-evals.js";
import { processHeads, storedHeads, type ThreadHeads } from "./thread-heads.js";

/** Sessions that are remembered. Idle ones beyond it are opened from their snapshots again when they are asked for. */
const MAX_REMEMBERED = 1000;

export class ThreadSessions {
  readonly #options: ResolvedOptions;
  readonly #interpreter: () => Promise<Interpreter>;
  readonly #live: LiveSessions;
  readonly #heads: ThreadHeads;
  /** The state of each thread whose old snapshots were last looked through. */
  readonly #collected = new Map<string, string>();

  constructor(
    options: ResolvedOptions,
    interpreter: () => Promise<Interpreter>,
    maxRemembered: number = MAX_REMEMBERED,
  ) {
    this.#options = options;
    this.#live = new LiveSessions(maxRemembered);
    this.#interpreter = interpreter;
    this.#heads = options.snapshots ? storedHeads(options.snapshots) : processHeads();
  }

  /**
   * The session in exactly the state that `state` names, or the one that is given, for one eval.
   *
   * @throws {StoreError} when the snapshot cannot be read now: nothing is lost, and nothing may run.
   */
  async acquire(
    state: InterpreterState,
    step: StepIdentity,
    signal?: AbortSignal,
    moved?: MovedSession,
  ): Promise<Lease> {
    const { live, ground, lost, opened, release } = await this.#enter(state, step, signal, moved);
    let before = live.state as InterpreterState;
    live.state = undefined;
    const commitFrom = (results?: ResultKinds) =>
      commit(live, { ...before, tools: state.tools, results }, step, ground, this.#options);
    return {
      get session() {
        return live.session as Session;
      },
      get state() {
        return before;
      },
      opened,
      lost,
      adopt: (other) => {
        live.replace(other.session, undefined);
        before = other.state;
      },
      commit: commitFrom,
      stop: async (results) => {
        if (!ground.heads) return;
        await commitFrom(results);
        live.wasStopped = true;
      },
      release: () => {
        // Where nothing else has a copy, the session itself is what the state names.
        if (!live.state && !ground.durable) live.state = before;
        release();
      },
    };
  }

  /**
   * Adds the variables as plain data to a state whose turn has ended, and lets snapshots go that nothing needs.
   * Undefined when there is nothing to add. A failure costs only that, never the turn.
   */
  async finishTurn(state: InterpreterState, step: StepIdentity): Promise<InterpreterState | undefined> {
    const next = await this.#addData(state, step).catch(() => undefined);
    await this.#collect(next ?? state, step).catch(() => {});
    return next;
  }

  /** Forgets a session; nothing can name it any more. */
  drop(session: string): void {
    this.#live.drop(session);
  }

  #groundOf(step: StepIdentity): Ground {
    return groundOf(this.#options, this.#heads, step);
  }

  async #enter(state: InterpreterState, step: StepIdentity, signal?: AbortSignal, moved?: MovedSession) {
    const ground = this.#groundOf(step);
    const key = ground.heads ? `head ${step.thread}` : `${state.session} ${step.thread ?? ""}`;
    const live = this.#live.claim(key, step, ground.heads !== undefined);
    let leave = () => {};
    const release = () => {
      this.#live.leave(key, live);
      leave();
    };
    try {
      leave = await live.turnstile.enter(signal);
      live.signal = signal;
      if (moved) {
        live.replace(moved.session, moved.state);
        live.enter(state, step);
        return { live, ground, release, lost: undefined, opened: false };
      }
      const session = live.session;
      const lost = await this.#settle(live, state, step, ground);
      return { live, ground, release, lost, opened: live.session !== session };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Brings the session into the state that is asked for; answers what the model has to know about it. */
  async #settle(
    live: LiveSession,
    state: InterpreterState,
    step: StepIdentity,
    ground: Ground,
  ): Promise<string | undefined> {
    let wanted = state;
    let news: string | undefined;
    if (ground.heads) {
      const head = await ground.heads.read(step.thread as string);
      // Nobody else has written: what could not be saved the last time is still the newest.
      const isNewest = live.state !== undefined && live.headToken === head.token;
      wanted = (isNewest ? live.state : head.state) ?? state;
      live.headToken = head.token;
      const known = live.state ?? (state.version > 0 ? state : undefined);
      if (known && known.revision !== wanted.revision) news = movedByOthers();
    }
    if (live.wasStopped) {
      live.wasStopped = false;
      news ??= stoppedText;
    }
    if (!live.isIn(wanted, step)) {
      const from = ground.heads ? wanted : await pendingState(wanted, step);
      news = (await this.#open(live, from, ground)) ?? news;
    }
    live.enter(wanted, step);
    return news;
  }

  async #open(live: LiveSession, state: InterpreterState, ground: Ground): Promise<string | undefined> {
    live.replace(undefined, undefined);
    const { session, lost } = await openSession(await this.#interpreter(), state, ground, {
      binding: state.session,
      signingKey: this.#options.snapshotSigningKey,
    });
    live.replace(session, state);
    return lost;
  }

  async #addData(state: InterpreterState, step: StepIdentity): Promise<InterpreterState | undefined> {
    const { mode, snapshotFormat } = this.#options;
    const { durable } = this.#groundOf(step);
    if (mode !== "thread" || snapshotFormat !== "both" || !durable || !isDataMissing(state)) return undefined;
    const { live, ground, release } = await this.#enter(state, step);
    try {
      return await saveData(live, ground, this.#options);
    } finally {
      release();
    }
  }

  /** Once per state: nothing has become superfluous since. */
  async #collect(state: InterpreterState, { thread, checkpointer, ...step }: StepIdentity): Promise<void> {
    const { snapshots: store, snapshotRetention } = this.#options;
    if (!store || !snapshotRetention || thread === undefined || state.version === 0) return;
    if (this.#collected.get(thread) === state.revision) return;
    this.#collected.set(thread, state.revision);
    const { heads } = this.#groundOf({ thread, checkpointer, ...step });
    const current = (await heads?.read(thread))?.state ?? state;
    await collectSnapshots({ store, thread, checkpointer, current }, snapshotRetention);
  }
}
