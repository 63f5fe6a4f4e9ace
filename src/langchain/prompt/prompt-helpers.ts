/** What the prompt says about the helpers of `src/guest/fan-out.ts`; only where there is something to call. */
import type { Sentence } from "./sentence.js";

export const helperSentences: readonly Sentence[] = [
  { id: "helpers.heading", text: "### Many calls" },
  {
    id: "helpers.map",
    text: "`await mapSettled(items, async (item, index) => ..., { concurrency: 8, retries: 0 })` runs the function for every item, so many at a time, and gives what `Promise.allSettled` gives, in the order of the items: one that fails costs nothing of the others.",
  },
  {
    id: "helpers.retry",
    text: "`await withRetries(async () => ..., { retries: 3, delayMs: 500 })` tries again when the function fails, and waits twice as long each time.",
  },
];
