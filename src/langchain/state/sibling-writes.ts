/**
 * What other evals of the same message wrote to the agent's state. LangGraph adds up what a step wrote when the step
 * ends, so an eval that runs after another one of its message would not find it there, and two writes to a key that
 * holds one value would end the run.
 */
import type { BaseMessage } from "@langchain/core/messages";
import type { StepIdentity } from "../step-identity.js";
import type { StateWrite } from "../tools/tool-result.js";

export type WritesSoFar = () => readonly StateWrite[];

export class SiblingWrites {
  /** By the message that asked for the evals, for as long as it lives; by task. */
  readonly #known = new WeakMap<BaseMessage, Map<string, WritesSoFar>>();

  /** The writes of an eval, as they are when they are asked for. */
  add(message: BaseMessage | undefined, { taskId }: StepIdentity, writes: WritesSoFar): void {
    if (!message) return;
    const known = this.#known.get(message) ?? new Map<string, WritesSoFar>();
    this.#known.set(message, known.set(taskId, writes));
  }

  /** Those of the other evals of the message; with the ones that ran in another process where the step was resumed. */
  async of(message: BaseMessage | undefined, step: StepIdentity, isResuming: boolean): Promise<WritesSoFar> {
    const stored = isResuming && !step.isReplay ? await storedWrites(step) : new Map<string, StateWrite[]>();
    return () => {
      const here = (message && this.#known.get(message)) ?? new Map<string, WritesSoFar>();
      const live = [...here].flatMap(([task, writes]) => (task === step.taskId ? [] : writes()));
      return [...stored].flatMap(([task, writes]) => (here.has(task) ? [] : writes)).concat(live);
    };
  }
}

async function storedWrites(step: StepIdentity): Promise<Map<string, StateWrite[]>> {
  const { checkpointer, thread, namespace, checkpointId, taskId } = step;
  const found = new Map<string, StateWrite[]>();
  if (!checkpointer || thread === undefined) return found;
  const configurable = { thread_id: thread, checkpoint_ns: namespace, checkpoint_id: checkpointId };
  // Without them the eval still runs, only blind to its neighbours, as LangGraph itself has it.
  const tuple = await checkpointer.getTuple({ configurable }).catch(() => undefined);
  for (const [task, key, value] of tuple?.pendingWrites ?? []) {
    if (task === taskId || key.startsWith("_") || key.includes(":") || key === "messages") continue;
    found.set(task, [...(found.get(task) ?? []), [key, value]]);
  }
  return found;
}
