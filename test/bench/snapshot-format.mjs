/**
 * What a save and a restore cost, by session size: `node test/bench/snapshot-format.mjs`. Prints, never fails.
 * Times are the best of seven, the rows are the table in src/snapshot/chain.ts and the snapshot part of the README.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(`${root}node_modules/.bench-`);
const outfile = `${folder}/snapshot-format.mjs`;
await build({
  stdin: {
    contents: `
      export * from "./src/snapshot/decode-snapshot.ts";
      export * from "./src/snapshot/encode-snapshot.ts";
      export * from "./src/snapshot/free-space.ts";
      export * from "./src/snapshot/pages.ts";
      export { bootEngine } from "./test/support/booted-engine.ts";`,
    resolveDir: root,
  },
  bundle: true,
  format: "esm",
  platform: "node",
  packages: "external",
  alias: { "#engine-wasm": `${root}src/engine-wasm/embedded.ts` },
  outfile,
});
const {
  applyPages,
  bootEngine,
  changedPages,
  decodeSnapshot,
  encodeSnapshot,
  locateHeap,
  sweepFreeSpace,
  takeBaseImage,
} = await import(pathToFileURL(outfile).href);
rmSync(folder, { recursive: true });

const engineId = new Uint8Array(32);
const booted = (await bootEngine()).memory;
const layout = locateHeap(booted);
const base = takeBaseImage(booted, sweepFreeSpace(booted, layout));

const rows = (count) =>
  `globalThis.rows = []; for (let i = 0; i < ${count}; i++) rows.push({ id: i, name: "row" + i, score: i * 1.5 }); 0`;
const change = "globalThis.added = [1, 2, 3, { a: 1 }]; function added2() { return 5 } 0";
const sessions = {
  empty: "0",
  "100 rows": rows(100),
  "10 000 rows": rows(10_000),
  "5 MB of text": `globalThis.t = []; for (let i = 0; i < 500; i++) t.push(("line " + i + " lorem ipsum dolor ").repeat(400)); 0`,
  "100 000 rows": rows(100_000),
  "20 MB freed": `${rows(200_000)}; rows = null; 0`,
};

async function best(work) {
  let shortest = Infinity;
  for (let i = 0; i < 7; i++) {
    const start = performance.now();
    await work();
    shortest = Math.min(shortest, performance.now() - start);
  }
  return Number(shortest.toFixed(2));
}

const table = {};
for (const [name, source] of Object.entries(sessions)) {
  const engine = await bootEngine();
  engine.run(source);
  const pages = (memory, sweep = true) =>
    changedPages(memory, base, sweep ? sweepFreeSpace(memory, layout) : {});
  const save = (previous) => {
    const { memory } = engine;
    return encodeSnapshot({ image: { memory, pages: pages(memory) } }, { engineId, previous });
  };
  const { memory } = engine;
  const stale = await encodeSnapshot({ image: { memory, pages: pages(memory, false) } }, { engineId });
  const comparing = await best(() => pages(engine.memory));
  const first = await save();
  const firstMs = await best(() => save());
  const unchangedMs = await best(() => save(first));
  engine.run(change);
  const changedMs = await best(() => save(first));
  const restoreMs = await best(async () => {
    const { image } = await decodeSnapshot(first, { engineId, maxMemoryBytes: 1 << 30 });
    const target = new Uint8Array(image.memoryBytes);
    applyPages(target, base);
    applyPages(target, image);
  });
  table[name] = {
    "KB, not swept": Math.round(stale.length / 1024),
    KB: Math.round(first.length / 1024),
    "sweep + compare ms": comparing,
    "first save ms": firstMs,
    "unchanged ms": unchangedMs,
    "small change ms": changedMs,
    "restore ms": restoreMs,
  };
}
console.table(table);
