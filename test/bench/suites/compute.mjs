/** 1. Compute: the same functions in every engine, evaluated by name in a warm session. */
import { compute, computeAsync } from "../cases.mjs";
import { interleave } from "../measure.mjs";

/** @param {{ peers: { name: string, open(options?: object): Promise<object> }[], rounds: number }} given */
export async function run({ peers, rounds }) {
  const sessions = await openAll(peers);
  const rows = [];
  const cases = [
    ...Object.entries(compute).map(([label, body]) => ({ label, body, method: "compute" })),
    ...Object.entries(computeAsync).map(([label, body]) => ({ label, body, method: "computeAsync" })),
  ];
  for (const { label, body, method } of cases) {
    const contestants = {};
    for (const [name, session] of sessions) contestants[name] = { run: () => session[method](body) };
    rows.push({ label, cells: await interleave(contestants, { rounds }) });
  }
  for (const [, session] of sessions) session.dispose();
  return [{ title: "Compute", unit: "ms", rows }];
}

export async function openAll(peers, options) {
  const sessions = [];
  for (const peer of peers) sessions.push([peer.name, await peer.open(options)]);
  return sessions;
}
