/** Bundles an entry with the suites for a place without a file system; `.wasm` imports stay for the platform. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The engines by the name under which the bundles ask for them. */
export const engines = {
  "sync.wasm": "@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.wasm",
  "asyncify.wasm": "@jitl/quickjs-wasmfile-release-asyncify/dist/emscripten-module.wasm",
  "wasi.wasm": "quickjs-wasi/quickjs.wasm",
};

export const readEngine = (name) => readFile(`${root}node_modules/${engines[name]}`);

export async function bundle(entry, { conditions, ...options }) {
  const result = await build({
    absWorkingDir: root,
    entryPoints: [`test/bench/runtimes/${entry}`],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    conditions,
    mainFields: ["browser", "module", "main"],
    external: ["*.wasm", "cloudflare:*", "node:*"],
    alias: { "edge-interpreter/core": `${root}dist/src/index.js` },
    logLevel: "error",
    ...options,
    plugins: [
      {
        name: "engine",
        setup({ onResolve }) {
          const file = conditions.includes("workerd") ? "workerd.js" : "embedded.js";
          onResolve({ filter: /^#engine-wasm$/ }, () => ({ path: `${root}dist/src/engine-wasm/${file}` }));
          onResolve({ filter: /quickjs\.wasm$/ }, () => ({ path: "./sync.wasm", external: true }));
        },
      },
    ],
  });
  return result.outputFiles[0].text;
}
