/** The agent in this tab: LangChain, LangGraph and the interpreter, with everything kept in IndexedDB. */
import { createDemoAgent } from "../../demo/agent.js";
import { DataLibrary } from "../../demo/data-sets.js";
import { IndexedDBSaver, indexedDBStore, installSynchronousLocalStorage } from "../../index.js";
import type { AgentPlace, RunEvent, RunOptions } from "./place.js";
import { toRunEvents } from "./stream-events.js";
import { toThreadView } from "./thread-view.js";

export function createTabPlace(): AgentPlace {
  installSynchronousLocalStorage();
  const library = new DataLibrary(async (file) => (await fetch(`data/${file}`)).text());
  const agent = createDemoAgent({
    library,
    checkpointer: new IndexedDBSaver(),
    interpreter: { snapshots: indexedDBStore(), engine: new URL("quickjs.wasm", document.baseURI) },
  });
  const at = (threadId: string) => ({ configurable: { thread_id: threadId } });
  async function* ask(threadId: string, question: string, options: RunOptions): AsyncGenerator<RunEvent> {
    const input = { messages: [{ role: "user", content: question }] };
    const streamMode = ["messages", "custom", "values"] as const;
    const stream = await agent.stream(input as never, {
      ...at(threadId),
      streamMode: [...streamMode],
      signal: options.signal,
    });
    for await (const chunk of stream) {
      const [mode, payload] = chunk as unknown as [string, unknown];
      yield* toRunEvents(mode, payload);
    }
  }
  return {
    load: async (threadId) => toThreadView((await agent.graph.getState(at(threadId))).values),
    ask,
  };
}
