/** 2. Start: a cold process, a new session, and what a hundred of them cost and weigh. */
import { cell, interleave } from "../measure.mjs";

/**
 * @param {{ once?: (task: string, peer: string) => Promise<Record<string, number>> }} given `once` runs a peer in a
 *   process of its own; where there are no processes only the new session is measured.
 */
export async function run({ peers, rounds, once }) {
  const contestants = {};
  for (const peer of peers) {
    contestants[peer.name] = {
      run: async () => {
        const session = await peer.open();
        await session.eval("1 + 1");
        session.dispose();
      },
    };
  }
  const tables = [
    {
      title: "Start: new session to first result",
      unit: "ms",
      note: "`run` has no sessions: a run that finds a warm worker.",
      rows: [
        { label: "open, `1 + 1`, dispose", cells: await interleave(contestants, { rounds, sampleMs: 20 }) },
      ],
    },
  ];
  if (!once) return tables;
  const cold = {};
  const held = {};
  const weight = {};
  for (const peer of peers) {
    cold[peer.name] = [];
    if (peer.name !== "run") {
      held[peer.name] = [];
      weight[peer.name] = [];
    }
  }
  for (let round = 0; round < 5; round++) {
    for (const peer of peers) {
      cold[peer.name].push((await once("cold", peer.name)).cold);
      if (round >= 2 || !held[peer.name]) continue;
      const { took, each } = await once("hold", peer.name);
      held[peer.name].push(took);
      weight[peer.name].push(each / 1024);
    }
  }
  const cells = (samples) =>
    Object.fromEntries(Object.entries(samples).map(([name, list]) => [name, cell(list)]));
  tables.unshift({
    title: "Start: cold process, import to first result",
    unit: "ms",
    rows: [{ label: "import, open, `1 + 1`", cells: cells(cold) }],
  });
  tables.push(
    {
      title: "Start: 100 sessions held",
      unit: "ms",
      rows: [{ label: "100 × open, one eval", cells: cells(held) }],
    },
    {
      title: "Start: resident memory of each of 100 sessions",
      unit: "KB",
      note: "Growth of the process's resident set, garbage collected before and after.",
      rows: [{ label: "per session", cells: cells(weight) }],
    },
  );
  return tables;
}
