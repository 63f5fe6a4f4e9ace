/** What the transform's output does in the engine, as rows of a table. */
import { describe, expect, test } from "vitest";
import { TransformSession } from "./transform-session.js";

/** A sentence and evals of one session, each with its completion value or a pattern for `Name: message @line:column`. */
export type Row = readonly [title: string, ...evals: (readonly [source: string, expected: unknown])[]];

export function transformTable(name: string, rows: readonly Row[]): void {
  describe(name, () => {
    test.each(rows)("%s", async (_title, ...evals) => {
      const session = new TransformSession();
      for (const [source, expected] of evals as (readonly [string, unknown])[]) {
        const run = await session.run(source);
        if (expected instanceof RegExp) expect(`${run.error} @${run.at}`).toMatch(expected);
        else expect({ value: run.value, error: run.error }).toEqual({ value: expected, error: undefined });
      }
      session.dispose();
    });
  });
}

export const constantAt = (place: string) =>
  new RegExp(`^TypeError: Assignment to constant variable '\\w+'\\. @${place}$`);
export const unbornAt = (place: string) =>
  new RegExp(`^ReferenceError: Cannot access '\\w+' before initialization @${place}$`);
