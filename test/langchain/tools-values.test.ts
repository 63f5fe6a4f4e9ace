import { ToolMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";
import { createAgent, createMiddleware, tool } from "langchain";
import { describe, expect, it, test } from "vitest";
import { z } from "zod";
import { type CodeInterpreterOptions, createCodeInterpreterMiddleware } from "../../src/langchain/index.js";
import { evalTexts, lastEvalText, modelRunning, question } from "../support/scripted-agent.js";

const any = z.object({}).loose();
const giving = (name: string, give: (input: Record<string, unknown>) => unknown) =>
  tool(async (input) => give(input) as string, { name, description: name, schema: any });
const failing = (name: string, error: unknown) =>
  giving(name, () => {
    throw error;
  });
const cyclic: Record<string, unknown> = {};
cyclic["s"] = cyclic;
const message = (content: string) => new ToolMessage({ content, tool_call_id: "other" });

const tools = [
  giving("num", () => 42),
  giving("obj", () => ({ a: 1, b: [2] })),
  giving("nul", () => null),
  giving("undef", () => undefined),
  giving("blocks", () => [
    { type: "text", text: "A" },
    { type: "text", text: "B" },
  ]),
  giving("onlyimg", () => [{ type: "image_url", image_url: { url: "x" } }]),
  giving("cmd", () => new Command({ update: { note: "n", messages: [message("from-cmd")] } })),
  giving("cmdnomsg", () => new Command({ update: { note: "quiet" } })),
  giving("jump", () => new Command({ goto: "elsewhere" })),
  giving("tm", () => message("tmc")),
  giving("tmlist", () => [message("one"), message("two")]),
  failing("boom", new Error("exploded")),
  failing("boomstr", "just a string"),
  failing("boomobj", { code: 1 }),
  tool(async ({ n }) => n, { name: "typed", description: "typed", schema: z.object({ n: z.number() }) }),
  giving("echo_it", (input) => input),
  giving("dates", () => ({ d: new Date(0) })),
  giving("big", () => 10n),
  giving("mapr", () => new Map([["k", 1]])),
  giving("cyc", () => cyclic),
  giving("2bad", () => "x"),
  giving("nulstr", () => "a\0b"),
  giving("read_file", ({ c }) => c),
  giving("slow", async ({ ms }) => {
    await new Promise((resolve) => setTimeout(resolve, Number(ms ?? 1)));
    return "s";
  }),
  giving("rows", () => ({ rows: [{ id: 1 }] })),
  giving("bytes", () => new Uint8Array([1, 2, 3])),
  giving("yes", () => true),
  tool(async ({ app, steps }) => app + steps.length, {
    name: "batch",
    description: "Runs steps.",
    schema: z.object({ app: z.string(), steps: z.array(z.string()) }),
  }),
];
const noted = createMiddleware({ name: "Noted", stateSchema: z.object({ note: z.string().default("") }) });

async function run(programs: readonly string[], options: object = {}): Promise<string[]> {
  const agent = createAgent({
    model: modelRunning(...programs),
    tools,
    middleware: [noted, createCodeInterpreterMiddleware({ ptc: tools.map(({ name }) => name), ...options })],
  });
  return evalTexts(await agent.invoke(question));
}

const typeAndText = (call: string) => `const v = await ${call}; typeof v + ":" + v`;

describe("what a tool gives reaches code as the value it is", () => {
  it.each<[title: string, program: string, shown: string | RegExp]>([
    ["a number", typeAndText("tools.num({})"), "→ number:42"],
    ["an object", "const v = await tools.obj({}); v.a + v.b[0]", "→ 3"],
    ["null", "(await tools.nul({})) === null", "→ true"],
    ["undefined", "(await tools.undef({})) === undefined", "→ true"],
    ["text blocks, joined", "await tools.blocks({})", "→ A\nB"],
    ["other blocks, as a list", "const v = await tools.onlyimg({}); v[0].type + v.length", "→ image_url1"],
    ["of a Command its message", "await tools.cmd({})", "→ from-cmd"],
    ["of a Command without a message nothing", typeAndText("tools.cmdnomsg({})"), "→ undefined:undefined"],
    ["of a ToolMessage its content", "await tools.tm({})", "→ tmc"],
    ["of several ToolMessages the last", "await tools.tmlist({})", "→ two"],
    [
      "an error, with the line that called",
      "await tools.boom({})",
      /^Error: Tool 'boom' failed: exploded\n {2}at eval 1, line 1/,
    ],
    [
      "an error to catch, with the tool's message",
      "let m; try { await tools.boom({}) } catch (e) { m = e.name + '|' + e.message }\nm",
      "→ Error|Tool 'boom' failed: exploded",
    ],
    [
      "a thrown string as an error",
      "await tools.boomstr({})",
      /^Error: Tool 'boomstr' failed: just a string/,
    ],
    [
      "a thrown object as an error with data",
      "let d; try { await tools.boomobj({}) } catch (e) { d = e.data.code }\nd",
      "→ 1",
    ],
    [
      "arguments that do not fit, as a TypeError that names the field",
      "await tools.typed({ n: 'x' })",
      /^TypeError: Tool 'typed' failed: .*\n.*n: expected number.*given: "x"/,
    ],
    ["no argument as an empty object", "await tools.echoIt()", "→ {}"],
    ["null as an empty object", "await tools.echoIt(null)", "→ {}"],
    [
      "a string as argument is refused",
      "await tools.echoIt('q')",
      /^TypeError: tools\.echoIt takes one object .* but was given a string\./,
    ],
    [
      "a list as argument is refused",
      "await tools.echoIt([1])",
      /^TypeError: tools\.echoIt takes one object .* but was given a list\./,
    ],
    ["an undefined field is left out", "await tools.echoIt({ a: undefined, b: 1 })", '→ {"b": 1}'],
    ["undefined in a list is null", "await tools.echoIt({ list: [1, undefined] })", '→ {"list": [1, null]}'],
    ["NaN is refused by its name", "await tools.echoIt({ a: NaN })", /^TypeError: .*`a` is NaN/],
    [
      "a BigInt is refused by its name",
      "await tools.echoIt({ d: 5n, e: 1 })",
      /^TypeError: .*`d` is a BigInt/,
    ],
    [
      "a cycle is refused by its name",
      "const o = { e: 1 }; o.o = o; await tools.echoIt(o)",
      /^TypeError: .*`o` is a reference/,
    ],
    ["a Date", "const { d } = await tools.dates({}); d.toISOString()", "→ 1970-01-01T00:00:00.000Z"],
    ["a BigInt", typeAndText("tools.big({})"), "→ bigint:10"],
    ["a Map", "(await tools.mapr({})).get('k')", "→ 1"],
    ["a value that refers to itself", "const v = await tools.cyc({}); v.s === v", "→ true"],
    ["a tool whose name is no identifier", "await tools['2bad']({})", "→ x"],
    ["both of a tool's names", "typeof tools['echo_it'] + typeof tools.echoIt", "→ functionfunction"],
    [
      "a name that is not there, with the one that was meant",
      "await tools.blokcs({})",
      /^TypeError: There is no tool "blokcs"; did you mean tools\.blocks\? Object\.keys\(tools\) lists them all, tools\.\$search\("words"\) finds them\.\n(?![\s\S]*There is no tool)/,
    ],
    [
      "a name that is not there, caught, with those there are",
      "let m; try { await tools.zzzzzz({}) } catch (e) { m = e.message }\nm",
      /^→ There is no tool "zzzzzz"\. There are: .*batch/,
    ],
    [
      "a name that is only asked for is a note",
      "typeof tools.blokcs",
      /^→ "undefined"\n\(.*tools\.blocks\? .*\)$/,
    ],
    ["`tools` awaited by mistake is itself", "const t = await tools; typeof t.num", "→ function"],
    ["a NUL in a text", "(await tools.nulstr({})).length", "→ 3"],
    [
      "text that looks like numbered lines of a file",
      'await tools.readFile({ c: "     1\\tfoo\\n     2\\tbar" })',
      "→      1\tfoo\n     2\tbar",
    ],
    [
      "text that looks like numbered lines without padding",
      'await tools.readFile({ c: "1\\tfoo\\n2\\tbar" })',
      "→ 1\tfoo\n2\tbar",
    ],
    [
      "text that looks like an excerpt of a file",
      'await tools.readFile({ c: "@@ lines 1-2 of 2 @@\\nfoo" })',
      "→ @@ lines 1-2 of 2 @@\nfoo",
    ],
    ["two results in parallel", "(await Promise.all([tools.slow({}), tools.slow({})])).join()", "→ s,s"],
    ["lists in an object", "(await tools.rows({})).rows.length", "→ 1"],
    ["bytes", "const v = await tools.bytes({}); v instanceof Uint8Array && v.join()", "→ 1,2,3"],
    ["a boolean", typeAndText("tools.yes({})"), "→ boolean:true"],
    ["a jump is refused: it steers the agent", "await tools.jump({})", /^Error: .*steers the agent/],
    [
      "arguments under wrong names, with the signature",
      "await tools.batch({ app: 'x', actions: [] })",
      /^TypeError: .*\n[\s\S]*steps:[\s\S]*not known: actions[\s\S]*batch\(input: \{ app: string; steps: string\[\] \}\)/,
    ],
  ])("%s", async (_title, program, shown) => {
    const [text] = await run([program]);
    if (typeof shown === "string") expect(text).toBe(shown);
    else expect(text).toMatch(shown);
  });

  test("two tools that would have one name in code are refused by name", async () => {
    const twins = [giving("get-item", () => 1), giving("get_item", () => 2)];
    expect(() => createCodeInterpreterMiddleware({ ptc: twins })).toThrow(
      /get-item.*get_item.*tools\.getItem/,
    );
  });

  test("T194, T195: code cannot replace a tool, in this eval or a later one", async () => {
    expect(
      await run([
        "tools.num = async () => 'hijacked'; await tools.num({})",
        "await tools.num({})",
        "tools = {}; typeof tools.num",
        "typeof tools.num",
      ]),
    ).toEqual(["→ 42", "→ 42", expect.stringMatching(/^TypeError: .*'tools'/), "→ function"]);
  });

  test("a call beyond the budget fails and says how many ran", async () => {
    const [text] = await run(["await tools.num({}); await tools.num({})"], { maxPtcCalls: 1 });
    expect(text).toMatch(/PTC call budget exceeded \(limit=1, attempted=2, function=num\)\. 1 calls? ran/);
  });

  test("waiting for a tool does not use up the time code may compute", async () => {
    expect(await run(["await tools.slow({ ms: 120 })"], { executionTimeoutMs: 50 })).toEqual(["→ s"]);
  });
});

describe("what code may see of a failure", () => {
  const connect = () =>
    tool(
      () =>
        Promise.reject(Object.assign(new Error("connect postgres://user:pw@host failed"), { code: "E1" })),
      { name: "connect", description: "Connects.", schema: z.object({}) },
    );
  const run = async (options: CodeInterpreterOptions) => {
    const agent = createAgent({
      model: modelRunning(
        "let e; try { await tools.connect({}) } catch (error) { e = error }\n[e.name, e.message, e.data?.code, e.stack.includes('.ts')].join('|')",
      ),
      tools: [connect()],
      middleware: [createCodeInterpreterMiddleware({ ptc: ["connect"], ...options })],
    });
    return lastEvalText(await agent.invoke(question));
  };

  test.each<[string, CodeInterpreterOptions, string]>([
    [
      "by default: no password, no host stack, its code",
      {},
      "→ Error|Tool 'connect' failed: connect postgres://***@host failed|E1|false",
    ],
    [
      "a text of the app's",
      { describeToolError: (_error, name) => `${name} is down` },
      "→ Error|connect is down||false",
    ],
    [
      "an error of the app's",
      { describeToolError: () => ({ name: "DownError", message: "later", data: { code: "D" } }) },
      "→ DownError|later|D|false",
    ],
    [
      "the default, where the policy says nothing",
      { describeToolError: () => undefined },
      "→ Error|Tool 'connect' failed: connect postgres://***@host failed|E1|false",
    ],
    [
      "nothing, where the policy fails itself",
      {
        describeToolError: (error) => {
          throw error;
        },
      },
      "→ Error|Tool 'connect' failed.||false",
    ],
  ])("%s", async (_title, options, shown) => {
    expect(await run(options)).toBe(shown);
  });
});
