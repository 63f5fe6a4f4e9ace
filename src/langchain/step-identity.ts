/** Which step of which run asks for a session, read from the config LangGraph hands to tools and hooks. */
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

/** Parallel calls of one step share the checkpoint and differ in the task; a fork or another turn has both anew. */
export interface StepIdentity {
  readonly checkpointId: string;
  readonly taskId: string;
  readonly thread: string | undefined;
  /** Checkpoint namespace of the graph that the step belongs to; empty for the outermost. */
  readonly namespace: string;
  readonly checkpointer: BaseCheckpointSaver | undefined;
  /** The step runs again from a checkpoint of the past: what it wrote the first time does not count. */
  readonly isReplay: boolean;
}

export interface StepConfig {
  readonly configurable?: Readonly<Record<string, unknown>> | undefined;
  readonly [key: string]: unknown;
}

/** `callId` tells tasks apart outside a graph. */
export function stepIdentity(config: StepConfig, callId?: string): StepIdentity {
  const configurable = config.configurable ?? {};
  const info = config["executionInfo"] as { checkpointId?: string; taskId?: string } | undefined;
  const thread = configurable["thread_id"];
  const saver = configurable["__pregel_checkpointer"];
  return {
    checkpointId: String(info?.checkpointId ?? configurable["checkpoint_id"] ?? crypto.randomUUID()),
    taskId: String(info?.taskId ?? configurable["__pregel_task_id"] ?? callId ?? crypto.randomUUID()),
    thread: thread === undefined || thread === null || thread === "" ? undefined : String(thread),
    // `tools:<task>` of the step itself comes last.
    namespace: String(configurable["checkpoint_ns"] ?? "")
      .split("|")
      .slice(0, -1)
      .join("|"),
    checkpointer: isSaver(saver) ? saver : undefined,
    isReplay: configurable["__pregel_replay_state"] !== undefined,
  };
}

/** LangGraph also takes `true` and `false` for a subgraph's checkpointer. */
function isSaver(value: unknown): value is BaseCheckpointSaver {
  return typeof value === "object" && value !== null && "getTuple" in value && "put" in value;
}
