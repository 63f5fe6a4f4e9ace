/**
 * 7. Growth: this package alone, over a hundredfold range of each size. The exponent is the slope of cost over size on
 * logarithmic scales between the two larger sizes, where fixed costs count least: 1 is linear, less is better than linear.
 */
import { parallelCalls, rows as rowsSource, sequentialCalls, typescript } from "../cases.mjs";
import { exponent, interleave } from "../measure.mjs";
import { run as runTurns } from "./turns.mjs";

/** Above this a cost is called worse than linear. */
const LINEAR = 1.15;

export async function run({ peers, rounds, tool }) {
  const peer = peers.find(({ name }) => name === "edge-interpreter");
  const tools = { echo: (input) => tool.invoke(input) };
  const session = await peer.open({ tools });
  let variation = 0;
  const loop = (n) => `let s = 0; for (let i = 0; i < ${n}; i++) s = (s + i) % 1000003; return s;`;
  const table = [
    ["a loop, steps", [10_000, 100_000, 1_000_000], (n) => () => session.compute(loop(n))],
    ["sessions opened and held", [2, 20, 200], (n) => () => openMany(peer, n)],
    ["TypeScript, KB of source", [2, 20, 200], (n) => () => session.eval(typescript(n * 1024, variation++))],
    ["result, KB of text", [10, 100, 1000], (n) => () => session.eval(`"x".repeat(${n * 1024})`)],
    [
      "result, numbers in an array",
      [1000, 10_000, 100_000],
      (n) => () => session.eval(`Array.from({ length: ${n} }, (_, i) => i)`),
    ],
    ["tool calls in sequence", [100, 1000, 10_000], (n) => () => session.computeAsync(sequentialCalls(n))],
    ["tool calls in parallel", [100, 1000, 10_000], (n) => () => session.computeAsync(parallelCalls(n))],
  ];
  const found = [];
  for (const [label, sizes, make] of table) {
    const contestants = Object.fromEntries(sizes.map((size) => [size, { run: make(size) }]));
    const cells = await interleave(contestants, { rounds: Math.min(rounds, 5), sampleMs: 5, budgetMs: 800 });
    found.push(
      row(
        label,
        sizes,
        sizes.map((size) => cells[size].median),
      ),
    );
  }
  session.dispose();

  const counts = [1000, 10_000, 100_000];
  const saves = [];
  const restores = [];
  for (const count of counts) {
    const one = await peer.open();
    await one.eval(rowsSource(count));
    const bytes = await one.save();
    let change = 0;
    const cells = await interleave(
      {
        save: { run: () => one.save(), before: () => one.eval(`globalThis.change = ${change++}`) },
        restore: { run: async () => (await peer.snapshots.restore(bytes)).dispose() },
      },
      { rounds: 5, budgetMs: 800 },
    );
    saves.push(cells.save.median);
    restores.push(cells.restore.median);
    one.dispose();
  }
  found.push(row("snapshot save, rows", counts, saves), row("snapshot restore, rows", counts, restores));

  const sizes = [10, 100, 1000];
  const [turns] = await runTurns({ rounds: 3, tool, sizes });
  found.push(
    row(
      "agent turn, tool calls from code",
      sizes,
      turns.rows.map(({ cells }) => cells["edge-interpreter"].median),
    ),
  );
  return [
    {
      title: "Growth over a hundredfold range",
      unit: "ms",
      note: "Small, middle and large are the three sizes of each row, ms.",
      rows: found,
    },
  ];
}

async function openMany(peer, count) {
  const held = [];
  for (let index = 0; index < count; index++) {
    const session = await peer.open();
    await session.eval("globalThis.x = 1");
    held.push(session);
  }
  for (const session of held) session.dispose();
}

function row(label, sizes, costs) {
  const slope = exponent(sizes.slice(1), costs.slice(1));
  const [small, middle, large] = costs.map((cost) => ({ median: cost, p95: cost, samples: 1 }));
  return {
    label: `${label}: ${sizes.map((size) => size.toLocaleString("en").replaceAll(",", " ")).join(", ")}`,
    cells: {
      small,
      middle,
      large,
      exponent: { text: slope.toFixed(2) },
      growth: { text: slope > LINEAR ? "worse than linear" : "linear or better" },
    },
  };
}
