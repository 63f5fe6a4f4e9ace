import type { Row } from "./row.js";

/** Failures that no code of the eval handles. */
export const rejectionRows: readonly Row[] = [
  [
    "reports a rejection nothing handles",
    "Promise.reject(new Error('unh')); 5",
    "→ 5\n(unhandled rejection: Error: unh)",
  ],
  [
    "reports an error in then",
    "Promise.resolve().then(()=>{throw new Error('inthen')}); 6",
    "→ 6\n(unhandled rejection: Error: inthen)",
  ],
  [
    "reports a rejection of an async function that was not awaited",
    "async function bad() { throw new RangeError('later') }\nbad(); 'done'",
    "→ done\n(unhandled rejection: RangeError: later)",
  ],
  [
    "reports an error in a timer",
    "setTimeout(() => { throw new Error('tick') }, 1); await new Promise((r) => setTimeout(r, 5)); 'after'",
    "→ after\n(unhandled rejection: Error: tick)",
  ],
  [
    "does not report a rejection that is handled later",
    "const p = Promise.reject(new Error('x')); await 0; p.catch(() => 0); 7",
    "→ 7",
  ],
  [
    "explains in a rejection nothing handles",
    "(async () => { await fetch('x') })(); 1",
    "→ 1\n(unhandled rejection: ReferenceError: fetch is not defined. There is no network here; use your other tools for that and pass the result in as a value.)",
  ],
];
