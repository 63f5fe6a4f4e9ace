/**
 * Evals over many threads with faults injected: tools that reject, never settle, settle late and twice, a store that
 * fails, instances that overflow and run out of memory. Prints what came of it; a wrong answer is a bug.
 *
 *     npm run build && node --expose-gc test/bench/soak.mjs [evals] [threads]
 */
import { createInterpreter } from "../../dist/src/index.js";
import { soak } from "../support/soak.mjs";

const evals = Number(process.argv[2] ?? 10_000);
const threads = Number(process.argv[3] ?? 100);
const unhandled = [];
process.on("unhandledRejection", (error) => unhandled.push(error));
const start = performance.now();
const figures = await soak(createInterpreter, { evals, threads, memory });
console.log({
  ...figures,
  unhandled: unhandled.length,
  seconds: Math.round((performance.now() - start) / 1000),
});
if (figures.wrong > 0 || unhandled.length > 0) process.exitCode = 1;

function memory() {
  for (let i = 0; i < 5; i++) globalThis.gc?.();
  return Math.round(process.memoryUsage().rss / 1048576);
}
