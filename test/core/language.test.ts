import { describe, expect, test } from "vitest";
import { createInterpreter, type InterpreterOptions } from "../../src/interpreter.js";
import { formatResult } from "../../src/result/result-text.js";
import { languageRows } from "../support/language-rows/index.js";
import type { Row } from "../support/language-rows/row.js";

/** The bound the middleware gives to the value in a result of 4000 characters. */
const limits = { maxRenderChars: 3900 };
const interpreter = await createInterpreter({ limits });

async function open(options: InterpreterOptions | undefined) {
  if (options === undefined) return interpreter.open();
  const own = await createInterpreter({ ...options, limits: { ...limits, ...options.limits } });
  return own.open();
}

/** What a model reads after each eval. */
async function run([, evals, , options = {}]: Row): Promise<string[]> {
  const session = await open(options.interpreter);
  const texts: string[] = [];
  for (const source of typeof evals === "string" ? [evals] : evals) {
    const result = await session.eval(source, { returns: "text", ...options.eval });
    texts.push(formatResult(result, { maxResultChars: options.maxResultChars ?? 4000 }));
  }
  session.dispose();
  return texts;
}

describe.each(Object.entries(languageRows))("%s", (_group, rows) => {
  test.each(rows.map((row) => [row[0], row] as const))("%s", async (_title, row) => {
    const texts = await run(row);
    const [, , expected] = row;
    const pairs: [string | undefined, string | RegExp][] =
      typeof expected === "string" || expected instanceof RegExp
        ? [[texts.at(-1), expected]]
        : expected.map((each, index) => [texts[index], each]);
    for (const [text, wanted] of pairs) {
      if (typeof wanted === "string") expect(text).toBe(wanted);
      else expect(text).toMatch(wanted);
    }
  });
});
