/** What a page's Content-Security-Policy has to allow, and what the errors of one that does not say. */
import type { Browser } from "@playwright/test";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Consumer, langchain } from "./consumer.js";
import { launch, serve } from "./page.js";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const page = `
  import { createInterpreter } from "edge-interpreter/core";
  import { pageWorker, workerInterpreter } from "edge-interpreter/web";
  const start = () => pageWorker(new Worker("session-worker.js", { type: "module" }));
  const value = async (make) => {
    try {
      const session = await (await make({})).open();
      return (await session.eval("6 * 7")).value;
    } catch (error) {
      return error.message;
    }
  };
  document.title = JSON.stringify([await value(createInterpreter), await value(workerInterpreter(start))]);`;

/** What the page came to, in its own thread and in a worker. */
async function under(directory: string, policy: string): Promise<unknown[]> {
  const server = await serve(directory, policy);
  const open = await browser.newPage();
  try {
    await open.goto(server.url);
    await open.waitForFunction(() => document.title !== "");
    return JSON.parse(await open.title()) as unknown[];
  } finally {
    await open.close();
    server.close();
  }
}

test("a page runs under 'wasm-unsafe-eval' and worker-src 'self'; where one is missing the error names it", async () => {
  const app = new Consumer({
    packages: langchain,
    files: {
      "out/index.html": '<!doctype html><script type="module" src="page.js"></script>',
      "page.js": page,
      "session-worker.js": 'import "edge-interpreter/web/session-worker";',
    },
  });
  await build({
    absWorkingDir: app.directory,
    entryPoints: ["page.js", "session-worker.js"],
    bundle: true,
    format: "esm",
    outdir: "out",
    logLevel: "error",
  });
  const out = app.path("out");
  expect(await under(out, "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'")).toEqual([42, 42]);
  const named = expect.stringContaining("Content-Security-Policy needs 'wasm-unsafe-eval' in script-src");
  expect(await under(out, "script-src 'self'; worker-src 'self'")).toEqual([named, named]);
  expect(await under(out, "script-src 'self' 'wasm-unsafe-eval'; worker-src 'none'")).toEqual([
    42,
    expect.stringContaining("a Content-Security-Policy has to allow it in worker-src"),
  ]);
});
