/** The sample Worker in workerd with the providers' own clients, against an endpoint on loopback. */
import { Client } from "@langchain/langgraph-sdk";
import { describe, expect, onTestFinished, test } from "vitest";
import { type EdgeServer, startEdgeServer } from "../bench/edge-server.mjs";
import { type ModelAnswer, type ModelEndpoint, startModelEndpoint } from "../support/model-endpoint.js";

const noAssets = () => new Response("none", { status: 404 });
const KEY = "test-key-0123456789";

/** Calls `eval` with what the person says after `run `, then tells the result; refuses what says so. */
function scripted(last: string, isResult: boolean): ModelAnswer | { status: number } {
  if (last.includes("refuse")) return { status: 401 };
  return isResult ? { pieces: ["The ", "result is ", last] } : { code: last.replace("run ", "") };
}

async function startSample(bindings: Record<string, string>, more: object = {}): Promise<EdgeServer> {
  const server = await startEdgeServer({
    entry: "edge/worker.ts",
    objects: { AGENT: "DemoAgent" },
    bindings,
    serviceBindings: { ["ASSETS"]: noAssets },
    ...more,
  });
  onTestFinished(() => server.dispose());
  return server;
}

async function startEndpoint(): Promise<ModelEndpoint> {
  const endpoint = await startModelEndpoint(scripted);
  onTestFinished(() => endpoint.close());
  return endpoint;
}

interface Message {
  readonly type: string;
  readonly content: string | { text?: string }[];
}

const textOf = ({ content }: Message): string =>
  typeof content === "string" ? content : content.map((block) => block.text ?? "").join("");

/** A turn as a page follows it: the pieces of the answer, and the conversation as it is then. */
async function turn(client: Client, threadId: string, text: string) {
  const pieces: string[] = [];
  let messages: Message[] = [];
  const input = { messages: [{ role: "user", content: text }] };
  const streamMode = ["values", "messages-tuple"] as const;
  for await (const part of client.runs.stream(threadId, "agent", { input, streamMode: [...streamMode] })) {
    if (part.event === "values") messages = (part.data as { messages: Message[] }).messages;
    if (part.event !== "messages") continue;
    const [message] = part.data as unknown as [Message];
    if (message.type === "ai" && textOf(message) !== "") pieces.push(textOf(message));
  }
  return { pieces, messages };
}

function createClient(server: EdgeServer): Client {
  return new Client({ apiUrl: server.url, apiKey: null, callerOptions: { maxRetries: 0 } });
}

describe.each([
  {
    name: "an OpenAI-compatible endpoint",
    bindings: (url: string) => ({
      MODEL: "openai:test-model",
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: `${url}/v1`,
    }),
    path: "/v1/chat/completions",
    key: (headers: ModelEndpoint["seen"][0]["headers"]) => headers.authorization?.replace("Bearer ", ""),
    toolNames: (tools: { function?: { name: string } }[]) => tools.map((tool) => tool.function?.name),
  },
  {
    name: "Anthropic",
    bindings: (url: string) => ({
      MODEL: "anthropic:test-model",
      ANTHROPIC_API_KEY: KEY,
      ANTHROPIC_BASE_URL: url,
    }),
    path: "/v1/messages",
    key: (headers: ModelEndpoint["seen"][0]["headers"]) => headers["x-api-key"],
    toolNames: (tools: { name?: string }[]) => tools.map((tool) => tool.name),
  },
])("$name", ({ bindings, path, key, toolNames }) => {
  test("calls eval and streams its answer from a Durable Object, and its refusal is told without the key", async () => {
    const endpoint = await startEndpoint();
    const client = createClient(await startSample(bindings(endpoint.url)));
    const { thread_id } = await client.threads.create();
    const first = await turn(client, thread_id, "run const n = 6 * 7; n");
    expect(first.messages.map(textOf).slice(-2)).toEqual(["→ 42", "The result is → 42"]);
    expect(first.pieces).toEqual(["The ", "result is ", "→ 42"]);
    const second = await turn(client, thread_id, "run n + 1");
    expect(textOf(second.messages.at(-1)!)).toBe("The result is → 43");

    expect(endpoint.seen).toHaveLength(4);
    for (const { path: asked, headers, body } of endpoint.seen) {
      expect([asked, key(headers), body["model"]]).toEqual([path, KEY, "test-model"]);
      expect(toolNames(body["tools"] as object[])).toContain("eval");
    }

    const refused = await client.runs.wait(thread_id, "agent", {
      input: { messages: [{ role: "user", content: "refuse" }] },
      raiseError: false,
    });
    expect(JSON.stringify(refused)).toContain("refused by the endpoint");
    expect(JSON.stringify(refused)).not.toContain(KEY);
    const { messages } = await turn(client, thread_id, "run n");
    expect(textOf(messages.at(-1)!)).toBe("The result is → 42");
  }, 60_000);
});

test("Workers AI is asked through a binding of its shape, and its calls of eval are run", async () => {
  const ai = `
    import { WorkerEntrypoint } from "cloudflare:workers";
    export class Ai extends WorkerEntrypoint {
      async run(model, { messages, tools }) {
        const last = messages.at(-1);
        const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
        if (model !== "@cf/test/model") throw new Error("5007: No such model " + model);
        if (!tools.some((tool) => tool.function.name === "eval")) throw new Error("no eval");
        if (last.role === "tool") return { response: "The result is " + last.content, tool_calls: [], usage };
        return { response: null, tool_calls: [{ name: "eval", arguments: { code: last.content } }], usage };
      }
    }
    export default { fetch: () => new Response("") };`;
  const server = await startSample(
    { MODEL: "workers-ai:@cf/test/model" },
    {
      serviceBindings: {
        ["ASSETS"]: noAssets,
        AI: { name: "ai", entrypoint: "Ai" },
      },
      workers: [{ name: "ai", modules: true, script: ai, compatibilityDate: "2026-04-26" }],
    },
  );
  const client = createClient(server);
  const { thread_id } = await client.threads.create();
  expect((await turn(client, thread_id, "const n = 6 * 7; n")).messages.map(textOf).slice(-2)).toEqual([
    "→ 42",
    "The result is → 42",
  ]);
  expect(textOf((await turn(client, thread_id, "n + 1")).messages.at(-1)!)).toBe("The result is → 43");
}, 60_000);
