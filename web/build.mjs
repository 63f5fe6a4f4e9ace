/** Builds the playground into `dist/playground`, with its data sets and the engine beside it. */
import { copyFileSync, cpSync, mkdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const out = here("../dist/playground");
// The Worker of the package imports the engine as a file, from beside the code that `tsc` wrote.
copyFileSync(here("../src/quickjs.wasm"), here("../dist/src/quickjs.wasm"));

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
  entryPoints: { main: here("playground/main.ts") },
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "browser",
  target: "es2022",
  minify: true,
  sourcemap: true,
  outdir: out,
  define: { "process.platform": '"linux"' },
  logLevel: "warning",
});
