/** The goals of the design as ratios between cells of one run. Absolute times are told, and decide only where they are the goal. */
import { goalCases } from "./cases.mjs";
import { geometricMean } from "./measure.mjs";
import { BARE } from "./suites/bridge.mjs";

const OWN = "edge-interpreter";
const REFERENCE = "@langchain/quickjs";
const WASI = "quickjs-wasi";

/**
 * @param {import("./measure.mjs").Table[]} tables
 * @returns {{ goal: string, found: string, reached: boolean }[]} Goals whose tables were not measured are left out.
 */
export function judge(tables) {
  const find = (title, label, name) =>
    tables.find((table) => table.title === title)?.rows.find((row) => row.label === label)?.cells[name]
      ?.median;
  const verdicts = [];
  const goal = (text, found, limit, unit = "") => {
    if (!Number.isFinite(found)) return;
    const shown = `${found.toFixed(found < 10 ? 2 : 0)}${unit}`;
    verdicts.push({ goal: text, found: shown, reached: found <= limit });
  };

  const ratios = (peer, cases) =>
    cases.map((label) => find("Compute", label, OWN) / find("Compute", label, peer));
  goal(
    "compute: at most 1/2.5 of the reference's time (geometric mean)",
    geometricMean(ratios(REFERENCE, goalCases)),
    1 / 2.5,
    "×",
  );
  goal(
    "compute: not slower than quickjs-wasi (geometric mean)",
    geometricMean(ratios(WASI, goalCases)),
    1,
    "×",
  );

  const opened = (name) => find("Start: new session to first result", "open, `1 + 1`, dispose", name);
  goal("new session and first eval: at most half the reference's", opened(OWN) / opened(REFERENCE), 0.5, "×");
  goal(
    "warm `1 + 1` through the core: at most 0.1 ms",
    find("Eval in a warm session", "`1 + 1`", OWN),
    0.1,
    " ms",
  );

  // The same calls through an engine's plain handles, without checks, budget, types or a stack, say what is possible.
  const beside = (floor) => `× (quickjs-wasi: ${floor?.toFixed(2)}×)`;
  const above = (label, name) => find("Bridge: what a call costs above tool.invoke", label, name);
  for (const label of ["1000 in sequence", "1000 in parallel"]) {
    const ofReference = (name) => above(label, name) / above(label, REFERENCE);
    goal(
      `bridge, ${label}: at most a quarter of the reference's overhead per call`,
      ofReference(OWN),
      0.25,
      beside(ofReference(WASI)),
    );
  }
  const bareParallel = find("Tool calls from code", "1000 in parallel", BARE);
  const parallel = (name) => find("Tool calls from code", "1000 in parallel", name) / bareParallel;
  goal("1000 parallel calls: at most 1.3× the bare tool.invokes", parallel(OWN), 1.3, beside(parallel(WASI)));

  const rows = (title, name) => find(title, "10 000 rows", name);
  const bytes = rows("Snapshot size", OWN);
  goal(
    "snapshot of 10 000 rows: at most a tenth of quickjs-wasi's bytes",
    bytes / rows("Snapshot size", `${WASI}, not compressed`),
    0.1,
    `× (${(bytes / rows("Snapshot size", WASI)).toFixed(2)}× of them gzipped)`,
  );
  const there = (name) =>
    rows("Snapshot save after a change", name) + rows("Snapshot restore up to the first result", name);
  goal("snapshot and restore of 10 000 rows: at most quickjs-wasi's time", there(OWN) / there(WASI), 1, "×");

  const size = (label) => find("Size: bundles without wasm and peers", label, "gzip");
  goal(
    "middleware and core with their dependencies, gzip: at most 130 KB",
    size("edge-interpreter: all of it"),
    130,
    " KB",
  );
  return verdicts;
}
