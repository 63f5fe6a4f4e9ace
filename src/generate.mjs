/**
 * Writes what the source tree cannot hold as text a person edits: the engine's bytes, the prelude as one script,
 * the hashes by which a snapshot recognises the engine and the prelude it was made with, and the part of the
 * TypeScript compiler that is used.
 */
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";
import { bundleGuest } from "./bundle-guest.mjs";
import { bundleSucrase } from "./bundle-sucrase.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const sha256 = (data) => createHash("sha256").update(data).digest("hex");
const banner = "// Written by src/generate.mjs. Do not edit.\n";

const enginePath = fileURLToPath(import.meta.resolve("@jitl/quickjs-wasmfile-release-sync/wasm"));
const engine = readFileSync(enginePath);

// Identifiers keep their names: a frame of the prelude in a stack has to be recognisable in a bug report.
const script = await bundleGuest({
  entryPoints: [here("guest/index.ts")],
  globalName: "prelude",
  minifyWhitespace: true,
  minifySyntax: true,
});
// A script whose value is the install function, and which leaves no name behind.
const prelude = `(() => {${script}return prelude.install;})()`;

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
  `${banner}export const PRELUDE_SOURCE: string = ${JSON.stringify(prelude)};\n`,
);
writeFileSync(
  here("engine-wasm/embedded.generated.ts"),
  `${banner}/** The engine: base64 of deflate-raw. */\nexport const ENGINE_BASE64: string =\n  "${deflateRawSync(engine, { level: 9 }).toString("base64")}";\n`,
);
writeFileSync(
  here("engine-wasm/hash.generated.ts"),
  `${banner}export const ENGINE_SHA256: string = "${sha256(engine)}";\nexport const PRELUDE_SHA256: string = "${sha256(prelude)}";\n`,
);
writeFileSync(
  here("transform/sucrase.generated.ts"),
  `// @ts-nocheck\n${banner}import type { Sucrase } from "./typescript.js";\nexport const sucrase: Sucrase = ${await bundleSucrase()};\n`,
);
