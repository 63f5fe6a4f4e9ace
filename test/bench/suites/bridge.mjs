/** 4. Bridge: calls of one LangChain tool from code, and the same number of bare `tool.invoke`s beside them. */
import { largeCall, parallelCalls, sequentialCalls } from "../cases.mjs";
import { interleave } from "../measure.mjs";
import { openAll } from "./compute.mjs";

export const BARE = "bare tool.invoke";

/** @param {{ tool: { invoke(input: unknown): Promise<string> } }} given */
export async function run({ peers, rounds, tool }) {
  const able = peers.filter((peer) => peer.features.includes("tools"));
  const tools = { echo: (input) => tool.invoke(input) };
  const sessions = await openAll(able, { tools, langchainTools: [tool] });
  const megabyte = "abcdefghij".repeat(104858);
  const cases = [
    { label: "1 call", calls: 1, body: sequentialCalls(1), bare: () => tool.invoke({ text: "a" }) },
    {
      label: "1000 in sequence",
      calls: 1000,
      body: sequentialCalls(1000),
      bare: () => inSequence(tool, 1000),
    },
    { label: "1000 in parallel", calls: 1000, body: parallelCalls(1000), bare: () => inParallel(tool, 1000) },
    {
      label: "10 000 in parallel",
      calls: 10_000,
      body: parallelCalls(10_000),
      bare: () => inParallel(tool, 10_000),
    },
    { label: "1 MB there and back", calls: 1, body: largeCall, bare: () => tool.invoke({ text: megabyte }) },
  ];
  const rows = [];
  const overhead = [];
  for (const { label, calls, body, bare } of cases) {
    const contestants = { [BARE]: { run: bare } };
    for (const [name, session] of sessions) contestants[name] = { run: () => session.computeAsync(body) };
    const cells = await interleave(contestants, { rounds: calls > 1000 ? Math.min(rounds, 5) : rounds });
    rows.push({ label, cells });
    overhead.push({ label, cells: aboveBare(cells, calls) });
  }
  for (const [, session] of sessions) session.dispose();
  return [
    { title: "Tool calls from code", unit: "ms", note: "The whole eval, tool.invoke included.", rows },
    {
      title: "Bridge: what a call costs above tool.invoke",
      unit: "µs",
      note: "Medians of the table above: (eval − bare) / calls.",
      rows: overhead,
    },
  ];
}

function aboveBare(cells, calls) {
  const above = {};
  const bare = cells[BARE].median;
  for (const [name, cell] of Object.entries(cells)) {
    if (name === BARE) continue;
    above[name] =
      "text" in cell
        ? cell
        : {
            median: ((cell.median - bare) * 1000) / calls,
            p95: ((cell.p95 - bare) * 1000) / calls,
            samples: cell.samples,
          };
  }
  return above;
}

async function inSequence(tool, calls) {
  let length = 0;
  for (let index = 0; index < calls; index++) length += (await tool.invoke({ text: `a${index}` })).length;
  return length;
}

function inParallel(tool, calls) {
  return Promise.all(Array.from({ length: calls }, (_, index) => tool.invoke({ text: `a${index}` })));
}
