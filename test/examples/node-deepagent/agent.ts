/** A deep agent whose code hands work to a subagent, twice in parallel, and keeps the answers for the next turn. */
import { MemorySaver } from "@langchain/langgraph";
import { createDeepAgent } from "deepagents";
import { createCodeInterpreterMiddleware } from "edge-interpreter";
import { AIMessage, fakeModel } from "langchain";

const evalCall = (id: string, code: string) =>
  new AIMessage({ content: "", tool_calls: [{ name: "eval", id, args: { code } }] });

const reviewer = fakeModel()
  .respond(new AIMessage("src/auth.ts: tokens never expire."))
  .respond(new AIMessage("src/api.ts: fine."));
const model = fakeModel()
  .respond(
    evalCall(
      "1",
      `const paths = ["src/auth.ts", "src/api.ts"];
const reviews = await Promise.all(paths.map((path) =>
  task({ description: "Review " + path, subagentType: "reviewer" })));
const findings = () => reviews.filter((review) => !review.endsWith("fine."));
reviews.length`,
    ),
  )
  .respond(new AIMessage("Both files are reviewed."))
  .respond(evalCall("2", "findings()"))
  .respond(new AIMessage("One finding."));

const agent = createDeepAgent({
  model,
  checkpointer: new MemorySaver(),
  subagents: [
    {
      name: "reviewer",
      description: "Reviews one file.",
      systemPrompt: "Answer with one line.",
      model: reviewer,
    },
  ],
  middleware: [createCodeInterpreterMiddleware()],
});

const config = { configurable: { thread_id: "review" } };
for (const content of ["Review the files.", "What did you find?"]) {
  const { messages } = await agent.invoke({ messages: [{ role: "user", content }] }, config);
  console.log(messages.at(-2)?.text);
}
