/**
 * `npm run bench [-- SUITE... --runtime node|workerd|chromium --rounds N]`. Without arguments: everything, in Node and
 * then the first five suites in workerd and Chromium. Prints tables, judges the goals of the design, and ends with 1
 * when one is missed. A full run writes `results/results.json` and `results/results.md`.
 */
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { echo } from "./echo-tool.mjs";
import { judge } from "./goals.mjs";
import { describeMachine, machineLine } from "./machine.mjs";
import { loadPeers } from "./peers/in-node.mjs";
import { asMarkdown, asText, verdictsAsMarkdown } from "./report.mjs";
import { everywhere } from "./suites/index.mjs";

/** Suites that need Node. */
const inNode = {
  turns: () => import("./suites/turns.mjs"),
  growth: () => import("./suites/growth.mjs"),
  sizes: () => import("./suites/sizes.mjs"),
};
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runtime: { type: "string" }, rounds: { type: "string", default: "9" } },
});
const rounds = Number(values.rounds);
const runtimes = values.runtime
  ? [values.runtime]
  : positionals.length > 0
    ? ["node"]
    : ["node", "workerd", "chromium"];
const suites = positionals.length > 0 ? positionals : [...Object.keys(everywhere), ...Object.keys(inNode)];

const runIn = {
  async node() {
    const peers = await loadPeers();
    const once = async (task, peer) => {
      const args = ["--expose-gc", here("start-once.mjs"), task, peer];
      return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout);
    };
    const given = { peers, rounds, tool: echo, once };
    const tables = [];
    for (const name of suites) {
      const suite = everywhere[name] ?? (await inNode[name]?.());
      if (!suite)
        throw new Error(
          `There is no suite ${name}; there are ${[...Object.keys(everywhere), ...Object.keys(inNode)].join(", ")}.`,
        );
      tables.push(...printed(await suite.run(given)));
    }
    return tables;
  },
  async workerd() {
    const { runInWorkerd } = await import("./runtimes/workerd.mjs");
    return printed(await runInWorkerd(suites, { rounds: Math.min(rounds, 5) }));
  },
  async chromium() {
    const { runInChromium } = await import("./runtimes/chromium.mjs");
    return printed(await runInChromium(suites, { rounds: Math.min(rounds, 5) }));
  },
};

function printed(tables) {
  for (const table of tables) console.log(asText(table));
  return tables;
}

const machine = await describeMachine();
console.log(machineLine(machine));
const began = performance.now();
const results = {};
for (const runtime of runtimes) {
  console.log(`\n== ${runtime} ==`);
  results[runtime] = await runIn[runtime]();
}
const verdicts = results.node ? judge(results.node) : [];
console.log("\nGoals");
for (const { goal, found, reached } of verdicts)
  console.log(`${reached ? "reached" : "MISSED "}  ${goal}: ${found}`);
const seconds = Math.round((performance.now() - began) / 1000);
console.log(`\nTook ${seconds} s.`);

if (runtimes.length === 3 && positionals.length === 0) {
  mkdirSync(here("results"), { recursive: true });
  const file = { date: new Date().toISOString().slice(0, 10), machine, seconds, results, verdicts };
  writeFileSync(here("results/results.json"), `${JSON.stringify(file, null, 1)}\n`);
  const parts = [
    "# Results",
    `Written by \`npm run bench\` on ${file.date}, in ${seconds} s. ${machineLine(machine)}.`,
    "Every number is from this one run; contestants of a row take turns in the same process. Ratios carry over to other machines, milliseconds do not.",
    "## Goals",
    verdictsAsMarkdown(verdicts),
  ];
  for (const runtime of runtimes) {
    parts.push(`## ${{ node: "Node", workerd: "workerd", chromium: "Chromium" }[runtime]}`);
    for (const table of results[runtime]) parts.push(asMarkdown(table));
  }
  writeFileSync(here("results/results.md"), `${parts.join("\n\n")}\n`);
}
process.exit(verdicts.every(({ reached }) => reached) ? 0 : 1);
