import { expect, test } from "vitest";
import { createCodeInterpreterMiddleware } from "../../src/langchain/index.js";

const notWhole = [-1, 1.5, Number.NaN, "5", {}, true];
const notACount = [0, ...notWhole, Number.POSITIVE_INFINITY];
const notAFlag = [0, 1, "true", null, {}];
const notAFunction = [1, "x", {}, null];

/** What no option may be: found when the middleware is made, not at the first eval. */
const nonsense: Record<string, readonly unknown[]> = {
  memoryLimitBytes: [0, 1024, ...notWhole, null, Number.POSITIVE_INFINITY],
  maxStackSizeBytes: [0, ...notWhole, null],
  executionTimeoutMs: [0, 1.5, Number.NaN, "5", {}, true],
  waitTimeoutMs: [0, 1.5, Number.NaN, "5", {}, true],
  maxLiveSessions: [0, ...notWhole, null],
  maxTotalMemoryBytes: [0, 1024, ...notWhole, null],
  toolName: ["", "two words", "x".repeat(65), 5, null, {}],
  captureConsole: notAFlag,
  subagents: notAFlag,
  maxResultChars: [...notWhole, null, Number.POSITIVE_INFINITY],
  systemPrompt: [5, {}, true],
  ptc: [true, "search", 5, {}, [5], [null], [{}]],
  maxPtcCalls: notACount,
  maxSubagentCalls: notACount,
  maxConcurrentCalls: notACount,
  mode: ["", "session", null, 1],
  maxSnapshotBytes: [0, ...notWhole, null],
  snapshotFormat: ["", "heap", null, 1],
  snapshots: [5, "x", null, {}, { get() {} }],
  snapshotRetention: [5, "x", true, { keep: -1 }, { keep: 1.5 }, { nope: 1 }],
  snapshotSigningKey: ["", 5, null, {}, new Uint8Array(0)],
  interruptOn: [5, "x", { a: 5 }, { a: { allowedDecisions: ["maybe"] } }],
  engine: [5, true, null],
  modules: [5, "x", null, { a: 5 }, { "": "x" }],
  interpreter: notAFunction,
  random: [Number.NaN, Number.POSITIVE_INFINITY, true, {}, null],
  clock: notAFunction,
  describeToolError: notAFunction,
  wrapToolCall: notAFunction,
};

const shown = (value: unknown) =>
  typeof value === "object" ? JSON.stringify(value) : `${typeof value} ${String(value)}`;
const rows = Object.entries(nonsense).flatMap(([name, values]) =>
  values.map((value) => [name, shown(value), value] as const),
);

test.each(rows)("`%s` refuses %s, naming itself", (name, _, value) => {
  const make = () => createCodeInterpreterMiddleware({ [name]: value } as never);
  expect(make).toThrow(TypeError);
  expect(make).toThrow(name);
});

test("the table has every option there is", () => {
  const unknown = () => createCodeInterpreterMiddleware({ nope: 1 } as never);
  expect(unknown).toThrow(/Unknown option `nope`/);
  for (const name of Object.keys(nonsense)) expect(unknown).toThrow(new RegExp(`\\b${name}\\b`));
  const known = /Known: (.*)\./.exec(String(messageOf(unknown)))?.[1]?.split(", ");
  expect(known?.toSorted()).toEqual(Object.keys(nonsense).toSorted());
});

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  return "";
}

test("`undefined` is the default of every option", () => {
  const options = Object.fromEntries(Object.keys(nonsense).map((name) => [name, undefined]));
  expect(createCodeInterpreterMiddleware(options).name).toBe(createCodeInterpreterMiddleware().name);
});
