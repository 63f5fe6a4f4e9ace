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
    const interrupts = snapshot.tasks.flatMap((task) => task.interrupts);
    if (snapshot.next.length === 0 || interrupts.length > 0) {
      // It had all happened already; only the last word was lost.
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
