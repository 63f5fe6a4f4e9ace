import { describe, expect, test } from "vitest";
import { type FailureContext, type GuestErrorReport, toFailure } from "../../src/result/failure.js";

const sources: Record<string, string[]> = {
  "eval-2.js": ["function inner() {", "  throw new Error('deep')", "}"],
  "eval-3.js": ["inner()", "const x = 1"],
};

/** The engine sees every line three columns further right than the model wrote it. */
const context: FailureContext = {
  code: "GUEST_THROW",
  label: (file) => (file in sources ? `eval ${/\d+/.exec(file)![0]}` : undefined),
  mapPosition: (_, line, column) => (line > 90 ? undefined : { line, column: column - 3 }),
  sourceLine: (file, line) => sources[file]?.[line - 1],
};

const report = (stack: string, more: Partial<GuestErrorReport> = {}): GuestErrorReport => ({
  isError: true,
  name: "Error",
  message: "deep",
  stack,
  ...more,
});

const frames = (stack: string) => toFailure(report(stack), context).frames;

describe("a failure", () => {
  test("has the model's own positions, innermost first, with the source line", () => {
    expect(frames("    at inner (eval-2.js:2:14)\n    at <eval> (eval-3.js:1:9)\n")).toEqual([
      {
        functionName: "inner",
        label: "eval 2",
        line: 2,
        column: 11,
        sourceLine: "  throw new Error('deep')",
      },
      { functionName: "", label: "eval 3", line: 1, column: 6, sourceLine: "inner()" },
    ]);
  });

  test.each([
    ["of the engine", "    at map (native)"],
    ["of the prelude", "    at makeProxy (prelude.js:3:4)"],
    ["of text given to eval", "    at <input>:1:7"],
    ["of new Function", "    at anonymous (<input>:3:16)"],
    ["of an eval that is not known", "    at f (eval-77.js:1:1)"],
    ["without a position in the model's text", "    at f (eval-3.js:99:1)"],
    ["that are none", "at f (eval-3.js:1:1) and more"],
    ["that are empty", ""],
  ])("drops frames %s", (_, line) => {
    expect(frames(`${line}\n    at <anonymous> (eval-3.js:2:8)\n`)).toEqual([
      { functionName: "", label: "eval 3", line: 2, column: 5, sourceLine: "const x = 1" },
    ]);
  });

  test("takes the position from the end of the line, whatever the function is called", () => {
    expect(frames("    at weird (eval-2.js:1:1) name (eval-3.js:1:9)\n")[0]).toMatchObject({
      functionName: "weird (eval-2.js:1:1) name",
      label: "eval 3",
      line: 1,
    });
  });

  test("keeps at most twenty frames", () => {
    expect(frames("    at f (eval-3.js:1:9)\n".repeat(500))).toHaveLength(20);
  });

  test("carries thrown values, causes, collected errors and properties", () => {
    const inner = report("    at inner (eval-2.js:2:14)\n", { name: "TypeError", message: "inner" });
    const value = { isError: false, name: "Thrown", message: "", stack: "", rendered: '{"code": 5}' };
    const failure = toFailure(report("", { cause: inner, errors: [value], properties: '{"a": 1}' }), {
      ...context,
      code: "MEMORY",
    });
    expect(failure).toEqual({
      code: "MEMORY",
      name: "Error",
      message: "deep",
      frames: [],
      cause: { code: "GUEST_THROW", name: "TypeError", message: "inner", frames: frames(inner.stack) },
      errors: [{ code: "GUEST_THROW", name: "Thrown", message: "", frames: [], thrown: '{"code": 5}' }],
      properties: '{"a": 1}',
    });
  });
});
