import type { AgentThread } from "./agent-thread.js";
import { resolveAssistant } from "./assistant.js";
import { HttpError } from "./http-error.js";
import type { RunCreate } from "./routes/requests.js";
import type { RunRequest, StreamMode } from "./run-request.js";
import type { RunRow } from "./run-store.js";

/** How long the result of a stateless run can still be read. */
const STATELESS_MS = 60_000;

/**
 * Queues a run and starts it if the thread is free. Between the look at what is in flight and the insert there is no
 * await: of two clients at the same moment, the second sees the first.
 *
 * @throws {HttpError} 404 for an unknown thread or assistant, 409 if the thread is busy and the client would not wait.
 */
export function submitRun(
  thread: AgentThread,
  threadId: string,
  payload: RunCreate,
  options: { stateless?: boolean } = {},
): RunRow {
  const assistant = resolveAssistant(payload.assistant_id, thread.graphId);
  const strategy = payload.multitask_strategy ?? "reject";
  const labels = { graph_id: thread.graphId, assistant_id: assistant };
  return thread.storage.transactionSync(() => {
    if (thread.store.get() === undefined && (options.stateless || payload.if_not_exists === "create"))
      thread.store.create(threadId, { ...labels, ...payload.metadata });
    const { metadata } = thread.require(threadId);
    const inFlight = thread.runs.unfinished();
    if (strategy === "reject" && inFlight.length > 0)
      throw new HttpError(
        409,
        "Thread is already running a task. Wait for it to finish or choose a different multitask strategy.",
      );
    if (strategy === "interrupt" || strategy === "rollback")
      for (const run of inFlight) void thread.loop.cancel(run, strategy);
    const run = thread.runs.insert(
      {
        // A stateless run's thread has the run's id: `/runs/{run_id}` needs no table to find it.
        runId: options.stateless ? threadId : crypto.randomUUID(),
        assistantId: assistant,
        metadata: { ...metadata, ...payload.metadata, ...labels },
        multitaskStrategy: strategy,
        due: Date.now() + (payload.after_seconds ?? 0) * 1000,
      },
      toRunRequest(payload),
    );
    thread.store.mergeMetadata(labels);
    thread.store.setStatus("busy");
    if (options.stateless && payload.on_completion !== "keep")
      thread.store.setExpiry(Date.now() + STATELESS_MS);
    thread.loop.wake();
    return run;
  });
}

function toRunRequest(payload: RunCreate): RunRequest {
  const modes = [payload.stream_mode ?? "values"].flat() as StreamMode[];
  return {
    input: payload.input,
    command: payload.command,
    config: payload.config ?? undefined,
    context: payload.context,
    streamMode: modes.length > 0 ? modes : ["values"],
    subgraphs: payload.stream_subgraphs ?? false,
    interruptBefore: payload.interrupt_before ?? undefined,
    interruptAfter: payload.interrupt_after ?? undefined,
    checkpoint: {
      ...payload.checkpoint,
      ...(payload.checkpoint_id ? { checkpoint_id: payload.checkpoint_id } : {}),
    },
  };
}
