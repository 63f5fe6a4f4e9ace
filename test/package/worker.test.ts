/** The README's first example in a Worker, through wrangler's own bundler, with a compatibility date and nothing else. */
import { readdirSync } from "node:fs";
import { Miniflare } from "miniflare";
import { expect, onTestFinished, test } from "vitest";
import { Consumer, langchain, root } from "./consumer.js";
import { firstExample } from "./readme.js";

const { imports, body, prints } = firstExample();
const worker = `${imports}
async function example() {
  const lines = [];
  const console = { log: (text) => lines.push(text) };
  ${body}
  return lines.map((line) => line + "\\n").join("");
}
export default { fetch: async () => new Response(await example()) };`;
const compatibilityDate = "2026-04-26";
const quiet = {
  CI: "1",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
};

async function deployed(packages: readonly string[], source: string): Promise<Miniflare> {
  const app = new Consumer({
    packages,
    files: {
      "worker.js": source,
      "wrangler.toml": `name = "app"\nmain = "worker.js"\ncompatibility_date = "${compatibilityDate}"\n`,
    },
  });
  const args = [`${root}/node_modules/wrangler/bin/wrangler.js`, "deploy", "--dry-run", "--outdir", "out"];
  await app.run(process.execPath, args, quiet);
  const wasm = readdirSync(app.path("out")).find((name) => name.endsWith(".wasm"));
  const miniflare = new Miniflare({
    cf: false,
    compatibilityDate,
    modulesRoot: app.path("out"),
    modules: [
      { type: "ESModule", path: app.path("out/worker.js") },
      { type: "CompiledWasm", path: app.path(`out/${wasm}`) },
    ],
  });
  onTestFinished(() => miniflare.dispose());
  return miniflare;
}

test("an agent in a Worker", async () => {
  const miniflare = await deployed(langchain, worker);
  expect(await (await miniflare.dispatchFetch("http://worker/")).text()).toBe(prints);
});

test("the core in a Worker, without LangChain", async () => {
  const source = `
    import { createInterpreter } from "edge-interpreter/core";
    export default { async fetch() {
      const session = await (await createInterpreter()).open();
      return Response.json((await session.eval("const x: number = 6; x * 7")).value);
    } };`;
  const miniflare = await deployed([], source);
  expect(await (await miniflare.dispatchFetch("http://worker/")).json()).toBe(42);
});
