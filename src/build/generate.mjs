/**
 * Writes what the source tree cannot hold as text a person edits: the engine's bytes, the prelude in parts,
 * the hashes by which a snapshot recognises the engine it was made with and how that was booted, and the part of the
 * TypeScript compiler that is used.
 */
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";
import { build } from "esbuild";
import { bundleGuest } from "./bundle-guest.mjs";
import { bundleSucrase } from "./bundle-sucrase.mjs";
import { splitScript } from "./split-script.mjs";

/** Paths are those of `src`. */
const here = (path) => fileURLToPath(new URL(path, new URL("../", import.meta.url)));
const sha256 = (data) => createHash("sha256").update(data).digest("hex");
/** Ten parts or so. Smaller ones leave no smaller gaps in the base image, but have more to hand on. */
const PART_CHARS = 10_000;
const banner = "// Written by src/build/generate.mjs. Do not edit.\n";

const enginePath = fileURLToPath(import.meta.resolve("@jitl/quickjs-wasmfile-release-sync/wasm"));
const engine = readFileSync(enginePath);

// Short names make a session a twentieth smaller, and the download by a quarter of the prelude. A frame of it in a
// stack says part and column; building the same version again writes the same parts.
const script = await bundleGuest({
  entryPoints: [here("guest/index.ts")],
  format: "esm",
  minify: true,
});
const prelude = splitScript(script, PART_CHARS);

mkdirSync(here("engine-wasm"), { recursive: true });
copyFileSync(enginePath, here("quickjs.wasm"));
// The file that the package exports, and what a bundler for Workers makes of it. Before `tsc`, which looks it up.
mkdirSync(here("../dist/src"), { recursive: true });
copyFileSync(enginePath, here("../dist/src/quickjs.wasm"));
writeFileSync(
  here("../dist/src/quickjs.wasm.d.ts"),
  "declare const module: WebAssembly.Module;\nexport default module;\n",
);
writeFileSync(
  here("prelude.generated.ts"),
  `${banner}export const PRELUDE_PARTS: readonly string[] = ${JSON.stringify(prelude)};\n`,
);
writeFileSync(
  here("engine-wasm/embedded.generated.ts"),
  `${banner}/** The engine: base64 of deflate-raw. */\nexport const ENGINE_BASE64: string =\n  "${deflateRawSync(engine, { level: 9 }).toString("base64")}";\n`,
);
// The base image is what the engine and all of this make of each other: a heap image fits no other.
const boot = await build({
  entryPoints: [here("engine/base-image.ts")],
  bundle: true,
  write: false,
  format: "esm",
  minify: true,
});
writeFileSync(
  here("engine-wasm/hash.generated.ts"),
  `${banner}export const ENGINE_SHA256: string = "${sha256(engine)}";\nexport const BOOT_SHA256: string = "${sha256(boot.outputFiles[0].contents)}";\n`,
);
writeFileSync(
  here("transform/sucrase.generated.ts"),
  `// @ts-nocheck\n${banner}import type { Sucrase } from "./typescript.js";\nexport const sucrase: Sucrase = ${await bundleSucrase()};\n`,
);
