/** The README's first example in a Worker, through wrangler's own bundler, with a compatibility date and nothing else. */
import { Miniflare } from "miniflare";
import { expect, onTestFinished, test } from "vitest";
import { Consumer, langchain } from "./consumer.js";
import { firstExample } from "./readme.js";
import { bundleWorker, compatibilityDate } from "./wrangler.js";

const { imports, body, prints } = firstExample();
const worker = `${imports}
async function example() {
  const lines = [];
  const console = { log: (text) => lines.push(text) };
  ${body}
  return lines.map((line) => line + "\\n").join("");
}
export default { fetch: async () => new Response(await example()) };`;
const config = `name = "app"\nmain = "worker.js"\ncompatibility_date = "${compatibilityDate}"\n`;

async function deployed(packages: readonly string[], source: string): Promise<Miniflare> {
  const app = new Consumer({ packages, files: { "worker.js": source, "wrangler.toml": config } });
  const miniflare = new Miniflare(await bundleWorker(app));
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

test("the engine as a module that the Worker imports itself", async () => {
  const source = `
    import { createInterpreter } from "edge-interpreter/core";
    import engine from "edge-interpreter/quickjs.wasm";
    export default { async fetch() {
      const session = await (await createInterpreter({ engine })).open();
      return Response.json([engine instanceof WebAssembly.Module, (await session.eval("6 * 7")).value]);
    } };`;
  const miniflare = await deployed([], source);
  expect(await (await miniflare.dispatchFetch("http://worker/")).json()).toEqual([true, 42]);
});
