import type { AgentThread } from "../agent-thread.js";
import { breakOff, changedWithin, eventStream, heartbeatMs } from "../event-stream.js";
import type { StreamMode } from "../run-request.js";
import { writeText } from "../text-chunks.js";
import { toWireJson } from "../wire-json.js";

const isFinished = (thread: AgentThread, runId: string) => {
  const status = thread.runs.get(runId)?.status;
  return status !== "pending" && status !== "running";
};

/** What a run sends, as it sends it. */
export function streamResponse(
  thread: AgentThread,
  runId: string,
  options: { after: number; modes?: StreamMode[] | undefined; onDisconnect: (() => void) | undefined },
  headers: Record<string, string>,
): Response {
  const body = eventStream(thread.log, runId, { ...options, isFinished: () => isFinished(thread, runId) });
  return new Response(body, {
    headers: { ...headers, "content-type": "text/event-stream", "cache-control": "no-store" },
  });
}

/** JSON once the run is over; until then white space, so that no proxy takes the connection for dead. */
export function outcomeResponse(
  thread: AgentThread,
  runId: string,
  onDisconnect: (() => void) | undefined,
  headers: Record<string, string>,
): Response {
  const { readable, writable } = new IdentityTransformStream();
  const writer: WritableStreamDefaultWriter<Uint8Array> = writable.getWriter();
  const pump = async () => {
    while (!isFinished(thread, runId))
      if (!(await changedWithin(thread.log, runId, heartbeatMs(onDisconnect)))) await writeText(writer, "\n");
    await writeText(writer, await outcome(thread, runId));
    await writer.close();
  };
  pump().catch((reason: unknown) => breakOff(writer, reason, onDisconnect));
  return new Response(readable, { headers: { ...headers, "content-type": "application/json" } });
}

/** The thread's values after the run, with what it waits for; or its error. */
async function outcome(thread: AgentThread, runId: string): Promise<string> {
  const error = thread.log.last(runId, "error");
  if (error) return `{"__error__":${error.data}}`;
  const graph = await thread.graph();
  const state = await graph.getState({ configurable: { thread_id: thread.store.get()!.threadId } });
  const interrupts = state.tasks.flatMap((task) => task.interrupts);
  return toWireJson(interrupts.length > 0 ? { ...state.values, __interrupt__: interrupts } : state.values);
}
