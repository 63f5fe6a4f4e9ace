/** The agent in the Worker that serves this page, through the LangGraph SDK. */
import { Client } from "@langchain/langgraph-sdk/client";
import type { AgentPlace, RunEvent, RunOptions } from "./place.js";
import { toRunEvents } from "./stream-events.js";
import { toThreadView } from "./thread-view.js";

export function createWorkerPlace(): AgentPlace {
  const client = new Client({ apiUrl: location.origin, apiKey: null });
  async function* ask(threadId: string, question: string, options: RunOptions): AsyncGenerator<RunEvent> {
    const stream = client.runs.stream(threadId, "agent", {
      input: { messages: [{ role: "user", content: question }] },
      streamMode: ["messages-tuple", "custom", "values"],
      ifNotExists: "create",
      signal: options.signal,
    });
    for await (const { event, data } of stream) yield* toRunEvents(event, data);
  }
  return {
    async load(threadId) {
      await client.threads.create({ threadId, ifExists: "do_nothing" });
      return toThreadView((await client.threads.get(threadId)).values);
    },
    ask,
  };
}
