import { ToolMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";
import { createAgent, createMiddleware, tool } from "langchain";
import { describe, expect, it, test } from "vitest";
import { z } from "zod";
import { createCodeInterpreterMiddleware } from "../../src/langchain/index.js";
import { evalTexts, modelRunning, question } from "../support/scripted-agent.js";

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
  it.each<[row: string, program: string, shown: string | RegExp]>([
    ["T164", typeAndText("tools.num({})"), "→ number:42"],
    ["T165", "const v = await tools.obj({}); v.a + v.b[0]", "→ 3"],
    ["T166", "(await tools.nul({})) === null", "→ true"],
    ["T167", "(await tools.undef({})) === undefined", "→ true"],
    ["T168", "await tools.blocks({})", "→ A\nB"],
    ["T169", "const v = await tools.onlyimg({}); v[0].type + v.length", "→ image_url1"],
    ["T170", "await tools.cmd({})", "→ from-cmd"],
    ["T171", typeAndText("tools.cmdnomsg({})"), "→ undefined:undefined"],
    ["T172", "await tools.tm({})", "→ tmc"],
    ["T173", "await tools.tmlist({})", "→ two"],
    ["T174", "await tools.boom({})", /^Error: Tool 'boom' failed: exploded\n {2}at eval 1, line 1/],
    [
      "T175",
      "let m; try { await tools.boom({}) } catch (e) { m = e.name + '|' + e.message }\nm",
      "→ Error|Tool 'boom' failed: exploded",
    ],
    ["T176", "await tools.boomstr({})", /^Error: Tool 'boomstr' failed: just a string/],
    ["T177", "let d; try { await tools.boomobj({}) } catch (e) { d = e.data.code }\nd", "→ 1"],
    [
      "T178",
      "await tools.typed({ n: 'x' })",
      /^TypeError: Tool 'typed' failed: .*\n.*n: expected number.*given: "x"/,
    ],
    ["T179", "await tools.echoIt()", "→ {}"],
    ["T180", "await tools.echoIt(null)", "→ {}"],
    [
      "T181",
      "await tools.echoIt('q')",
      /^TypeError: tools\.echoIt takes one object .* but was given a string\./,
    ],
    [
      "T182",
      "await tools.echoIt([1])",
      /^TypeError: tools\.echoIt takes one object .* but was given a list\./,
    ],
    ["T183", "await tools.echoIt({ a: undefined, b: 1 })", '→ {"b": 1}'],
    ["C27", "await tools.echoIt({ list: [1, undefined] })", '→ {"list": [1, null]}'],
    ["T184", "await tools.echoIt({ a: NaN })", /^TypeError: .*`a` is NaN/],
    ["T185", "await tools.echoIt({ d: 5n, e: 1 })", /^TypeError: .*`d` is a BigInt/],
    ["T186", "const o = { e: 1 }; o.o = o; await tools.echoIt(o)", /^TypeError: .*`o` is a reference/],
    ["T187", "const { d } = await tools.dates({}); d.toISOString()", "→ 1970-01-01T00:00:00.000Z"],
    ["T188", typeAndText("tools.big({})"), "→ bigint:10"],
    ["T189", "(await tools.mapr({})).get('k')", "→ 1"],
    ["T190", "const v = await tools.cyc({}); v.s === v", "→ true"],
    ["T192", "await tools['2bad']({})", "→ x"],
    ["T193", "typeof tools['echo_it'] + typeof tools.echoIt", "→ functionfunction"],
    [
      "T196",
      "await tools.blokcs({})",
      /^TypeError: There is no tool "blokcs"; did you mean tools\.blocks\? Object\.keys\(tools\) lists them all, tools\.\$search\("words"\) finds them\.\n(?![\s\S]*There is no tool)/,
    ],
    [
      "T196 caught",
      "let m; try { await tools.zzzzzz({}) } catch (e) { m = e.message }\nm",
      /^→ There is no tool "zzzzzz"\. There are: .*batch/,
    ],
    ["T196 asked", "typeof tools.blokcs", /^→ "undefined"\n\(.*tools\.blocks\? .*\)$/],
    ["awaited by mistake", "const t = await tools; typeof t.num", "→ function"],
    ["T197", "(await tools.nulstr({})).length", "→ 3"],
    ["T198", 'await tools.readFile({ c: "     1\\tfoo\\n     2\\tbar" })', "→      1\tfoo\n     2\tbar"],
    ["T199", 'await tools.readFile({ c: "1\\tfoo\\n2\\tbar" })', "→ 1\tfoo\n2\tbar"],
    ["T200", 'await tools.readFile({ c: "@@ lines 1-2 of 2 @@\\nfoo" })', "→ @@ lines 1-2 of 2 @@\nfoo"],
    ["T202", "(await Promise.all([tools.slow({}), tools.slow({})])).join()", "→ s,s"],
    ["C28", "(await tools.rows({})).rows.length", "→ 1"],
    ["C28 bytes", "const v = await tools.bytes({}); v instanceof Uint8Array && v.join()", "→ 1,2,3"],
    ["C28 boolean", typeAndText("tools.yes({})"), "→ boolean:true"],
    ["C30 jump", "await tools.jump({})", /^Error: .*steers the agent/],
    [
      "C34",
      "await tools.batch({ app: 'x', actions: [] })",
      /^TypeError: .*\n[\s\S]*steps:[\s\S]*not known: actions[\s\S]*batch\(input: \{ app: string; steps: string\[\] \}\)/,
    ],
  ])("%s: %s", async (_row, program, shown) => {
    const [text] = await run([program]);
    if (typeof shown === "string") expect(text).toBe(shown);
    else expect(text).toMatch(shown);
  });

  test("T191: two tools that would have one name in code are refused by name", async () => {
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

  test("T201: a call beyond the budget fails and says how many ran", async () => {
    const [text] = await run(["await tools.num({}); await tools.num({})"], { maxPtcCalls: 1 });
    expect(text).toMatch(/PTC call budget exceeded \(limit=1, attempted=2, function=num\)\. 1 calls? ran/);
  });

  test("T203: waiting for a tool does not use up the time code may compute", async () => {
    expect(await run(["await tools.slow({ ms: 120 })"], { executionTimeoutMs: 50 })).toEqual(["→ s"]);
  });
});
