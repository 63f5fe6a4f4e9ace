import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EvalFailure, EvalResult, LogLine, SourceFrame } from "../../src/result/outcome.js";
import { formatResult, valuelessNote } from "../../src/result/result-text.js";

const statistics = { guestMs: 0, totalMs: 0, calls: 0 };
const log = (text: string, level: LogLine["level"] = "log"): LogLine => ({ level, text });
const completed = (text: string, logs: LogLine[] = [], notes: string[] = []): EvalResult => ({
  status: "completed",
  kind: "program",
  declared: [],
  abbreviated: false,
  text,
  value: undefined,
  logs,
  notes,
  statistics,
});
const failed = (error: Partial<EvalFailure>, logs: LogLine[] = [], notes: string[] = []): EvalResult => ({
  status: "failed",
  error: { code: "GUEST_THROW", name: "Error", message: "m", frames: [], ...error },
  logs,
  notes,
  statistics,
});
const frame = (line: number, column: number, sourceLine?: string, functionName = ""): SourceFrame => ({
  functionName,
  label: "eval 3",
  line,
  column,
  ...(sourceLine !== undefined && { sourceLine }),
});
const show = (result: EvalResult, maxResultChars = 4000) => formatResult(result, { maxResultChars });

describe("a completed eval", () => {
  test.each<[string, EvalResult, string]>([
    ["its value behind an arrow", completed("5"), "→ 5"],
    ["console lines before the value", completed("5", [log("a"), log("b")]), "a\nb\n→ 5"],
    [
      "levels that matter",
      completed("1", [log("l"), log("i", "info"), log("d", "debug"), log("w", "warn"), log("e", "error")]),
      "l\ni\nd\n[warn] w\n[error] e\n→ 1",
    ],
    ["blank lines", completed("", [log(""), log("a\n\nb")]), "\na\n\nb"],
    ["nothing as undefined", completed(""), "→ undefined"],
    ["undefined when it is the value", completed("undefined", [log("a")]), "a\n→ undefined"],
    ["only console output when there is no value", completed("", [log("a")]), "a"],
    ["notes last", completed("5", [log("a")], ["one", "two\nlines"]), "a\n→ 5\n(one)\n(two lines)"],
    ["a note instead of a value", completed("", [], ["defined: total, rows"]), "(defined: total, rows)"],
    [
      "lone surrogates as replacement characters",
      completed("\ud800x", [log("y\udc00")]),
      "y\ufffd\n→ \ufffdx",
    ],
  ])("shows %s", (_, result, text) => {
    expect(show(result)).toBe(text);
  });

  test.each([
    ["empty", [], "nothing to run"],
    ["declarations", ["total", "rows"], "defined: total, rows"],
    ["declarations", [], undefined],
    ["function", ["main"], "function, not called: main"],
    ["function", [], "function, not called"],
    ["program", ["x"], undefined],
    [
      "declarations",
      Array.from({ length: 15 }, (_, i) => `v${i}`),
      "defined: v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11 and 3 more",
    ],
  ] as const)("says what a cell without a value was: %s %j", (kind, declared, note) => {
    expect(valuelessNote({ kind, declared })).toBe(note);
  });

  test("tells what a paused eval waits for", () => {
    const result: EvalResult = {
      status: "paused",
      calls: [{ id: 1, name: "send_mail", input: {} }],
      logs: [log("a")],
      notes: [],
      statistics,
    };
    expect(show(result)).toBe("a\nPaused: waiting for a decision on send_mail");
  });
});

describe("a failed eval", () => {
  test.each<[string, EvalResult, string]>([
    [
      "name, message, position and source line",
      failed({ name: "RangeError", message: "line three", frames: [frame(3, 7, "throw new RangeError()")] }),
      "RangeError: line three\n  at eval 3, line 3, column 7\n    throw new RangeError()",
    ],
    [
      "a caret below a syntax error",
      failed({
        code: "GUEST_SYNTAX",
        name: "SyntaxError",
        message: "Unexpected token",
        frames: [frame(2, 12, "let b6 = (2;")],
      }),
      "SyntaxError: Unexpected token\n  at eval 3, line 2, column 12\n    let b6 = (2;\n               ^",
    ],
    [
      "a caret where tabs are",
      failed({ code: "GUEST_SYNTAX", name: "SyntaxError", frames: [frame(1, 3, "\t\t= 2")] }),
      "SyntaxError: m\n  at eval 3, line 1, column 3\n      = 2\n      ^",
    ],
    [
      "the functions around it",
      failed({ frames: [frame(1, 2, "deep()", "inner"), frame(9, 1, "inner()")] }),
      "Error: m\n  at inner (eval 3, line 1, column 2)\n    deep()\n  at eval 3, line 9, column 1",
    ],
    [
      "few frames of many",
      failed({ frames: Array.from({ length: 20 }, (_, line) => frame(line, 1, undefined, "f")) }),
      `Error: m\n${[0, 1, 2, 3, 4, 5].map((line) => `  at f (eval 3, line ${line}, column 1)\n`).join("")}  ... 14 more frames`,
    ],
    [
      "a recursion once",
      failed({
        frames: [...Array.from({ length: 9 }, () => frame(1, 1, undefined, "f")), frame(2, 1)],
      }),
      "Error: m\n  at f (eval 3, line 1, column 1)\n  ... the same 8 more times\n  at eval 3, line 2, column 1",
    ],
    ["a thrown value", failed({ name: "Thrown", message: "", thrown: '{"code": 5}' }), 'Thrown: {"code": 5}'],
    [
      "an error without a message",
      failed({ message: "", frames: [frame(1, 7)] }),
      "Error\n  at eval 3, line 1, column 7",
    ],
    ["an error with nothing at all", failed({ message: "" }), "Error: (no message)"],
    ["a name that is no error's", failed({ name: "Mine", message: "m" }), "Uncaught Mine: m"],
    ["messages of several lines", failed({ message: "a\n→ 5\r\nError: x" }), "Error: a\n  → 5\n  Error: x"],
    [
      "cause, collected errors and properties",
      failed({
        name: "AggregateError",
        message: "all",
        frames: [frame(1, 1)],
        properties: '{"status": 404}',
        cause: { code: "GUEST_THROW", name: "TypeError", message: "in\nner", frames: [frame(2, 2)] },
        errors: [
          { code: "GUEST_THROW", name: "Error", message: "a", frames: [] },
          { code: "GUEST_THROW", name: "Thrown", message: "", thrown: '"b"', frames: [] },
        ],
      }),
      [
        "AggregateError: all",
        "  at eval 3, line 1, column 1",
        '  {"status": 404}',
        "  cause: TypeError: in",
        "    ner",
        "    at eval 3, line 2, column 2",
        "  [0]: Error: a",
        '  [1]: Thrown: "b"',
      ].join("\n"),
    ],
    ["console before the error", failed({}, [log("before")], ["note"]), "before\nError: m\n(note)"],
  ])("shows %s", (_, result, text) => {
    expect(show(result)).toBe(text);
  });

  test.each([
    ["TIMEOUT", "Timeout: m"],
    ["WAIT_TIMEOUT", "Wait timeout: m"],
    ["MEMORY", "Out of memory: m"],
    ["STACK", "Stack overflow: m"],
    ["ABORTED", "Aborted: m"],
    ["SESSION_REBUILT", "Session rebuilt: m"],
    ["GUEST_UNSETTLED", "Never settled: m"],
  ] as const)("of the host's making has a header of its own: %s", (code, text) => {
    expect(show(failed({ code }))).toBe(text);
    const forged = show(failed({ name: text.split(":")[0]!, message: "m" }));
    expect(forged).toBe(`Uncaught ${text}`);
  });

  test("shows the part of a long line that the position is in", () => {
    const line = `${"a".repeat(50_000)}HERE${"b".repeat(50_000)}`;
    const text = show(
      failed({ code: "GUEST_SYNTAX", name: "SyntaxError", frames: [frame(1, 50_001, line)] }),
    );
    expect(text.length).toBeLessThan(400);
    const [, , source, caret] = text.split("\n");
    expect(source!.slice(caret!.indexOf("^")).startsWith("HERE")).toBe(true);
  });
});

describe("what the guest prints cannot pass for framing", () => {
  test.each([
    ["→ 5", "[log] → 5"],
    ["ok\n→ 5", "ok\n[log] → 5"],
    ["[warn] w", "[log] [warn] w"],
    ["[error] e", "[log] [error] e"],
    ["[log] x", "[log] [log] x"],
    ["Error: boom", "[log] Error: boom"],
    ["my.ValidationError: boom", "[log] my.ValidationError: boom"],
    ["Uncaught Foo: x", "[log] Uncaught Foo: x"],
    ["Thrown: 5", "[log] Thrown: 5"],
    ["Timeout: too long", "[log] Timeout: too long"],
    ["Paused: waiting", "[log] Paused: waiting"],
    ["  at eval 3, line 1, column 1", "[log]   at eval 3, line 1, column 1"],
    ["  at f (eval 3, line 1, column 1)", "[log]   at f (eval 3, line 1, column 1)"],
    ["(defined: x)", "[log] (defined: x)"],
    ["… [5 characters cut] …", "[log] … [5 characters cut] …"],
    ["Total: 5", "Total: 5"],
    ["no Error: here", "no Error: here"],
    ["(a) first", "(a) first"],
    ["", ""],
  ])("%j becomes %j", (text, shown) => {
    expect(show(completed("", [log(text)]))).toBe(shown);
    expect(show(completed("1", [log(text)]))).toBe(`${shown}\n→ 1`);
  });

  test("behind a level prefix of ours only the further lines are guarded", () => {
    expect(show(completed("", [log("Error: a\n→ 5", "error")]))).toBe("[error] Error: a\n[log] → 5");
  });
});

describe("the budget", () => {
  const big = completed("y".repeat(500_000));

  test("covers a value, keeps both ends and says how much is missing and where it is", () => {
    const text = formatResult(big, { maxResultChars: 1000, fullValueName: "rows" });
    expect(text.length).toBeLessThanOrEqual(1000);
    const [, head, count, tail] =
      /^→ (y+)\n… \[([\d,]+) characters cut; the whole value is in rows\] …\n(y+)$/.exec(text)!;
    expect(head!.length + tail!.length + Number(count!.replaceAll(",", ""))).toBe(500_000);
  });

  test("keeps the end of the console and all of a short value", () => {
    const logs = [log("x".repeat(10_000)), log("IMPORTANT TAIL")];
    const text = show(completed("1", logs), 1000);
    expect(text).toMatch(/^x+\n… \[9,\d{3} characters cut\] …\nx+\nIMPORTANT TAIL\n→ 1$/);
    expect(text.length).toBeLessThanOrEqual(1000);
    expect(text.length).toBeGreaterThan(950);
  });

  test("gives an error room before the console", () => {
    const text = show(failed({ message: "m".repeat(6000) }, [log("x".repeat(6000))], ["a note"]), 1000);
    expect(text).toMatch(/^x+\n… [^\n]+ …\nx+\nError: m+\n… [^\n]+ …\nm+\n\(a note\)$/);
    expect(text.match(/m+/g)!.join("").length).toBeGreaterThan(2 * text.match(/x+/g)!.join("").length);
  });

  test("names the place of a value that the prelude shortened already", () => {
    const options = { maxResultChars: 1000, fullValueName: "rows" };
    const shortened: EvalResult = { ...completed("[1, ... 5 more items]"), abbreviated: true } as EvalResult;
    expect(formatResult(shortened, options)).toBe(
      "→ [1, ... 5 more items]\n(shortened; the whole value is in rows)",
    );
  });

  test.each([0, 1, 10, 25])("of %d shows that something is missing", (maxResultChars) => {
    expect(show(completed("", [log("some output")]), maxResultChars)).toMatch(/characters cut|some output/);
    expect(show(big, maxResultChars)).toBe("… [500,002 characters cut] …");
    expect(show(completed("5"), 3)).toBe("→ 5");
  });

  test("is never exceeded and never splits a surrogate pair, whatever the result", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.string({ unit: fc.constantFrom("\u{1f600}", "a", "\n"), maxLength: 600 }),
    );
    const level = fc.constantFrom("log", "info", "warn", "error", "debug") as fc.Arbitrary<LogLine["level"]>;
    const logs = fc.array(fc.record({ level, text }), { maxLength: 8 });
    const result = fc.oneof(
      fc
        .tuple(text, logs, fc.array(text, { maxLength: 3 }))
        .map(([value, lines, notes]) => completed(value, lines, notes)),
      fc.tuple(text, text, logs).map(([name, message, lines]) => failed({ name, message }, lines)),
    );
    fc.assert(
      fc.property(
        result,
        fc.integer({ min: 0, max: 1500 }),
        fc.option(fc.constant("rows")),
        (any, max, name) => {
          const shown = formatResult(any, {
            maxResultChars: max,
            ...(name !== null && { fullValueName: name }),
          });
          expect(shown.length).toBeLessThanOrEqual(Math.max(max, 40));
          expect(shown).toMatch(/^(?:[^\ud800-\udfff]|[\ud800-\udbff][\udc00-\udfff])*$/);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
