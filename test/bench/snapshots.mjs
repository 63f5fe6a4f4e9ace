/**
 * What a session's snapshots cost: bytes, and milliseconds to save and to restore, for sessions of several sizes.
 * `node test/bench/snapshots.mjs` after `npm run build`. Medians; a whole machine of noise is in the milliseconds.
 */
import { createInterpreter } from "../../dist/src/index.js";

const row = `(_, id) => ({ id, name: "row " + id, price: (id * 7919) % 1000 / 8, ok: id % 3 === 0, tag: "t" + (id % 10) })`;
const sessions = {
  empty: "0",
  "100 rows": `const rows = Array.from({ length: 100 }, ${row}); 0`,
  "10 000 rows": `const rows = Array.from({ length: 10_000 }, ${row}); 0`,
  "10 000 rows twice": `const rows = Array.from({ length: 10_000 }, ${row}); const some = rows.filter((row) => row.ok); 0`,
  "5 MB of text": `let seed = 1; const word = () => (seed = (seed * 48271) % 2147483647).toString(36);
    let text = ""; while (text.length < 5_000_000) text += word() + " "; 0`,
  "100 000 rows": `const rows = Array.from({ length: 100_000 }, ${row}); 0`,
};
const ROUNDS = 5;

const interpreter = await createInterpreter({
  limits: { executionTimeoutMs: null, memoryLimitBytes: 256 << 20 },
});
const table = {};
for (const [name, code] of Object.entries(sessions)) {
  const times = { first: [], unchanged: [], small: [], data: [], restore: [], "restore data": [] };
  const sizes = {};
  for (let round = 0; round < ROUNDS; round++) {
    const session = await interpreter.open();
    const made = await session.eval(code, { returns: "text" });
    if (made.status !== "completed") throw new Error(JSON.stringify(made));
    sizes.first = (await timed(times.first, () => session.snapshot({ layers: "image" }))).length;
    await timed(times.unchanged, () => session.snapshot({ layers: "image" }));
    await session.eval("globalThis.n = (globalThis.n ?? 0) + 1; 0", { returns: "text" });
    const image = await timed(times.small, () => session.snapshot({ layers: "image" }));
    sizes.small = image.length;
    const data = await timed(times.data, () => session.snapshot({ layers: "data" }));
    sizes.data = data.length;
    session.dispose();
    (await timed(times.restore, () => interpreter.restore(image))).dispose();
    (await timed(times["restore data"], () => interpreter.restore(data))).dispose();
  }
  table[name] = {
    "image KB": kilobytes(sizes.first),
    "data KB": kilobytes(sizes.data),
    "first save ms": median(times.first),
    "unchanged ms": median(times.unchanged),
    "small change ms": median(times.small),
    "data ms": median(times.data),
    "restore ms": median(times.restore),
    "restore data ms": median(times["restore data"]),
  };
}
console.table(table);

async function timed(into, work) {
  const start = performance.now();
  const result = await work();
  into.push(performance.now() - start);
  return result;
}

function median(values) {
  return Number(values.sort((a, b) => a - b)[values.length >> 1].toFixed(1));
}

function kilobytes(bytes) {
  return Number((bytes / 1024).toFixed(1));
}
