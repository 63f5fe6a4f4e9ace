/** The README's first example, as it stands, through bundlers without configuration, in Chromium and in Node. */
import { mkdtempSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "@playwright/test";
import { build as esbuild } from "esbuild";
import { createServer as createViteServer, build as viteBuild } from "vite";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import webpack from "webpack";
import { Consumer, langchain } from "./consumer.js";
import { launch, printedByPage, serve } from "./page.js";
import { firstExample } from "./readme.js";

const { code, prints } = firstExample();
const count = prints.split("\n").length - 1;
const html = (script: string) =>
  `<!doctype html><link rel="icon" href="data:,"><script type="module" src="${script}"></script>`;

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

function consumer(files: Record<string, string> = {}): Consumer {
  return new Consumer({ packages: langchain, files: { "index.js": code, ...files } });
}

async function printedFrom(directory: string): Promise<string> {
  const server = await serve(directory);
  onTestFinished(() => server.close());
  return printedByPage(browser, server.url, count);
}

test("esbuild for a page, a plain script tag", async () => {
  const app = consumer({ "out/index.html": html("bundle.js") });
  await esbuild({
    absWorkingDir: app.directory,
    entryPoints: ["index.js"],
    bundle: true,
    format: "esm",
    outfile: "out/bundle.js",
    logLevel: "error",
  });
  expect(await printedFrom(app.path("out"))).toBe(prints);
});

test("esbuild for Node: one file that runs alone", async () => {
  const app = consumer();
  await esbuild({
    absWorkingDir: app.directory,
    entryPoints: ["index.js"],
    bundle: true,
    format: "esm",
    platform: "node",
    outfile: "bundle.mjs",
    logLevel: "error",
    // Parts of LangChain are CommonJS and require what Node has.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
  const alone = join(mkdtempSync(join(tmpdir(), "edge-interpreter-alone-")), "bundle.mjs");
  renameSync(app.path("bundle.mjs"), alone);
  expect((await app.node(alone)).stdout).toBe(prints);
});

async function bundleWithWebpack(app: Consumer): Promise<void> {
  const compiler = webpack({
    context: app.directory,
    mode: "production",
    entry: "./index.js",
    output: { path: app.path("out") },
    // Minifying decides nothing here and takes most of the time.
    optimization: { minimize: false },
    performance: false,
  });
  const stats = await new Promise<webpack.Stats | undefined>((resolve, reject) => {
    compiler?.run((error, result) => (error ? reject(error) : resolve(result)));
  });
  const { errors, warnings = [] } = stats?.toJson({ all: false, errors: true, warnings: true }) ?? {};
  expect(errors).toEqual([]);
  // LangChain's `initChatModel` imports by a name that is known at run time only.
  expect(warnings.filter(({ moduleName }) => !moduleName?.includes("/langchain/"))).toEqual([]);
}

test("webpack", async () => {
  const app = consumer({ "out/index.html": html("main.js") });
  await bundleWithWebpack(app);
  expect(await printedFrom(app.path("out"))).toBe(prints);
});

test("Vite, built", async () => {
  const app = consumer({ "index.html": html("/index.js") });
  await viteBuild({ root: app.directory, logLevel: "error", configFile: false });
  expect(await printedFrom(app.path("dist"))).toBe(prints);
});

test("Vite, in a Web Worker, built", async () => {
  const app = consumer({
    "index.html": html("/page.js"),
    "page.js": `
      const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
      worker.onmessage = ({ data }) => console.log(data);
      worker.onerror = ({ message }) => console.error(message);`,
    "worker.js": `console.log = (text) => postMessage(text);\nimport("./index.js").catch((error) => { throw error; });`,
  });
  await viteBuild({ root: app.directory, logLevel: "error", configFile: false, worker: { format: "es" } });
  expect(await printedFrom(app.path("dist"))).toBe(prints);
});

/** The page stays free while code runs: a session in a worker of its own, whose script only imports the package's. */
const hosted = {
  "session-worker.js": 'import "edge-interpreter/web/session-worker";',
  "index.js": `
    import { AIMessage, createAgent, fakeModel } from "langchain";
    import { createCodeInterpreterMiddleware } from "edge-interpreter";
    import { pageWorker, workerInterpreter } from "edge-interpreter/web";
    const start = () => pageWorker(new Worker(new URL("./session-worker.js", import.meta.url), { type: "module" }));
    const model = fakeModel()
      .respondWithTools([{ name: "eval", id: "1", args: { code: "typeof document + (6 * 7 as number)" } }])
      .respond(new AIMessage("done"));
    const middleware = [createCodeInterpreterMiddleware({ interpreter: workerInterpreter(start) })];
    const agent = createAgent({ model, tools: [], middleware });
    const { messages } = await agent.invoke({ messages: [{ role: "user", content: "go" }] });
    console.log(messages.at(-2).text);`,
};

test("Vite, with sessions in Web Workers", async () => {
  const app = consumer({ "index.html": html("/index.js"), ...hosted });
  await viteBuild({ root: app.directory, logLevel: "error", configFile: false, worker: { format: "es" } });
  const server = await serve(app.path("dist"));
  onTestFinished(() => server.close());
  expect(await printedByPage(browser, server.url, 1)).toBe("→ undefined42\n");
});

test("webpack, with sessions in Web Workers", async () => {
  const app = consumer({ "out/index.html": html("main.js"), ...hosted });
  await bundleWithWebpack(app);
  const server = await serve(app.path("out"));
  onTestFinished(() => server.close());
  expect(await printedByPage(browser, server.url, 1)).toBe("→ undefined42\n");
});

test("Vite, as its development server serves it", async () => {
  const app = consumer({ "index.html": html("/index.js") });
  const server = await createViteServer({
    root: app.directory,
    logLevel: "error",
    configFile: false,
    server: { host: "127.0.0.1", port: 0, hmr: false },
  });
  onTestFinished(() => server.close());
  await server.listen();
  expect(await printedByPage(browser, server.resolvedUrls?.local[0] ?? "", count)).toBe(prints);
});
