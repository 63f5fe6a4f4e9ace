/** 3. Eval: what one piece of code costs in a warm session. No source comes twice, as no model writes one twice. */
import { typescript } from "../cases.mjs";
import { interleave } from "../measure.mjs";
import { openAll } from "./compute.mjs";

export async function run({ peers, rounds }) {
  const sessions = await openAll(peers);
  const featuresOf = new Map(peers.map((peer) => [peer.name, peer.features]));
  let variation = 0;
  const cases = [
    { label: "`1 + 1`", source: () => `1 + 1 // ${variation++}` },
    { label: "2 KB of TypeScript", source: () => typescript(2048, variation++), needs: "typescript" },
    { label: "20 KB of TypeScript", source: () => typescript(20480, variation++), needs: "typescript" },
    { label: "a result of 4 KB", source: () => `"abcdefgh".repeat(512) // ${variation++}` },
    { label: "a result of 1 MB", source: () => `"abcdefgh".repeat(131072) // ${variation++}` },
    {
      label: "an object of 10 000 numbers",
      source: () => `Array.from({ length: 10000 }, (_, i) => i) // ${variation++}`,
    },
  ];
  const rows = [];
  for (const { label, source, needs } of cases) {
    const contestants = {};
    for (const [name, session] of sessions) {
      if (needs && !featuresOf.get(name).includes(needs)) continue;
      contestants[name] = { run: () => session.eval(source()) };
    }
    rows.push({ label, cells: await interleave(contestants, { rounds }) });
  }
  for (const [, session] of sessions) session.dispose();
  return [
    {
      title: "Eval in a warm session",
      unit: "ms",
      note: "Peers without a cell take no TypeScript. The text for the model is part of edge-interpreter's time.",
      rows,
    },
  ];
}
