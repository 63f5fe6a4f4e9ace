/** What the graph's state says about an interpreter: which session, which snapshot of it, which tools. Never the bytes. */
import { ReducedValue, StateSchema } from "@langchain/langgraph";
import { z } from "zod/v4";

/** Where the bytes of a snapshot are. */
export interface SnapshotReference {
  /** `checkpointer`: beside the thread's checkpoints; `store`: in the `snapshots` option; `process`: only here. */
  readonly place: "checkpointer" | "store" | "process";
  readonly key: string;
  /** The thread whose checkpointer rows hold it: a copied thread still finds it there. */
  readonly thread?: string | undefined;
  readonly bytes: number;
}

export interface InterpreterState {
  /** Names the session; random, so that it cannot be guessed and no two callers share one. */
  readonly session: string;
  /** Grows with every eval. Of two parallel evals the later one has seen the earlier one's effects. */
  readonly version: number;
  /** Absent while nothing has run, and where nothing is kept. */
  readonly snapshot?: SnapshotReference | undefined;
  /** Names of the tools the last model request allowed code to call, for a resume before any model request. */
  readonly tools?: readonly string[] | undefined;
  /** Why variables are missing; told to the model with the next eval. */
  readonly lost?: string | undefined;
}

const interpreterState = z.custom<InterpreterState | null>().nullable();

/** `_interpreter`: the underscore keeps it out of the agent's input and output; checkpoints have it. */
export const interpreterStateSchema = new StateSchema({
  _interpreter: new ReducedValue(interpreterState.default(null), {
    inputSchema: z.custom<InterpreterState | null>().nullable().optional(),
    reducer: laterState,
  }),
});

export function laterState(
  current: InterpreterState | null | undefined,
  next: InterpreterState | null | undefined,
): InterpreterState | null {
  if (next === undefined) return current ?? null;
  if (!current || next === null || next.session !== current.session) return next;
  return next.version >= current.version ? next : current;
}

/** The part of any state that is ours, if it is there and has the right shape. */
export function readInterpreterState(state: unknown): InterpreterState | undefined {
  const value = (state as { _interpreter?: unknown } | undefined)?._interpreter;
  if (typeof value !== "object" || value === null) return undefined;
  const { session, version } = value as Partial<InterpreterState>;
  return typeof session === "string" && typeof version === "number" ? (value as InterpreterState) : undefined;
}
