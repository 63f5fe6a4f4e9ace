import { createDeepAgent } from "deepagents";
import { tool } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { createCodeInterpreterMiddleware } from "../../src/langchain/index.js";
import { evalTexts, modelRunning, question, reviewer } from "../support/scripted-agent.js";

/** Programs as the documentation of LangChain's interpreter has them; only the package the agent imports differs. */
const searchTopics = `const topics = ["retrieval", "memory", "evaluation"];

const results = await Promise.all(
  topics.map((topic) =>
    tools.webSearch({ query: \`\${topic} best practices 2025\` }),
  ),
);

results.join("\\n\\n");`;

const searchOnce = `const result: string = await tools.webSearch({
  query: "deepagents interpreters",
});`;

const reviewPaths = `const paths = ["src/auth.ts", "src/routes/api.ts"];

const reviews = await Promise.all(
  paths.map((path) =>
    task({
      description: \`Review \${path} for authentication issues\`,
      subagentType: "reviewer",
    }),
  ),
);

reviews.join("\\n\\n");`;

const webSearch = tool(async ({ query }) => `found ${query}`, {
  name: "web_search",
  description: "Searches the web.",
  schema: z.object({ query: z.string() }),
});

test("the documented programs run unchanged", async () => {
  const agent = createDeepAgent({
    model: modelRunning(searchTopics, searchOnce, reviewPaths, "result"),
    tools: [webSearch],
    subagents: [reviewer],
    middleware: [createCodeInterpreterMiddleware({ ptc: ["web_search"] })],
  });
  expect(evalTexts((await agent.invoke(question as never)) as never)).toEqual([
    "→ found retrieval best practices 2025\n\nfound memory best practices 2025\n\nfound evaluation best practices 2025",
    "(defined: result)",
    "→ done: Review src/auth.ts for authentication issues\n\ndone: Review src/routes/api.ts for authentication issues",
    "→ found deepagents interpreters",
  ]);
});
