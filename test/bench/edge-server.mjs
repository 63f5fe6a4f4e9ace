// The test worker in workerd, on a loopback port, as a real server: what the SDK meets is HTTP.
import { readFileSync } from "node:fs";
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

export async function startEdgeServer() {
  const bundle = await esbuild.build({
    entryPoints: [`${root}test/edge/worker.ts`],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    conditions: ["workerd", "worker", "browser"],
    mainFields: ["browser", "module", "main"],
    external: ["cloudflare:*", "node:*"],
    plugins: [engine],
  });
  const miniflare = new Miniflare({
    modules: [
      { type: "ESModule", path: "worker.mjs", contents: bundle.outputFiles[0].text },
      { type: "CompiledWasm", path: "quickjs.wasm", contents: readFileSync(`${root}src/quickjs.wasm`) },
    ],
    compatibilityDate: "2026-04-26",
    compatibilityFlags: ["nodejs_compat", "enable_request_signal"],
    durableObjects: {
      AGENTS: { className: "TestAgent", useSQLite: true },
      OBJECTS: { className: "TestObject", useSQLite: true },
    },
    cf: false,
    // A crash that a test asked for is not news.
    handleRuntimeStdio: (stdout, stderr) => {
      stdout.resume();
      stderr.resume();
    },
  });
  const url = String(await miniflare.ready);
  const agents = await miniflare.getDurableObjectNamespace("AGENTS");
  return {
    url,
    /** The object of a thread; its methods are those of TestAgent. */
    agent: (threadId) => agents.get(agents.idFromName(threadId)),
    dispose: () => miniflare.dispose(),
  };
}
