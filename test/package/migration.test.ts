/**
 * The configurations of LangChain's page on interpreters, as they stand there, with the package's name changed: an
 * agent with a model by name, whose endpoint is one on loopback here.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { Consumer, langchain } from "./consumer.js";

const quickstart = `import { createDeepAgent } from "deepagents";
import { createCodeInterpreterMiddleware } from "@langchain/quickjs";

const agent = createDeepAgent({
  model: "openai:gpt-5.5",
  middleware: [createCodeInterpreterMiddleware()],
});
`;

const allowlist = quickstart.replace("Middleware()", 'Middleware({ ptc: ["web_search"] })');

/** Every documented option at its documented default. */
const everyOption = quickstart.replace(
  "Middleware()",
  `Middleware({
    memoryLimitBytes: 64 * 1024 * 1024,
    maxStackSizeBytes: 320 * 1024,
    executionTimeoutMs: 5000,
    toolName: "eval",
    captureConsole: true,
    maxResultChars: 4000,
    systemPrompt: null,
    ptc: [],
    maxPtcCalls: 256,
    subagents: true,
  })`,
);

const totals = `const rows = [
  { team: "alpha", score: 8 },
  { team: "beta", score: 13 },
  { team: "alpha", score: 21 },
];

const totals = rows.reduce((acc, row) => {
  acc[row.team] = (acc[row.team] ?? 0) + row.score;
  console.log(\`\${row.team} score: \${acc[row.team]}\`);
  return acc;
}, {});

totals;`;

/** Answers as OpenAI's Responses endpoint does: first a call of `eval`, then a text. */
async function endpoint(code: string): Promise<string> {
  const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "eval", status: "completed" };
  const text = { type: "output_text", text: "done", annotations: [] };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const isFirst = !body.includes("function_call_output");
    const output = isFirst
      ? { ...call, arguments: JSON.stringify({ code }) }
      : { type: "message", id: "msg_1", role: "assistant", status: "completed", content: [text] };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ id: "resp_1", object: "response", model: "gpt-5.5", output: [output] }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const ask = `
const { messages } = await agent.invoke({ messages: [{ role: "user", content: "go" }] });
console.log(messages.filter(({ type }) => type === "tool").map(({ text }) => text).join("\\n"));
`;

test.each([
  ["the quickstart", quickstart],
  ["an allowlist", allowlist],
  ["every option at its default", everyOption],
])("%s runs after a change of the import", async (_, snippet) => {
  const app = new Consumer({
    packages: [...langchain, "deepagents", "@langchain/openai"],
    files: { "index.js": snippet.replace("@langchain/quickjs", "edge-interpreter") + ask },
  });
  const env = { OPENAI_BASE_URL: await endpoint(totals), OPENAI_API_KEY: "none", LANGSMITH_TRACING: "false" };
  const { stdout } = await app.run(process.execPath, ["index.js"], env);
  expect(stdout).toBe('alpha score: 8\nbeta score: 13\nalpha score: 29\n→ {"alpha": 29, "beta": 13}\n');
});
