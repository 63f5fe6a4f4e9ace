/** What the graph's state says about an interpreter: which session, which snapshot of it, which tools. Never the bytes. */
import { ReducedValue, StateSchema } from "@langchain/langgraph";
import { z } from "zod/v4";
import type { ResultKinds } from "../tools/result-kinds.js";

/** Where the bytes of a snapshot are. */
export interface SnapshotReference {
  /** `checkpointer`: beside the thread's checkpoints; `store`: in the `snapshots` option. */
  readonly place: "checkpointer" | "store";
  readonly key: string;
  /** The thread whose checkpointer rows hold it: a copied thread still finds it there. */
  readonly thread?: string | undefined;
  readonly bytes: number;
  /** The session's version it was taken of. */
  readonly version: number;
}

export interface InterpreterState {
  /** Names the session; random, so that it cannot be guessed and no two callers share one. */
  readonly session: string;
  /** Grows with every eval. Of two parallel evals the later one has seen the earlier one's effects. */
  readonly version: number;
  /** Names this state of the session: forks have equal versions and different revisions. */
  readonly revision: string;
  /** The step that wrote it. */
  readonly step?: string | undefined;
  /** The newest one. Absent while nothing has run, and where nothing is kept; older than `version` after a failed save. */
  readonly snapshot?: SnapshotReference | undefined;
  /** The variables as plain data, for a later engine; as of the end of a turn. */
  readonly data?: SnapshotReference | undefined;
  /** Names of the tools the last model request allowed code to call, for a resume before any model request. */
  readonly tools?: readonly string[] | undefined;
  /** What results of tools have been like, for the same. */
  readonly results?: ResultKinds | undefined;
}

const interpreterState = z.custom<InterpreterState | null>().nullable();

/** `_interpreter`: the underscore keeps it out of the agent's input and output; checkpoints have it. */
export const interpreterStateSchema = new StateSchema({
  _interpreter: new ReducedValue(interpreterState.default(null), {
    inputSchema: z.custom<InterpreterState | null>().nullable().optional(),
    reducer: laterState,
  }),
});

export function newState(known: Pick<InterpreterState, "tools" | "results"> = {}): InterpreterState {
  const { tools, results } = known;
  return { session: crypto.randomUUID(), version: 0, revision: crypto.randomUUID(), tools, results };
}

/** Parallel evals of one step are applied in the order of their calls, whichever of them ran last. */
export function laterState(
  current: InterpreterState | null | undefined,
  next: InterpreterState | null | undefined,
): InterpreterState | null {
  if (next === undefined) return current ?? null;
  if (!current || next === null || next.session !== current.session) return next;
  if (next.step === undefined || next.step !== current.step) return next;
  return next.version >= current.version ? next : current;
}

/** The part of any state that is ours, if it is there and has the right shape. */
export function readInterpreterState(state: unknown): InterpreterState | undefined {
  return toInterpreterState((state as { _interpreter?: unknown } | undefined)?._interpreter);
}

export function toInterpreterState(value: unknown): InterpreterState | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { session, version, revision } = value as Partial<InterpreterState>;
  return typeof session === "string" && typeof version === "number" && typeof revision === "string"
    ? (value as InterpreterState)
    : undefined;
}
