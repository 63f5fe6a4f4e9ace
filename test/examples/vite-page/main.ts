/** An agent in a browser tab. Its conversation and its variables are in IndexedDB and outlive a reload. */
import { createCodeInterpreterMiddleware } from "edge-interpreter";
import { IndexedDBSaver, indexedDBStore } from "edge-interpreter/web";
import { AIMessage, createAgent, fakeModel, ToolMessage } from "langchain";

const id = crypto.randomUUID();
const model = fakeModel()
  .respond(
    new AIMessage({
      content: "",
      tool_calls: [{ name: "eval", id, args: { code: "globalThis.visits = (globalThis.visits ?? 0) + 1" } }],
    }),
  )
  .respond(new AIMessage("Counted."));

const agent = createAgent({
  model,
  tools: [],
  checkpointer: new IndexedDBSaver(),
  middleware: [createCodeInterpreterMiddleware({ snapshots: indexedDBStore() })],
});
const { messages } = await agent.invoke(
  { messages: [{ role: "user", content: "Count this visit." }] },
  { configurable: { thread_id: "visits" } },
);
const answer = messages.findLast((message) => ToolMessage.isInstance(message))?.text ?? "";
document.querySelector("#count")?.replaceChildren(answer.replace("→ ", ""));
console.log(answer);
