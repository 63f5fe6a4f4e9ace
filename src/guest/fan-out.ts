/** Helpers for many calls of tools and subagents: so many at a time, tried again, and what fails loses nobody else's. */
import { defineBuiltin } from "./builtins/define.js";
import { ArrayPush, MathMin, NativeTypeError } from "./primordials.js";
import { sleep } from "./timers.js";

interface RetryOptions {
  readonly retries?: number;
  /** Before the second attempt; doubles each time. */
  readonly delayMs?: number;
}

interface MapOptions extends RetryOptions {
  readonly concurrency?: number;
}

type Settled = { status: "fulfilled"; value: unknown } | { status: "rejected"; reason: unknown };

const DEFAULT_CONCURRENCY = 8;
const DEFAULT_DELAY_MS = 500;
const MAX_DELAY_MS = 60_000;

async function attempt(work: () => unknown, retries: number, delayMs: number): Promise<unknown> {
  let delay = delayMs;
  for (let left = retries; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (left <= 0) throw error;
    }
    await sleep(delay);
    delay = MathMin(delay * 2, MAX_DELAY_MS);
  }
}

/** Not a number, or below the least: a mistake that would otherwise wait for ever or run everything at once. */
function whole(name: string, value: unknown, fallback: number, least: number): number {
  if (value === undefined) return fallback;
  if (typeof value !== "number" || !(value >= least))
    throw new NativeTypeError(`${name} must be a number of at least ${least}.`);
  return value;
}

function callable(name: string, work: unknown): asserts work is (...args: unknown[]) => unknown {
  if (typeof work !== "function") throw new NativeTypeError(`${name} needs a function.`);
}

const helpers = {
  async mapSettled(items: Iterable<unknown>, work: unknown, options: MapOptions = {}): Promise<Settled[]> {
    callable("mapSettled(items, work)", work);
    const concurrency = whole("concurrency", options.concurrency, DEFAULT_CONCURRENCY, 1);
    const retries = whole("retries", options.retries, 0, 0);
    const delayMs = whole("delayMs", options.delayMs, DEFAULT_DELAY_MS, 0);
    const list: unknown[] = [];
    for (const item of items) ArrayPush(list, item);
    const results: Settled[] = [];
    results.length = list.length;
    let next = 0;
    const worker = async () => {
      while (next < list.length) {
        const index = next++;
        try {
          results[index] = {
            status: "fulfilled",
            value: await attempt(() => work(list[index], index), retries, delayMs),
          };
        } catch (reason) {
          results[index] = { status: "rejected", reason };
        }
      }
    };
    const workers: Promise<void>[] = [];
    for (let count = 0; count < concurrency && count < list.length; count++) ArrayPush(workers, worker());
    for (let index = 0; index < workers.length; index++) await workers[index];
    return results;
  },
  async withRetries(work: unknown, options: RetryOptions = {}): Promise<unknown> {
    callable("withRetries(work)", work);
    const retries = whole("retries", options.retries, 3, 0);
    return attempt(work, retries, whole("delayMs", options.delayMs, DEFAULT_DELAY_MS, 0));
  },
};

export function installFanOut(): void {
  defineBuiltin(globalThis, "mapSettled", helpers.mapSettled);
  defineBuiltin(globalThis, "withRetries", helpers.withRetries);
}
