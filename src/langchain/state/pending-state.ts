/**
 * What parallel calls of a step have already done. Their results become part of the state only when the step ends, so
 * a call that runs later in another process (after a crash, or resumed from an approval) finds them here.
 */
import { StoreError } from "../../errors.js";
import type { StepIdentity } from "../step-identity.js";
import { type InterpreterState, toInterpreterState } from "./interpreter-state.js";

/** @throws {StoreError} `STORE_READ` when the checkpointer cannot be read. */
export async function pendingState(state: InterpreterState, step: StepIdentity): Promise<InterpreterState> {
  const { checkpointer, thread, namespace, checkpointId, taskId, isReplay } = step;
  if (!checkpointer || thread === undefined || isReplay) return state;
  const configurable = { thread_id: thread, checkpoint_ns: namespace, checkpoint_id: checkpointId };
  let latest = state;
  try {
    const tuple = await checkpointer.getTuple({ configurable });
    for (const [task, channel, value] of tuple?.pendingWrites ?? []) {
      if (channel !== "_interpreter" || task === taskId) continue;
      const written = toInterpreterState(value);
      if (
        written?.session === state.session &&
        written.step === checkpointId &&
        written.version > latest.version
      )
        latest = written;
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError("STORE_READ", `The checkpointer could not be read: ${reason}`, { cause: error });
  }
  return latest;
}
