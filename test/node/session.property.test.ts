import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createInterpreter, type Interpreter } from "../../src/interpreter.js";
import { formatResult } from "../../src/result/result-text.js";
import {
  build,
  cuts,
  observation,
  observer,
  runInNode,
  split,
  steps,
} from "../support/declaration-programs.js";
import { evalValue } from "../support/results.js";
import { valueRows } from "../support/value-rows.js";

let interpreter: Interpreter;
beforeAll(async () => {
  interpreter = await createInterpreter();
});
afterAll(() => interpreter.dispose());

const text = fc.string({ unit: "binary", maxLength: 12 });
const scalar = fc.oneof(
  text,
  fc.double(),
  fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }),
  fc.constantFrom<unknown>(
    undefined,
    null,
    true,
    false,
    -0,
    Number.NaN,
    Number.NEGATIVE_INFINITY,
    "a\0b\ud800",
    "",
  ),
);
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 12 }),
  fc.float32Array({ maxLength: 6 }),
  fc.bigInt64Array({ maxLength: 4 }),
  fc.uint16Array({ maxLength: 6 }),
  fc.uint8Array({ maxLength: 6 }).map((view) => view.buffer),
);
const leaf = fc.oneof(scalar, bytes, fc.date({ noInvalidDate: false }), fc.constantFrom(/a+/giu, /[/]/u));
const key = fc.oneof(text, fc.constantFrom("__proto__", "constructor", "toJSON", "then", "0", "length"));

/** What a structured clone takes, errors apart: those cross with less than they are. */
const { cloneable } = fc.letrec((tie) => ({
  cloneable: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.array(tie("cloneable"), { maxLength: 5 }),
    fc
      .uniqueArray(fc.tuple(key, tie("cloneable")), { maxLength: 5, selector: ([name]) => name })
      .map(toObject),
    fc
      .array(fc.tuple(tie("cloneable"), tie("cloneable")), { maxLength: 4 })
      .map((entries) => new Map(entries)),
    fc.array(tie("cloneable"), { maxLength: 4 }).map((items) => new Set(items)),
    tie("cloneable").map((item) => [item, item]),
    fc.array(tie("cloneable"), { maxLength: 3 }).map(withItself),
    fc.nat(3).map((holes) => Object.assign(new Array(holes + 1), { [holes]: "last" })),
  ),
}));

function toObject(entries: readonly (readonly [string, unknown])[]): object {
  const object = {};
  for (const [name, value] of entries)
    Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
  return object;
}

function withItself(items: readonly unknown[]): unknown {
  const holder: Record<string, unknown> = { items };
  holder["self"] = holder;
  return holder;
}

describe("any value", () => {
  test("crosses from host to guest to host unchanged", async () => {
    const session = await interpreter.open();
    await fc.assert(
      fc.asyncProperty(cloneable, async (value) => {
        const seen: unknown[] = [];
        const tools = {
          give: () => value,
          take: (input: unknown) => {
            seen.push(input);
            return input;
          },
        };
        const back = await evalValue(
          session,
          "const v = { v: await tools.give() }; (await tools.take(v)).v",
          {
            tools,
          },
        );
        deepStrictEqual(back, value);
        deepStrictEqual(seen, [{ v: value }]);
      }),
      { numRuns: 400 },
    );
  });

  test("is the same for guest code after it was with the host", async () => {
    const session = await interpreter.open();
    await fc.assert(
      fc.asyncProperty(cloneable, async (value) => {
        const source =
          "const a = await tools.give(); const b = await tools.echo({ a }); [show(a), show(b.a)]";
        await session.eval("const show = (value) => { console.log(value); return typeof value }");
        const result = await session.eval(source, { tools: { give: () => value, echo: (input) => input } });
        const lines = result.logs.map((line) => line.text);
        expect(lines[1]).toBe(lines[0]);
      }),
      { numRuns: 150 },
    );
  });

  test("that is one object twice is one object twice for the host", async () => {
    const session = await interpreter.open();
    const value = (await evalValue(session, "const o = {}; new Map([[o, [o, o]]])")) as Map<
      unknown,
      unknown[]
    >;
    const [[first, list] = []] = [...value];
    expect(list?.map((item) => item === first)).toEqual([true, true]);
  });
});

describe("any program of declarations", () => {
  test("ends in the same globals however it is split into evals, snapshots between them or not", async () => {
    await fc.assert(
      fc.asyncProperty(steps, cuts, fc.boolean(), async (program, places, restores) => {
        const statements = build(program, false);
        const evals = split(statements, places);
        let session = await interpreter.open();
        let end: string | undefined;
        for (const source of [observer, ...evals]) {
          const result = await session.eval(source);
          if (result.status === "failed") {
            end = result.error.name;
            break;
          }
          if (!restores) continue;
          const snapshot = await session.snapshot();
          session.dispose();
          session = await interpreter.restore(snapshot);
        }
        end ??= (await evalValue(session, observation)) as string;
        session.dispose();
        expect({ evals, end }).toEqual({ evals, end: runInNode(statements) });
      }),
      { numRuns: 120 },
    );
  });
});

describe("any result", () => {
  const source = fc.oneof(
    fc.constantFrom(...valueRows.map(([expression]) => expression)),
    text.map((value) => JSON.stringify(value)),
    fc.tuple(fc.nat(3000), text).map(([count, value]) => `Array(${count}).fill(${JSON.stringify(value)})`),
  );
  const program = fc.record({
    printed: fc.array(source, { maxLength: 3 }),
    end: fc.tuple(fc.constantFrom("", "throw ", "await Promise.reject(", "x = "), source),
  });

  test("is text within its bound, whatever was printed, returned or thrown", async () => {
    await fc.assert(
      fc.asyncProperty(program, fc.nat(600), async ({ printed, end: [how, value] }, maxResultChars) => {
        const session = await interpreter.open();
        const last = how.endsWith("(") ? `${how}(${value}))` : how === "" ? `(${value})` : `${how}(${value})`;
        const result = await session.eval(
          `${printed.map((each) => `console.log((${each}));`).join("")}\n${last}`,
          {
            limits: { executionTimeoutMs: 5000 },
          },
        );
        session.dispose();
        const shown = formatResult(result, { maxResultChars });
        const marker = /^… \[[\d,]+ characters cut\] …$/;
        if (!marker.test(shown)) expect(shown.length).toBeLessThanOrEqual(maxResultChars);
        expect(shown).toBe(
          shown.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "?"),
        );
      }),
      { numRuns: 250 },
    );
  });
});
