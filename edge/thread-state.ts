/** LangGraph's snapshots in the shape the SDK calls `ThreadState`. */
import type { RunnableConfig } from "@langchain/core/runnables";
import type { StateSnapshot } from "@langchain/langgraph";
import { toWireError } from "./wire-json.js";

export interface WireCheckpoint {
  thread_id: string;
  checkpoint_id: string | null;
  checkpoint_ns: string;
  checkpoint_map: Record<string, unknown> | null;
}

export function toWireCheckpoint(config: Partial<RunnableConfig> | undefined): WireCheckpoint | null {
  const configurable = config?.configurable;
  if (typeof configurable?.thread_id !== "string") return null;
  return {
    thread_id: configurable.thread_id,
    checkpoint_id: configurable.checkpoint_id ?? null,
    checkpoint_ns: configurable.checkpoint_ns ?? "",
    checkpoint_map: configurable.checkpoint_map ?? null,
  };
}

type Task = StateSnapshot["tasks"][number];

function isSnapshot(state: Task["state"]): state is StateSnapshot {
  return state !== undefined && "values" in state && "next" in state;
}

export function toThreadState(snapshot: StateSnapshot): Record<string, unknown> {
  const checkpoint = toWireCheckpoint(snapshot.config);
  return {
    values: snapshot.values,
    next: snapshot.next,
    tasks: snapshot.tasks.map((task) => ({
      id: task.id,
      name: task.name,
      path: task.path,
      error: task.error == null ? null : toWireError(task.error).message,
      interrupts: task.interrupts,
      checkpoint: isSnapshot(task.state) ? null : toWireCheckpoint(task.state),
      state: isSnapshot(task.state) ? toThreadState(task.state) : null,
      result: task.result ?? null,
    })),
    interrupts: snapshot.tasks.flatMap((task) => task.interrupts),
    metadata: snapshot.metadata ?? {},
    created_at: snapshot.createdAt ?? null,
    checkpoint: checkpoint?.checkpoint_id ? checkpoint : null,
    parent_checkpoint: toWireCheckpoint(snapshot.parentConfig),
  };
}

/** `Thread.interrupts`: what waits for an answer, by task. */
export function interruptsByTask(snapshot: StateSnapshot): Record<string, unknown[]> {
  return Object.fromEntries(
    snapshot.tasks.filter((task) => task.interrupts.length > 0).map((task) => [task.id, task.interrupts]),
  );
}
