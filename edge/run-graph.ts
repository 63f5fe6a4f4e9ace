import type { StateSnapshot } from "@langchain/langgraph";
import type { AgentGraph } from "./agent-graph.js";
import { type RunRequest, toGraphInput, toGraphModes, toGraphOptions } from "./run-request.js";
import type { RunRow } from "./run-store.js";
import { type StreamPart, StreamParts } from "./stream-parts.js";

/**
 * One attempt at a run. `begun` says that an earlier attempt has written checkpoints: then the graph goes on from the
 * newest with no input, and tools whose results are stored (as a checkpoint or as pending writes) do not run again.
 */
export async function* runGraph(
  graph: AgentGraph,
  run: RunRow,
  threadId: string,
  request: RunRequest,
  begun: boolean,
  signal: AbortSignal,
): AsyncGenerator<StreamPart> {
  const options = { ...toGraphOptions(run, threadId, request, !begun), signal };
  if (begun) {
    const snapshot = await graph.getState({ configurable: { thread_id: threadId } });
    if (hasStopped(snapshot, request)) {
      // It had all happened already; only the last word was lost.
      const interrupts = snapshot.tasks.flatMap((task) => task.interrupts);
      if (request.streamMode.includes("values")) {
        yield { event: "values", data: snapshot.values };
        if (interrupts.length > 0) yield { event: "values", data: { __interrupt__: interrupts } };
      }
      return;
    }
  }
  const input = begun ? null : toGraphInput(request);
  const parts = new StreamParts(request);
  const streamMode = toGraphModes(request.streamMode);
  if (request.streamMode.includes("events")) {
    for await (const event of graph.streamEvents(input, { ...options, streamMode, version: "v2" })) {
      const {
        event: name,
        run_id,
        data,
      } = event as {
        event: string;
        run_id: string;
        data: { chunk: unknown };
      };
      if (name === "on_chain_stream" && run_id === run.runId) yield* parts.fromChunk(data.chunk);
      else yield { event: "events", data: event };
    }
    return;
  }
  for await (const chunk of await graph.stream(input, { ...options, streamMode }))
    yield* parts.fromChunk(chunk);
}

/**
 * Whether the run had come to its end, a question or a breakpoint before it was cut off. In doubt it had: who waits for
 * an approval can be asked once more, a step that was not approved cannot be undone.
 */
function hasStopped(snapshot: StateSnapshot, { interruptBefore, interruptAfter }: RunRequest): boolean {
  if (snapshot.next.length === 0 || interruptAfter !== undefined) return true;
  if (interruptBefore === "*" || snapshot.next.some((node) => interruptBefore?.includes(node))) return true;
  const asks = snapshot.tasks.some((task) => task.interrupts.length > 0);
  return asks && snapshot.tasks.every((task) => task.interrupts.length > 0 || task.result !== undefined);
}
