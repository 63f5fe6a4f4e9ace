import { expect, test } from "vitest";
import { createInterpreter } from "../../src/interpreter.js";
import { soak } from "../support/soak.mjs";

const unhandled: unknown[] = [];
const onUnhandled = (error: unknown) => unhandled.push(error);

async function watched<T>(work: () => Promise<T>): Promise<T> {
  process.on("unhandledRejection", onUnhandled);
  try {
    const result = await work();
    await new Promise((resolve) => setTimeout(resolve, 50));
    return result;
  } finally {
    process.off("unhandledRejection", onUnhandled);
  }
}

const rssMiB = () => Math.round(process.memoryUsage().rss / 1048576);

test("many threads with faults: no wrong answer, no unhandled error, nothing left behind", async () => {
  const figures = await watched(() => soak(createInterpreter, { evals: 600, threads: 24, memory: rssMiB }));
  expect(figures).toMatchObject({ evals: 600, wrong: 0, liveAtEnd: 0 });
  expect(figures.faults).toBeGreaterThan(100);
  expect(figures.rebuilt).toBeGreaterThan(10);
  expect(unhandled).toEqual([]);
});

test("ten thousand evals leave a session as large as they found it", async () => {
  const session = await (await createInterpreter()).open();
  const tools = { echo: (input: unknown) => input };
  const source =
    "{ const o = { rows: [1, 2, 3].map((n) => ({ n })) }; o.self = o } n = (await tools.echo(n)) + 1";
  await session.eval("var n = 0");
  const run = async (evals: number) => {
    for (let i = 0; i < evals; i++) await session.eval(source, { tools, returns: "text" });
    return (await session.snapshot({ layers: "image" })).length;
  };
  const early = await run(500);
  const bytes = session.memoryBytes;
  const late = await run(9500);
  expect(session.memoryBytes).toBe(bytes);
  expect(late).toBeLessThan(early * 1.2);
  expect((await session.eval("n")).status).toBe("completed");
});

test("a thousand sessions, opened and disposed of with work pending, are all gone", async () => {
  await watched(async () => {
    const interpreter = await createInterpreter({ maxLiveSessions: 32 });
    for (let i = 0; i < 1000; i++) {
      const session = await interpreter.open();
      const late = session.eval("tools.slow({}); setTimeout(() => {}, 1000); await tools.slow({})", {
        tools: { slow: () => new Promise((resolve) => setTimeout(resolve, 1)) },
      });
      late.catch(() => {});
      if (i % 2 === 0) await session.eval("1");
      session.dispose();
      if (i % 100 === 0) await late.catch(() => {});
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(interpreter.liveSessions).toBe(0);
  });
  expect(unhandled).toEqual([]);
});
