import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  build,
  cuts,
  observation,
  observer,
  runInNode,
  split,
  steps,
} from "../support/declaration-programs.js";
import { TransformSession } from "../support/transform-session.js";

async function runInEngine(evals: readonly string[]): Promise<string> {
  const session = new TransformSession();
  try {
    await session.run(observer);
    for (const source of evals) {
      const { error } = await session.run(source);
      if (error) return error.split(":")[0]!;
    }
    const run = await session.run(observation);
    return run.error?.split(":")[0] ?? (run.value as string);
  } finally {
    session.dispose();
  }
}

describe("any program of declarations and assignments", () => {
  test("ends in the same globals however it is split into evals", async () => {
    await fc.assert(
      fc.asyncProperty(steps, cuts, fc.boolean(), async (program, places, isTypeScript) => {
        const statements = build(program, false);
        const suffix = isTypeScript ? "\ninterface Ignored<T> { x: T }" : "";
        const evals = split(statements, places).map((text) => text + suffix);
        expect({ evals, end: await runInEngine(evals) }).toEqual({ evals, end: runInNode(statements) });
      }),
      { numRuns: 400 },
    );
  });

  test("breaks the rules of let and const where Node says so", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (program) => {
        const statements = build(program, true);
        const text = statements.join("\n");
        expect({ text, end: await runInEngine([text]) }).toEqual({ text, end: runInNode(statements) });
      }),
      { numRuns: 600 },
    );
  });
});
