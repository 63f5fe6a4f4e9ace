/**
 * Three long lives, and what is left of them: evals over many threads with faults injected (tools that reject, never
 * settle, settle late and twice, a store that fails, instances that overflow and run out of memory), many evals in one
 * session, many sessions opened and closed. Prints figures; a wrong answer is a bug.
 *
 * The memory is in MiB, after collections: `rss` of the process, the others of the JavaScript engine. What is freed
 * stays with the C library for a while: with `MALLOC_TRIM_THRESHOLD_=65536 MALLOC_MMAP_THRESHOLD_=65536` in front, glibc gives it back.
 *
 *     npm run build && node --expose-gc test/bench/soak.mjs [evals] [threads]
 */
import { createInterpreter } from "../../dist/src/index.js";
import { manyEvals, manySessions, soak } from "../support/soak.mjs";

const evals = Number(process.argv[2] ?? 10_000);
const threads = Number(process.argv[3] ?? 100);
const unhandled = [];
process.on("unhandledRejection", (error) => unhandled.push(error));
process.on("uncaughtException", (error) => unhandled.push(error));

await timed(`${evals} evals over ${threads} threads`, () =>
  soak(createInterpreter, { evals, threads, measure }),
);
await timed(`${evals} evals in one session`, () => manyEvals(createInterpreter, { evals, measure }));
await timed(`${evals / 10} sessions`, () =>
  manySessions(createInterpreter, { sessions: evals / 10, measure }),
);

async function timed(title, run) {
  const start = performance.now();
  const figures = await run();
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(title, { ...figures, unhandled: unhandled.length, seconds });
  if (figures.wrong > 0 || unhandled.length > 0) process.exitCode = 1;
}

async function measure() {
  for (let i = 0; i < 5; i++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
  const mib = (bytes) => Math.round(bytes / 1048576);
  return {
    rss: mib(rss),
    heapUsed: mib(heapUsed),
    external: mib(external),
    arrayBuffers: mib(arrayBuffers),
    handles: process.getActiveResourcesInfo().length,
  };
}
