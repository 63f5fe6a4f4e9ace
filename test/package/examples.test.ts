/** The programs of `test/examples`, whole, against the packed tarball. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { transform } from "esbuild";
import { Miniflare } from "miniflare";
import { build as viteBuild } from "vite";
import { expect, onTestFinished, test } from "vitest";
import { Consumer, langchain, root } from "./consumer.js";
import { launch, printedByPage, serve } from "./page.js";
import { bundleWorker, startDev } from "./wrangler.js";

const folder = join(root, "test/examples");

function filesOf(example: string): Record<string, string> {
  const names = readdirSync(join(folder, example));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, example, name), "utf8")]));
}

async function printedByNode(example: string, file: string, packages: readonly string[]): Promise<string> {
  const source = filesOf(example)[file] ?? "";
  const { code } = await transform(source, { loader: "ts", format: "esm", target: "es2022" });
  return (await new Consumer({ packages, files: { "index.js": code } }).node("index.js")).stdout;
}

test("a deep agent in Node", async () => {
  const printed = await printedByNode("node-deepagent", "agent.ts", [...langchain, "deepagents"]);
  expect(printed).toBe('→ 2\n→ ["src/auth.ts: tokens never expire."]\n');
});

test("the core in a plain loop", async () => {
  const printed = await printedByNode("core-loop", "loop.ts", []);
  expect(printed).toBe("How much warmer is Cairo than Oslo?\n\n→ 35\nCairo is 35 degrees warmer.\n");
});

test("the AI SDK", async () => {
  const printed = await printedByNode("ai-sdk", "agent.ts", ["ai", "zod"]);
  expect(printed).toBe("→ 42\nTogether they cost 42.\n");
});

test("a page that is opened twice", async () => {
  const app = new Consumer({ packages: langchain, files: filesOf("vite-page") });
  await viteBuild({ root: app.directory, logLevel: "error", configFile: false });
  const server = await serve(app.path("dist"));
  onTestFinished(() => server.close());
  const browser = await launch();
  onTestFinished(() => browser.close());
  const context = await browser.newContext();
  expect(await printedByPage(context, server.url, 1)).toBe("→ 1\n");
  expect(await printedByPage(context, server.url, 1)).toBe("→ 2\n");
});

test("an agent in a Durable Object, which is asked twice", async () => {
  const app = new Consumer({ packages: langchain, files: filesOf("worker") });
  const miniflare = new Miniflare({
    ...(await bundleWorker(app)),
    compatibilityFlags: ["nodejs_compat", "enable_request_signal"],
    durableObjects: { AGENT: { className: "Agent", useSQLite: true } },
  });
  onTestFinished(() => miniflare.dispose());
  const post = async (path: string, body: unknown) => {
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    return (await miniflare.dispatchFetch(`http://localhost${path}`, init)).json();
  };
  const { thread_id } = (await post("/threads", {})) as { thread_id: string };
  const input = { messages: [{ role: "user", content: "Count." }] };
  const ask = () => post(`/threads/${thread_id}/runs/wait`, { assistant_id: "agent", input });
  const evalTexts = ({ messages }: { messages: { type: string; content: string }[] }) =>
    messages.filter(({ type }) => type === "tool").map(({ content }) => content);
  await ask();
  expect(evalTexts((await ask()) as Parameters<typeof evalTexts>[0])).toEqual(["→ 1", "→ 2"]);
});

test("the same under `wrangler dev`, with the SDK's client, stopped and started in between", async () => {
  const app = new Consumer({ packages: langchain, files: filesOf("worker") });
  const input = { messages: [{ role: "user", content: "Count." }] };
  let threadId: string | undefined;
  for (const count of [1, 2]) {
    const server = await startDev(app);
    onTestFinished(() => server.stop());
    const client = new Client({ apiUrl: server.url, apiKey: null });
    threadId ??= (await client.threads.create()).thread_id;
    const shown: string[] = [];
    for await (const { event, data } of client.runs.stream(threadId, "agent", { input })) {
      if (event !== "values") continue;
      const { messages } = data as { messages: { type: string; content: string }[] };
      shown.push(...messages.filter(({ type }) => type === "tool").map(({ content }) => content));
    }
    expect(shown.at(-1)).toBe(`→ ${count}`);
    await server.stop();
  }
});
