/** 8. Sizes: what a page or a Worker downloads, minified and gzipped, by part (esbuild's metafile). */
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const peers = ["@langchain/*", "langchain", "zod", "deepagents"];
const entries = {
  "edge-interpreter: all of it": "dist/src/langchain/index.js",
  "edge-interpreter/core": "dist/src/index.js",
  "edge-interpreter/web": "dist/web/index.js",
  "edge-interpreter/edge": "dist/edge/index.js",
};
const generatedParts = {
  "prelude.generated": "the prelude (guest code)",
  "sucrase.generated": "the TypeScript compiler (part of sucrase)",
};

export async function run() {
  const totals = [];
  let parts = {};
  let nodeImports = [];
  const start = await bundled("dist/src/langchain/index.js", ["*/sucrase.generated.js"]);
  totals.push({ label: "edge-interpreter: what a page loads at start", cells: kilobytes(start.code) });
  for (const [label, entry] of Object.entries(entries)) {
    const bundle = await bundled(entry);
    totals.push({ label, cells: kilobytes(bundle.code) });
    if (entry === "dist/src/langchain/index.js") {
      parts = await sizesOfParts(bundle.metafile);
      nodeImports = bundle.nodeImports;
    }
  }
  const wasm = (await import("node:fs")).readFileSync(
    `${root}node_modules/@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.wasm`,
  );
  totals.push({ label: "the engine (wasm)", cells: kilobytes(wasm) });
  return [
    {
      title: "Size: bundles without wasm and peers",
      unit: "KB",
      note: `Middleware and core with their dependencies; esbuild, minified; gzip level 9. The TypeScript compiler (a part of sucrase) is loaded when code first needs it. Peers: ${peers.join(", ")}. Imports of node: ${nodeImports.length === 0 ? "none" : nodeImports.join(", ")}.`,
      rows: totals,
    },
    {
      title: "Size: parts of the middleware bundle",
      unit: "KB",
      note: "The metafile's bytes in the output; gzip of each part is estimated by its share.",
      rows: Object.entries(parts)
        .sort((a, b) => b[1].minified - a[1].minified)
        .map(([label, { minified, gzip }]) => ({
          label,
          cells: { minified: exact(minified), gzip: exact(gzip) },
        })),
    },
  ];
}

async function bundled(entry, later = []) {
  const nodeImports = [];
  const result = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    external: ["*.wasm", "cloudflare:*", ...later],
    write: false,
    metafile: true,
    logLevel: "silent",
    plugins: [
      {
        name: "peers-and-engine",
        setup({ onResolve }) {
          onResolve({ filter: /^(@langchain\/|langchain$|zod|deepagents)/ }, ({ path }) => ({
            path,
            external: true,
          }));
          onResolve({ filter: /^#engine-wasm$/ }, ({ path }) => ({ path, external: true }));
          onResolve({ filter: /^node:/ }, ({ path, importer }) => {
            nodeImports.push(`${path} in ${importer.slice(root.length)}`);
            return { path, external: true };
          });
        },
      },
    ],
  });
  return { code: result.outputFiles[0].contents, metafile: result.metafile, nodeImports };
}

async function sizesOfParts(metafile) {
  const [output] = Object.values(metafile.outputs);
  const parts = {};
  let total = 0;
  for (const [file, { bytesInOutput }] of Object.entries(output.inputs)) {
    const dependency = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
    const own = /^dist\/(src\/(?:[\w-]+\/)?|[\w-]+\/)/.exec(file)?.[1];
    const generated = Object.entries(generatedParts).find(([name]) => file.includes(name))?.[1];
    const part = generated ?? dependency ?? own ?? file;
    parts[part] = (parts[part] ?? 0) + bytesInOutput;
    total += bytesInOutput;
  }
  const code = (await bundled("dist/src/langchain/index.js")).code;
  const ratio = gzipSync(code, { level: 9 }).length / total;
  return Object.fromEntries(
    Object.entries(parts).map(([part, bytes]) => [part, { minified: bytes, gzip: bytes * ratio }]),
  );
}

const exact = (bytes) => ({ median: bytes / 1000, p95: bytes / 1000, samples: 1 });
const kilobytes = (code) => ({
  minified: exact(code.length),
  gzip: exact(gzipSync(code, { level: 9 }).length),
});
