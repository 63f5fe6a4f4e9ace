/** 5. Snapshots: bytes, a save after a change, a save without one, a restore up to its first result. */
import { rows as rowsSource } from "../cases.mjs";
import { interleave } from "../measure.mjs";

const contents = {
  empty: "0",
  "100 rows": rowsSource(100),
  "10 000 rows": rowsSource(10_000),
  "100 000 rows": rowsSource(100_000),
  "5 MB of text": `globalThis.t = []; for (let i = 0; i < 500; i++) t.push(("line " + i + " lorem ipsum dolor ").repeat(400)); 0`,
};

export async function run({ peers, rounds }) {
  const able = peers.filter((peer) => peer.snapshots);
  const tables = { bytes: [], save: [], unchanged: [], restore: [] };
  for (const [label, source] of Object.entries(contents)) {
    const sizes = {};
    const save = {};
    const unchanged = {};
    const restore = {};
    const sessions = [];
    for (const peer of able) {
      const session = await peer.open();
      sessions.push(session);
      await session.eval(source);
      const bytes = await session.save();
      sizes[peer.name] = kilobytes(bytes);
      if (session.serialize) sizes[`${peer.name}, not compressed`] = kilobytes(session.serialize());
      let change = 0;
      save[peer.name] = {
        run: () => session.save(),
        before: () => session.eval(`globalThis.change = ${change++}`),
      };
      unchanged[peer.name] = { run: () => session.save() };
      restore[peer.name] = {
        run: async () => {
          const restored = await peer.snapshots.restore(bytes);
          await restored.eval("1 + 1");
          restored.dispose();
        },
      };
    }
    // Every second restore meets a collection of garbage twice as long as itself: few rounds would tell of chance.
    const few = { rounds: Math.min(2 * rounds, 15), budgetMs: 1200 };
    tables.bytes.push({ label, cells: sizes });
    tables.save.push({ label, cells: await interleave(save, few) });
    tables.unchanged.push({ label, cells: await interleave(unchanged, few) });
    tables.restore.push({ label, cells: await interleave(restore, few) });
    for (const session of sessions) session.dispose();
  }
  return [
    {
      title: "Snapshot size",
      unit: "KB",
      note: "edge-interpreter: the memory image, as it is stored. quickjs-wasi: what `serializeSnapshot` gives, gzipped as its README advises, and as it is.",
      rows: tables.bytes,
    },
    { title: "Snapshot save after a change", unit: "ms", rows: tables.save },
    { title: "Snapshot save with nothing changed", unit: "ms", rows: tables.unchanged },
    { title: "Snapshot restore up to the first result", unit: "ms", rows: tables.restore },
  ];
}

const kilobytes = ({ length }) => ({ median: length / 1024, p95: length / 1024, samples: 1 });
