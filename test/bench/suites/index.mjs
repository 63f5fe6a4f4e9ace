/** The suites that run in every runtime, in their order. */
import * as bridge from "./bridge.mjs";
import * as compute from "./compute.mjs";
import * as evals from "./eval.mjs";
import * as snapshots from "./snapshots.mjs";
import * as start from "./start.mjs";

export const everywhere = { compute, start, eval: evals, bridge, snapshots };
/** @param {Record<string, unknown>} given What the suites take.  */
export async function runEverywhere(names, given) {
  const tables = [];
  for (const name of names) if (everywhere[name]) tables.push(...(await everywhere[name].run(given)));
  return tables;
}
