/** Where the state of a step is found and kept, which decides what outlives an eval. */
import type { ResolvedOptions } from "../options.js";
import type { StepIdentity } from "../step-identity.js";
import type { SnapshotPlaces } from "./snapshot-places.js";
import type { ThreadHeads } from "./thread-heads.js";

export interface Ground extends SnapshotPlaces {
  /** Set where the thread's head stands in for the graph's state. */
  readonly heads: ThreadHeads | undefined;
  /** Something outlives this process. */
  readonly durable: boolean;
}

export function groundOf(
  { snapshots: store, mode }: ResolvedOptions,
  heads: ThreadHeads,
  { checkpointer, thread, namespace }: StepIdentity,
): Ground {
  const isCheckpointed = checkpointer !== undefined && thread !== undefined;
  // A subagent is called with its caller's thread id, and has no part in the caller's variables.
  const followsHead = mode === "thread" && !checkpointer && thread !== undefined && namespace === "";
  return {
    store,
    checkpointer,
    thread,
    heads: followsHead ? heads : undefined,
    durable: isCheckpointed || (followsHead && store !== undefined),
  };
}
