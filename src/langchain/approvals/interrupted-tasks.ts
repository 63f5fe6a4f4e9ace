/** The tasks of a step that were interrupted and have not ended since, read from what they wrote. */
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import type { StepIdentity } from "../step-identity.js";

export async function interruptedTasks(
  checkpointer: BaseCheckpointSaver,
  { thread, checkpointId, namespace }: StepIdentity,
): Promise<ReadonlySet<string>> {
  if (thread === undefined) return new Set();
  const configurable = { thread_id: thread, checkpoint_ns: namespace, checkpoint_id: checkpointId };
  const writes = (await checkpointer.getTuple({ configurable }))?.pendingWrites ?? [];
  const asked = writes.filter(([, channel, value]) => channel === "__interrupt__" && hasEntries(value));
  const ended = new Set(writes.filter(([, channel]) => !channel.startsWith("__")).map(([task]) => task));
  return new Set(asked.map(([task]) => task).filter((task) => !ended.has(task)));
}

function hasEntries(value: unknown): boolean {
  return !Array.isArray(value) || value.length > 0;
}
