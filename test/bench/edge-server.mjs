// A Worker in workerd, on a loopback port, as a real server: what the SDK meets is HTTP. By default the test worker.
import { readdirSync, readFileSync } from "node:fs";
import * as esbuild from "esbuild";
import { Miniflare } from "miniflare";

const root = new URL("../..", import.meta.url).pathname;

/** The engine as workerd takes it: a file beside the bundle, compiled by the runtime. */
const engine = {
  name: "engine",
  setup(build) {
    build.onResolve({ filter: /^#engine-wasm$/ }, () => ({ path: `${root}src/engine-wasm/workerd.ts` }));
    build.onResolve({ filter: /\.wasm$/ }, () => ({ path: "./quickjs.wasm", external: true }));
  },
};

/** Resident memory of the workerd that this process started, in MiB; 0 where /proc does not say. */
function residentMiB() {
  try {
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      if (!/^Name:\s+workerd$/m.test(status) || !status.includes(`PPid:\t${process.pid}\n`)) continue;
      return Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024;
    }
  } catch {
    // A process ended while it was looked at.
  }
  return 0;
}

/** What CommonJS packages require of Node becomes an import, as wrangler's bundler does it. */
const nodeModules = {
  name: "node-modules",
  setup(build) {
    build.onResolve({ filter: /^(path|util)$/ }, ({ path }) => ({ path, namespace: "node-module" }));
    build.onLoad({ filter: /.*/, namespace: "node-module" }, ({ path }) => ({
      contents: `import library from "node:${path}"; module.exports = library;`,
    }));
  },
};

const testWorker = { entry: "test/edge/worker.ts", objects: { AGENTS: "TestAgent", OBJECTS: "TestObject" } };

/** `entry` is bundled, `objects` are its classes by binding; everything else goes to Miniflare. */
export async function startEdgeServer({ entry, objects, workers = [], ...options } = testWorker) {
  const bundle = await esbuild.build({
    entryPoints: [root + entry],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    conditions: ["workerd", "worker", "browser"],
    mainFields: ["browser", "module", "main"],
    external: ["cloudflare:*", "node:*"],
    plugins: [engine, nodeModules],
  });
  const classes = Object.entries(objects).map(([name, className]) => [name, { className, useSQLite: true }]);
  const miniflare = new Miniflare({
    workers: [
      {
        name: "main",
        modules: [
          { type: "ESModule", path: "worker.mjs", contents: bundle.outputFiles[0].text },
          { type: "CompiledWasm", path: "quickjs.wasm", contents: readFileSync(`${root}src/quickjs.wasm`) },
        ],
        compatibilityDate: "2026-04-26",
        compatibilityFlags: ["nodejs_compat", "enable_request_signal"],
        durableObjects: Object.fromEntries(classes),
        ...options,
      },
      ...workers,
    ],
    cf: false,
    // A crash that a test asked for is not news.
    handleRuntimeStdio: (stdout, stderr) => {
      stdout.resume();
      stderr.resume();
    },
  });
  const url = String(await miniflare.ready);
  const agents = await miniflare.getDurableObjectNamespace(Object.keys(objects)[0], "main");
  return {
    url,
    /** The object of a thread; its methods are those of TestAgent. */
    agent: (threadId) => agents.get(agents.idFromName(threadId)),
    residentMiB,
    dispose: () => miniflare.dispose(),
  };
}
