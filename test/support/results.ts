import { expect } from "vitest";
import type { EvalOptions } from "../../src/eval/eval-options.js";
import type { EvalFailure, EvalResult } from "../../src/result/outcome.js";
import type { Session } from "../../src/session/session.js";

export function valueFrom(result: EvalResult): unknown {
  if (result.status !== "completed") throw new Error(`not completed: ${JSON.stringify(result)}`);
  return result.value;
}

export function errorFrom(result: EvalResult): EvalFailure {
  if (result.status !== "failed") throw new Error(`not failed: ${JSON.stringify(result)}`);
  return result.error;
}

export const codeFrom = (result: EvalResult): string =>
  result.status === "failed" ? result.error.code : result.status;

export const evalValue = async (session: Session, source: string, options?: EvalOptions): Promise<unknown> =>
  valueFrom(await session.eval(source, options));

export const evalCode = async (session: Session, source: string, options?: EvalOptions): Promise<string> =>
  codeFrom(await session.eval(source, options));

/** The session computes, calls, prints and waits as one that nothing happened to. */
export async function expectHealthy(session: Session): Promise<void> {
  const result = await session.eval(
    "console.log('alive'); await new Promise((resolve) => setTimeout(resolve, 1)); (await tools.echo({ n: 41 })).n + 1",
    { tools: { echo: (input) => input } },
  );
  expect(valueFrom(result)).toBe(42);
  expect(result.logs.map(({ text }) => text)).toEqual(["alive"]);
  expect(result.notes).toEqual([]);
}
