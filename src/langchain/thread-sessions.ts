/**
 * Live sessions of a middleware. A live session is a cache of the snapshot that the graph's state names: when the two
 * differ, the state wins. Where no checkpointer keeps the state, the thread's head takes its place.
 */
import type { Interpreter } from "../interpreter.js";
import type { Session } from "../session.js";
import type { SnapshotOptions } from "../session-memory.js";
import type { InterpreterState, SnapshotReference } from "./interpreter-state.js";
import { LiveSession } from "./live-session.js";
import { movedByOthers, overtaken } from "./lost-variables.js";
import type { ResolvedOptions } from "./options.js";
import { pendingState } from "./pending-state.js";
import { openSession } from "./restore-session.js";
import type { ResultKinds } from "./result-kinds.js";
import { keepSnapshot, type SnapshotPlaces } from "./snapshot-places.js";
import { collectSnapshots } from "./snapshot-retention.js";
import type { StepIdentity } from "./step-identity.js";
import { stoppedText } from "./stopped-evals.js";
import { processHeads, storedHeads, type ThreadHeads } from "./thread-heads.js";

export interface Lease {
  readonly session: Session;
  /** What the eval starts from; commits count on from it. */
  readonly state: InterpreterState;
  /** The session was opened for this lease, so it is not known what has paused in the meantime. */
  readonly opened: boolean;
  /** Why variables that the model may count on are missing or changed; absent when all is well. */
  readonly lost: string | undefined;
  /** Puts a session that has moved on from a state without anybody knowing it, a paused one, in this one's place. */
  adopt(moved: MovedSession): void;
  /** Keeps what the eval changed and answers what the state has to say from now on, with what is known of the tools. */
  commit(results?: ResultKinds): Promise<{ state: InterpreterState; note?: string | undefined }>;
  /** The run was aborted: where no graph's state names the session, what the eval changed until then stays. */
  stop(results?: ResultKinds): Promise<void>;
  /** Ends the caller's turn. Without a commit before it, what the eval changed is forgotten. */
  release(): void;
}

export interface MovedSession {
  readonly session: Session;
  /** What it moved on from. */
  readonly state: InterpreterState;
}

/** Where the state of a step is found and kept. */
interface Ground extends SnapshotPlaces {
  /** Set where the thread's head stands in for the graph's state. */
  readonly heads: ThreadHeads | undefined;
  /** Something outlives this process. */
  readonly durable: boolean;
}

/** Sessions that are remembered. Idle ones beyond it are opened from their snapshots again when they are asked for. */
const MAX_REMEMBERED = 1000;

export class ThreadSessions {
  readonly #options: ResolvedOptions;
  readonly #maxRemembered: number;
  readonly #interpreter: () => Promise<Interpreter>;
  /** The one used longest ago first. */
  readonly #live = new Map<string, LiveSession>();
  readonly #heads: ThreadHeads;
  /** The state of each thread whose old snapshots were last looked through. */
  readonly #collected = new Map<string, string>();

  constructor(
    options: ResolvedOptions,
    interpreter: () => Promise<Interpreter>,
    maxRemembered: number = MAX_REMEMBERED,
  ) {
    this.#options = options;
    this.#maxRemembered = maxRemembered;
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
      commit: (results) => this.#commit(live, { ...before, tools: state.tools, results }, step, ground),
      stop: async (results) => {
        if (!ground.heads) return;
        await this.#commit(live, { ...before, tools: state.tools, results }, step, ground);
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
    for (const [key, live] of this.#live) {
      if (!key.startsWith(`${session} `)) continue;
      this.#live.delete(key);
      if (live.users === 0) live.replace(undefined, undefined);
    }
  }

  #ground(step: StepIdentity): Ground {
    const { snapshots: store, mode } = this.#options;
    const { checkpointer, thread, namespace } = step;
    const isCheckpointed = checkpointer !== undefined && thread !== undefined;
    // A subagent is called with its caller's thread id, and has no part in the caller's variables.
    const followsHead = mode === "thread" && !checkpointer && thread !== undefined && namespace === "";
    return {
      store,
      checkpointer,
      thread,
      heads: followsHead ? this.#heads : undefined,
      durable: isCheckpointed || (followsHead && store !== undefined),
    };
  }

  /**
   * Another step of the same session that runs now (a fork) keeps what it has; this one gets a session of its own. One
   * that was aborted is about to end, and what it leaves may be what this one goes on from.
   */
  #claim(key: string, { checkpointId }: StepIdentity, followsHead: boolean): LiveSession {
    let live = this.#live.get(key);
    const isElsewhere = live && live.users > 0 && live.claim !== checkpointId && !live.signal?.aborted;
    if (isElsewhere && !followsHead) live = undefined;
    live ??= new LiveSession();
    this.#live.delete(key);
    this.#live.set(key, live);
    live.users++;
    live.claim = checkpointId;
    this.#forgetOldest();
    return live;
  }

  /** First those that a snapshot can bring back, and only then the others. */
  #forgetOldest(): void {
    for (const onlySaved of [true, false]) {
      for (const [key, live] of this.#live) {
        if (this.#live.size <= this.#maxRemembered) return;
        if (live.users > 0 || (onlySaved && !live.isSaved)) continue;
        this.#live.delete(key);
        live.replace(undefined, undefined);
      }
    }
  }

  async #enter(state: InterpreterState, step: StepIdentity, signal?: AbortSignal, moved?: MovedSession) {
    const ground = this.#ground(step);
    const key = ground.heads ? `head ${step.thread}` : `${state.session} ${step.thread ?? ""}`;
    const live = this.#claim(key, step, ground.heads !== undefined);
    let leave = () => {};
    const release = () => {
      if (--live.users === 0 && this.#live.get(key) !== live) live.replace(undefined, undefined);
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
    const { session, lost } = await openSession(
      await this.#interpreter(),
      state,
      ground,
      this.#seal(state.session),
    );
    live.replace(session, state);
    return lost;
  }

  async #commit(
    live: LiveSession,
    before: InterpreterState,
    step: StepIdentity,
    ground: Ground,
  ): Promise<{ state: InterpreterState; note?: string | undefined }> {
    const version = before.version + 1;
    const saved = ground.durable ? await this.#save(live, { ...before, version }, ground) : {};
    const state: InterpreterState = {
      ...before,
      version,
      revision: crypto.randomUUID(),
      step: step.checkpointId,
      ...(saved.snapshot ? { snapshot: saved.snapshot } : {}),
    };
    const overtakenBy = ground.heads && (await this.#moveHead(live, state, ground.heads, step));
    if (overtakenBy) return overtakenBy;
    live.state = state;
    return { state, note: saved.note };
  }

  async #save(
    live: LiveSession,
    { session: name, version }: InterpreterState,
    ground: Ground,
  ): Promise<{ snapshot?: SnapshotReference; note?: string }> {
    const session = live.session as Session;
    const { maxSnapshotBytes, snapshotFormat } = this.#options;
    const layers = snapshotFormat === "data" ? "data" : "image";
    try {
      const bytes = await session.snapshot({ ...this.#seal(name), layers });
      if (bytes.length > maxSnapshotBytes)
        return { note: await tooLarge(session, bytes.length, maxSnapshotBytes) };
      return { snapshot: await keepSnapshot(ground, { session: name, version }, bytes) };
    } catch (error) {
      return { note: notSaved(error) };
    }
  }

  /** What the commit comes to when the head did not move to this state. */
  async #moveHead(
    live: LiveSession,
    state: InterpreterState,
    heads: ThreadHeads,
    step: StepIdentity,
  ): Promise<{ state: InterpreterState; note: string } | undefined> {
    const thread = step.thread as string;
    try {
      const token = await heads.write(thread, state, live.headToken);
      if (token !== undefined) {
        live.headToken = token;
        return undefined;
      }
      // Somebody else wrote it while this eval ran: theirs is the state of the thread.
      live.replace(undefined, undefined);
      const head = await heads.read(thread);
      return {
        state: { ...(head.state ?? state), tools: state.tools, results: state.results },
        note: overtaken(),
      };
    } catch (error) {
      live.state = state;
      return { state, note: notSaved(error) };
    }
  }

  async #addData(state: InterpreterState, step: StepIdentity): Promise<InterpreterState | undefined> {
    const { mode, snapshotFormat } = this.#options;
    const { durable } = this.#ground(step);
    if (mode !== "thread" || snapshotFormat !== "both" || !durable || !isDataMissing(state)) return undefined;
    const { live, ground, release } = await this.#enter(state, step);
    try {
      return await this.#saveData(live, ground);
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
    const { heads } = this.#ground({ thread, checkpointer, ...step });
    const current = (await heads?.read(thread))?.state ?? state;
    await collectSnapshots({ store, thread, checkpointer, current }, snapshotRetention);
  }

  async #saveData(live: LiveSession, ground: Ground): Promise<InterpreterState | undefined> {
    const state = live.state as InterpreterState;
    if (!isDataMissing(state)) return undefined;
    const bytes = await (live.session as Session).snapshot({ ...this.#seal(state.session), layers: "data" });
    if (bytes.length > this.#options.maxSnapshotBytes) return undefined;
    const next = { ...state, data: await keepSnapshot(ground, state, bytes) };
    if (ground.heads) {
      const token = await ground.heads.write(ground.thread as string, next, live.headToken);
      if (token === undefined) return undefined;
      live.headToken = token;
    }
    live.state = next;
    return next;
  }

  #seal(session: string): Pick<SnapshotOptions, "binding" | "signingKey"> {
    return { binding: session, signingKey: this.#options.snapshotSigningKey };
  }
}

/** Something ran since the variables were last kept as plain data. */
function isDataMissing({ version, data }: InterpreterState): boolean {
  return version > 0 && data?.version !== version;
}

function notSaved(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `not saved: ${reason} The last saved state stays.`;
}

async function tooLarge(session: Session, bytes: number, limit: number): Promise<string> {
  const largest = (await session.variables())
    .slice(0, 3)
    .map(({ name, size }) => `${name} (about ${size} bytes)`);
  return `not saved: the variables take ${bytes} bytes, more than maxSnapshotBytes (${limit}); largest: ${largest.join(", ")}. The last saved state stays; free what is not needed.`;
}
