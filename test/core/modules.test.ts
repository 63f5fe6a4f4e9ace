import { expect, test } from "vitest";
import { createInterpreter } from "../../src/interpreter.js";
import type { EvalResult } from "../../src/result/outcome.js";
import { resolve } from "../../src/session/module-source.js";

/** What lies behind the text of an import: how often sources are asked for, what a restored session still has. */
const valueFrom = (result: EvalResult): unknown => {
  if (result.status !== "completed") throw new Error(`not completed: ${JSON.stringify(result)}`);
  return result.value;
};

const counter = "export let n = 0;\nexport const up = () => ++n;\nexport const fail = () => null.x;";

test("a module that ran is part of the snapshot, with what it holds", async () => {
  const asked: string[] = [];
  const modules = (specifier: string) => {
    asked.push(specifier);
    return specifier === "counter" ? counter : undefined;
  };
  const interpreter = await createInterpreter({ modules });
  const session = await interpreter.open();
  expect(valueFrom(await session.eval("import { up } from 'counter'; up(); up()"))).toBe(2);
  const restored = await interpreter.restore(await session.snapshot());
  expect(valueFrom(await restored.eval("import * as c from 'counter'; up(); c.n"))).toBe(3);
  expect(valueFrom(await restored.eval("(await import('counter')).n"))).toBe(3);
  expect(asked).toEqual(["counter"]);
  expect(valueFrom(await session.eval("up()"))).toBe(3);
});

test("an error in a module of a restored session names the module", async () => {
  const interpreter = await createInterpreter({ modules: { counter } });
  const session = await interpreter.open();
  await session.eval("import { fail } from 'counter'");
  const restored = await interpreter.restore(await session.snapshot());
  const result = await restored.eval("fail()");
  expect(result.status === "failed" && result.error.frames[0]).toMatchObject({
    functionName: "fail",
    label: "module counter",
    line: 3,
  });
});

test("a module of a restored session imports what is new there", async () => {
  const lazy = "export const load = (name) => import(name);";
  const session = await (await createInterpreter({ modules: { lazy } })).open();
  await session.eval("import { load } from 'lazy'");
  const snapshot = await session.snapshot();
  const wider = await createInterpreter({ modules: { lazy, late: "export default 'late'" } });
  const restored = await wider.restore(snapshot);
  expect(valueFrom(await restored.eval("(await load('late')).default"))).toBe("late");
  const without = await (await createInterpreter()).restore(snapshot);
  const result = await without.eval("await load('late')");
  expect(result.status === "failed" && result.error.message).toMatch(/import\(\)/);
});

test("modules are no variables, and what is imported is", async () => {
  const session = await (await createInterpreter({ modules: { counter } })).open();
  await session.eval("import { n } from 'counter'");
  expect((await session.variables()).map(({ name }) => name)).toEqual(["n"]);
});

test("an import is no call of a tool: no event, no approval, no budget", async () => {
  const session = await (await createInterpreter({ modules: { counter } })).open();
  const events: unknown[] = [];
  const asked: unknown[] = [];
  const result = await session.eval("const name = 'counter'; (await import(name)).n", {
    tools: {},
    limits: { maxHostCalls: 1 },
    onCall: (event) => events.push(event),
    isGated: (call) => {
      asked.push(call);
      return true;
    },
  });
  expect(valueFrom(result)).toBe(0);
  expect([events, asked]).toEqual([[], []]);
});

test("guest code cannot reach the loader by its name", async () => {
  const session = await (await createInterpreter({ modules: { counter } })).open();
  const result = await session.eval("typeof tools['import()'] + typeof globalThis['import()']", {
    tools: {},
  });
  expect(valueFrom(result)).toBe("undefinedundefined");
});

test("a loader that never answers ends with the eval", async () => {
  const modules = () => new Promise<string>(() => {});
  const session = await (await createInterpreter({ modules })).open();
  const waited = await session.eval("import 'x'", { limits: { waitTimeoutMs: 20 } });
  expect(waited.status === "failed" && waited.error.code).toBe("WAIT_TIMEOUT");
  const controller = new AbortController();
  const pending = session.eval("import 'x'", { signal: controller.signal });
  controller.abort();
  const aborted = await pending;
  expect(aborted.status === "failed" && aborted.error.code).toBe("ABORTED");
  expect(valueFrom(await session.eval("1 + 1"))).toBe(2);
});

test("a loader that always finds one more comes to an end", async () => {
  const modules = (name: string) => `import '${name}x'`;
  const session = await (await createInterpreter({ modules })).open();
  const result = await session.eval("import 'x'");
  expect(result.status === "failed" && result.error.message).toMatch(/more than 1000 modules/);
});

test.each([
  ["./b", "lib/a", "lib/b"],
  ["../b", "lib/a", "b"],
  ["../../b", "lib/a", "b"],
  ["./b", undefined, "b"],
  ["/b", "lib/a", "b"],
  ["b", "lib/a", "b"],
  ["@scope/b/c.js", "lib/a", "@scope/b/c.js"],
  ["./x/../y.ts", "a/b/c", "a/b/y.ts"],
])("resolves %s from %s", (specifier, importer, key) => {
  expect(resolve(specifier, importer)).toBe(key);
});

test.each([[5], [null], ["text"], [{ a: 1 }], [new Map([["", "x"]])]])(
  "refuses %j as modules",
  async (modules) => {
    await expect(createInterpreter({ modules: modules as never })).rejects.toThrow(/`modules/);
  },
);
