import { describe, expect, test } from "vitest";
import { createInterpreter } from "../../src/interpreter.js";
import { DEFAULT_LIMITS, type Limits, resolveLimits } from "../../src/limits.js";

const wholes: (keyof Limits)[] = [
  "memoryLimitBytes",
  "maxStackSizeBytes",
  "executionTimeoutMs",
  "waitTimeoutMs",
  "maxHostCalls",
  "maxConcurrentCalls",
  "maxSourceChars",
  "maxValueChars",
  "maxLogChars",
  "maxRenderChars",
];
const endless: (keyof Limits)[] = [
  "executionTimeoutMs",
  "waitTimeoutMs",
  "maxHostCalls",
  "maxConcurrentCalls",
];
const timeouts: (keyof Limits)[] = ["executionTimeoutMs", "waitTimeoutMs"];
const nonsense: unknown[] = [
  Number.NaN,
  1.5,
  "64",
  true,
  {},
  [],
  () => 1,
  10n,
  Symbol("x"),
  Number.MAX_VALUE,
];

describe.each(wholes)("the limit %s", (name) => {
  test.each(nonsense.map((value) => [value]))("refuses %s, naming itself", (value) => {
    expect(() => resolveLimits({ [name]: value })).toThrow(TypeError);
    expect(() => resolveLimits({ [name]: value })).toThrow(`\`${name}\``);
  });

  test("takes undefined for its default", () => {
    expect(resolveLimits({ [name]: undefined })[name]).toBe(DEFAULT_LIMITS[name]);
  });

  test(endless.includes(name) ? "takes null for none" : "refuses null", () => {
    if (endless.includes(name)) expect(resolveLimits({ [name]: null })[name]).toBeNull();
    else expect(() => resolveLimits({ [name]: null })).toThrow(`\`${name}\``);
  });

  test(timeouts.includes(name) ? "takes a negative number and Infinity for none" : "refuses them", () => {
    for (const value of [-1, Number.POSITIVE_INFINITY]) {
      if (timeouts.includes(name)) expect(resolveLimits({ [name]: value })[name]).toBeNull();
      else expect(() => resolveLimits({ [name]: value })).toThrow(`\`${name}\``);
    }
  });
});

test("0 is no time at all, and refused", () => {
  for (const name of timeouts) expect(() => resolveLimits({ [name]: 0 })).toThrow(`\`${name}\``);
});

test("less memory than the engine starts with is refused, more than it can have too", () => {
  expect(() => resolveLimits({ memoryLimitBytes: 1024 })).toThrow(/from 16777216 to 2147483648/);
  expect(() => resolveLimits({ memoryLimitBytes: 4 * 1024 ** 3 })).toThrow(TypeError);
});

test("names that are not known are refused with those that are", async () => {
  expect(() => resolveLimits({ memoryLimit: 1 } as never)).toThrow(
    /Unknown limit `memoryLimit`.*memoryLimitBytes/,
  );
  await expect(createInterpreter({ memory: 1 } as never)).rejects.toThrow(
    /Unknown option `memory`.*maxLiveSessions/,
  );
  await expect(createInterpreter({ limits: { toString: 1 } as never })).rejects.toThrow(
    /Unknown limit `toString`/,
  );
});

test.each([
  ["maxLiveSessions", [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "4", null]],
  ["maxTotalMemoryBytes", [0, 1024, -1, 1.5, Number.NaN, "64", null]],
])("the interpreter refuses nonsense for %s", async (name, values) => {
  for (const value of values) {
    const failure = createInterpreter({ [name]: value } as never);
    await expect(failure).rejects.toThrow(TypeError);
    await expect(failure).rejects.toThrow(`\`${name}\``);
  }
});

test("limits of one eval are checked like those of the session", async () => {
  const session = await (await createInterpreter()).open();
  const limits = { executionTimeoutMs: Number.NaN };
  await expect(session.eval("1", { limits })).rejects.toThrow(/`executionTimeoutMs`/);
  expect(() => session.eval(1 as never)).toThrow(TypeError);
  expect((await session.eval("1", { limits: { waitTimeoutMs: undefined as never } })).status).toBe(
    "completed",
  );
});

test.each([
  ["random", [Number.NaN, Number.POSITIVE_INFINITY, true, {}, null, 5n]],
  ["clock", [1, "now", {}, null]],
  ["time", [1, {}, { now: () => 0 }, { after: () => () => {} }, null]],
  ["modules", [1, "x", null]],
  ["engine", [1, true, {}]],
])("the interpreter refuses nonsense for %s, naming it", async (name, values) => {
  for (const value of values) {
    await expect(createInterpreter({ [name]: value } as never)).rejects.toThrow(`\`${name}\``);
  }
});

test("options that are none are refused", async () => {
  for (const options of [null, 5, "x"])
    await expect(createInterpreter(options as never)).rejects.toThrow(TypeError);
});
