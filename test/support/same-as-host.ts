import { describe, expect, test } from "vitest";
import { type BuiltinsGuest, openBuiltins } from "./builtins-guest.js";

/** What this runtime's own built-ins answer, in the form of `BuiltinsGuest.run`. */
function onHost(source: string): unknown {
  try {
    const value: unknown = new Function(`return (${source})`)();
    return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
  } catch (error) {
    return (error as Error).name;
  }
}

/** One test per expression: the guest has to answer what the host answers, for errors their name. */
export function sameAsHost(title: string, sources: readonly string[]): void {
  describe(title, () => {
    let opened: Promise<BuiltinsGuest> | undefined;
    test.each(sources.map((source) => [source]))("%s", async (source) => {
      opened ??= openBuiltins();
      const answer = (await opened).run(`(${source})`);
      const expected = onHost(source);
      const failed = typeof answer === "string" && typeof expected === "string" && /Error$/.test(expected);
      expect(failed ? answer.slice(0, expected.length) : answer).toEqual(expected);
    });
  });
}

/** One test per row: source, expected value (or pattern for a text). */
export function table(title: string, rows: readonly (readonly [string, unknown])[]): void {
  describe(title, () => {
    let opened: Promise<BuiltinsGuest> | undefined;
    test.each(rows.map(([source, expected]) => [source, expected] as const))(
      "%s",
      async (source, expected) => {
        opened ??= openBuiltins();
        const answer = (await opened).run(source);
        if (expected instanceof RegExp) expect(String(answer)).toMatch(expected);
        else expect(answer).toEqual(expected);
      },
    );
  });
}
