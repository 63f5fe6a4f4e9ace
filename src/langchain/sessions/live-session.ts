/** A session in memory, and which state of the graph it is in. */
import type { Session } from "../../session/session.js";
import type { InterpreterState } from "../state/interpreter-state.js";
import type { StepIdentity } from "../step-identity.js";
import { Turnstile } from "../turnstile.js";

export class LiveSession {
  /** One eval at a time, its save included: what a state names is then exactly what ran before. */
  readonly turnstile: Turnstile = new Turnstile();
  session: Session | undefined;
  /** The state that the session is in; undefined from the start of an eval until it is saved. */
  state: InterpreterState | undefined;
  /** What the thread's head was when it was last read or written. */
  headToken: string | null = null;
  /** The checkpoint whose step uses it, or used it last. */
  claim: string | undefined;
  users = 0;
  /** Of the run that uses it, or used it last. */
  signal: AbortSignal | undefined;
  /** The run of the last eval was aborted, and no model has been told yet. */
  wasStopped = false;
  #step: { checkpointId: string; from: string; tasks: Set<string> } | undefined;

  /** True when a snapshot somewhere else is of the very state it is in. */
  get isSaved(): boolean {
    return this.state !== undefined && (this.state.snapshot?.version ?? 0) === this.state.version;
  }

  /** True for the state itself, and for a sibling call of the same step that has moved on from it. */
  isIn(state: InterpreterState, { checkpointId, taskId }: StepIdentity): boolean {
    if (!this.session || !this.state) return false;
    if (this.state.revision === state.revision) return true;
    const step = this.#step;
    return step?.checkpointId === checkpointId && step.from === state.revision && !step.tasks.has(taskId);
  }

  /** A task of a step goes on from here; `state` is what its step began with. */
  enter(state: InterpreterState, { checkpointId, taskId }: StepIdentity): void {
    const step = this.#step;
    if (step?.checkpointId === checkpointId && step.from === state.revision && !step.tasks.has(taskId))
      step.tasks.add(taskId);
    else this.#step = { checkpointId, from: state.revision, tasks: new Set([taskId]) };
  }

  replace(session: Session | undefined, state: InterpreterState | undefined): void {
    if (this.session !== session) this.session?.dispose();
    this.session = session;
    this.state = state;
  }
}
