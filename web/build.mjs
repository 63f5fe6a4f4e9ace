/** Builds the playground into `dist/playground`, with its data sets and the engine beside it. */
import { copyFileSync, cpSync, mkdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const out = here("../dist/playground");

/**
 * Node's modules that Deep Agents and the model clients name and do not need in a page: glob matching wants a path
 * separator and a printer for its errors, the others are only reached for files of keys.
 */
const nodeInPage = {
  name: "node-in-page",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?(path|util|fs|fs\/promises)$/ }, ({ path }) => ({
      path: path.replace(/^node:/, ""),
      namespace: "node-in-page",
    }));
    onLoad({ filter: /.*/, namespace: "node-in-page" }, ({ path }) => ({
      contents: nodeModules[path] ?? "",
    }));
  },
};

const nodeModules = {
  path: 'export const sep = "/"; export const basename = (path) => path.slice(path.lastIndexOf("/") + 1); export default { sep, basename };',
  util: "export const inspect = (value) => String(value); export default { inspect };",
};

const engineFromFile = {
  name: "engine-from-file",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^#engine-wasm$/ }, () => ({ path: "engine", namespace: "engine-from-file" }));
    onLoad({ filter: /.*/, namespace: "engine-from-file" }, () => ({
      contents:
        'export const loadEngineModule = () => Promise.reject(new Error("The page names its engine."));',
    }));
  },
};

rmSync(out, { recursive: true, force: true });
mkdirSync(`${out}/data`, { recursive: true });
copyFileSync(here("../src/quickjs.wasm"), `${out}/quickjs.wasm`);
// The package exports its loader only; the files lie beside it.
const data = here("../node_modules/vega-datasets/data");
for (const file of ["movies.json", "cars.json", "penguins.json", "gapminder.json"]) {
  copyFileSync(`${data}/${file}`, `${out}/data/${file}`);
}
cpSync(here("playground/static"), out, { recursive: true });
await build({
  entryPoints: { main: here("playground/main.ts"), "session-worker": here("session-worker.ts") },
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "browser",
  target: "es2022",
  minify: true,
  sourcemap: true,
  outdir: out,
  // The page fetches the engine as a file while it compiles; the copy inside the package would come on top.
  plugins: [engineFromFile, nodeInPage],
  define: { "process.platform": '"linux"' },
  logLevel: "warning",
});
