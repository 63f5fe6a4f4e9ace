/** A long life of many sessions with faults; every thread counts along what its session has to answer. */

const FAULTS = {
  reject: "await tools.reject({})",
  never: "await tools.never({})",
  late: "await tools.late({})",
  twice: "await tools.twice({})",
  loop: "for (;;) {}",
  memory: "(() => { const hoard = []; for (;;) hoard.push(new Array(100)) })()",
  overflow: "let deep = null; for (let i = 0; i < 1e5; i++) deep = { deep }; JSON.stringify(deep)",
  damage: "JSON.parse('['.repeat(200000))",
  throw: "throw new Error('guest')",
};

/** The other evals have time enough, whatever their neighbours do to the event loop. */
const FAULT_LIMITS = { executionTimeoutMs: 50, waitTimeoutMs: 15 };

export async function soak(createInterpreter, { evals, threads, measure }) {
  const interpreter = await createInterpreter({
    limits: { memoryLimitBytes: 20 * 1024 * 1024 },
    maxLiveSessions: 20,
  });
  const figures = { evals: 0, faults: 0, rebuilt: 0, storeFailures: 0, wrong: 0 };
  const atStart = await measure();
  let seed = 1;
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 4294967296;
  };
  const late = [];
  const tools = {
    echo: async (input) => input,
    reject: () => Promise.reject(new Error("refused")),
    never: () => new Promise(() => {}),
    late: () => new Promise((resolve) => late.push(resolve)),
    twice: () => ({
      // biome-ignore lint/suspicious/noThenProperty: a badly made thenable
      then(resolve, reject) {
        resolve(1);
        reject(new Error("second"));
      },
    }),
  };
  const store = new Map();
  const save = (thread, bytes) => {
    if (random() < 0.1) throw new Error("the store fails");
    store.set(thread, bytes);
  };
  const lives = Array.from({ length: threads }, () => ({ session: undefined, count: 0 }));

  async function step(thread) {
    const life = lives[thread];
    if (!life.session) {
      life.session = await interpreter.open();
      await life.session.eval("var count = 0; const counter = () => ++count");
    }
    figures.evals++;
    if (random() < 0.3) {
      const names = Object.keys(FAULTS);
      const source = FAULTS[names[Math.floor(random() * names.length)]];
      const result = await life.session.eval(source, { tools, limits: FAULT_LIMITS });
      figures.faults++;
      if (result.status === "failed" && /the session is as it was/.test(result.error.message))
        figures.rebuilt++;
      for (const settle of late.splice(0)) settle("too late");
      return;
    }
    const result = await life.session.eval("const answer = await tools.echo({ n: counter() }); answer.n", {
      tools,
    });
    life.count++;
    if (result.status !== "completed" || result.value !== life.count) {
      figures.wrong++;
      figures.firstWrong ??= JSON.stringify({ wanted: life.count, result });
    }
    if (random() < 0.05) {
      const bytes = await life.session.snapshot({ layers: "image" });
      try {
        save(thread, bytes);
        // Another process goes on.
        life.session.dispose();
        life.session = await interpreter.restore(store.get(thread));
      } catch {
        figures.storeFailures++;
      }
    }
  }

  const lanes = Math.min(8, threads);
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (let i = lane; i < evals; i += lanes) {
        // A thread belongs to one lane: its evals are in order.
        const own = Math.floor(threads / lanes);
        await step(lane * own + Math.floor(random() * own));
      }
    }),
  );
  interpreter.dispose();
  return { ...figures, liveAtEnd: interpreter.liveSessions, atStart, atEnd: await measure() };
}

/** One session that lives long: each eval makes cycles, calls a tool and counts. */
export async function manyEvals(createInterpreter, { evals, measure }) {
  const interpreter = await createInterpreter();
  const session = await interpreter.open();
  const tools = { echo: (input) => input };
  const source =
    "{ const o = { rows: [1, 2, 3].map((n) => ({ n })) }; o.self = o } n = (await tools.echo(n)) + 1";
  await session.eval("var n = 0");
  const run = async (count) => {
    for (let i = 0; i < count; i++) await session.eval(source, { tools, returns: "text" });
    const snapshot = await session.snapshot({ layers: "image" });
    return { memoryBytes: session.memoryBytes, snapshotBytes: snapshot.length };
  };
  const early = Math.round(evals / 20);
  const first = await run(early);
  const atStart = await measure();
  const last = await run(evals - early);
  const { text } = await session.eval("n");
  const atEnd = await measure();
  interpreter.dispose();
  return { evals, wrong: text === String(evals) ? 0 : 1, first, last, atStart, atEnd };
}

/** Sessions that are opened and disposed of with work pending, every second one after an eval. */
export async function manySessions(createInterpreter, { sessions, measure }) {
  const interpreter = await createInterpreter({ maxLiveSessions: 32 });
  const tools = { slow: () => new Promise((resolve) => setTimeout(resolve, 1)) };
  const atStart = await measure();
  let wrong = 0;
  for (let i = 0; i < sessions; i++) {
    const session = await interpreter.open();
    const late = session.eval("tools.slow({}); setTimeout(() => {}, 1000); await tools.slow({})", { tools });
    late.catch(() => {});
    if (i % 2 === 0 && (await session.eval("1 + 1")).text !== "2") wrong++;
    session.dispose();
    if (i % 100 === 0) await late.catch(() => {});
  }
  await new Promise((resolve) => setTimeout(resolve, 20));
  const { liveSessions } = interpreter;
  interpreter.dispose();
  return { sessions, wrong, liveSessions, atStart, atEnd: await measure() };
}
