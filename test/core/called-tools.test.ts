/** A tool that is not there: calling it says so, looking for it does not. */
import { afterAll, describe, expect, test } from "vitest";
import { createInterpreter } from "../../src/index.js";

const interpreter = createInterpreter();
afterAll(async () => (await interpreter).dispose());

const tools = { search: () => "found", "get-page": () => "page" };
const message = 'There is no tool "serch". There are: search, get-page.';

async function run(source: string, offered: typeof tools | null = tools) {
  const session = await (await interpreter).open();
  const result = await session.eval(source, offered ? { tools: offered } : {});
  session.dispose();
  return result.status === "completed" ? result.value : result.status === "failed" && result.error.message;
}

const caught = (call: string) =>
  `let said; try { ${call} } catch (error) { said = error.name + ": " + error.message } said`;

describe("a call of a tool that is not there", () => {
  test.each([
    ["awaited", "await tools.serch({})"],
    ["not awaited", "tools.serch({})"],
    ["by its name in brackets", "await tools['serch']({})"],
    ["through an optional object", "await tools?.serch({})"],
    ["in a function", "const find = (query) => tools.serch({ query }); await find('x')"],
    ["in brackets of its own", "await (tools.serch)({})"],
    ["with a continuation", "await tools.serch({}).then((x) => x)"],
    ["in TypeScript", "const x: string = await tools.serch({} as any) as string"],
  ])("names it inside the program: %s", async (_, call) => {
    expect(await run(caught(call))).toBe(`TypeError: ${message}`);
  });

  test("fails at once, as any call of undefined does", async () => {
    expect(await run(`let after = 0; try { tools.serch({}); after = 1 } catch {} after`)).toBe(0);
  });

  test("uncaught, fails the eval with the same text", async () => {
    expect(await run("await tools.serch({})")).toBe(message);
  });

  test("lists twenty names at most", async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`t${n}`, () => n]));
    const session = await (await interpreter).open();
    const result = await session.eval("tools.nope()", { tools: many });
    session.dispose();
    expect(result.status === "failed" && result.error.message).toMatch(
      /There are: t0, .*t19, 10 more; see Object\.keys\(tools\)\.$/,
    );
  });

  test("of a helper from an earlier eval speaks of the tools of now", async () => {
    const session = await (await interpreter).open();
    await session.eval("const find = () => tools.find({})", { tools });
    const later = await session.eval(caught("find()"), { tools: { fetch: () => 1 } });
    const found = await session.eval("await find()", { tools: { find: () => 2 } });
    session.dispose();
    expect(later.status === "completed" && later.value).toBe(
      'TypeError: There is no tool "find". There are: fetch.',
    );
    expect(found.status === "completed" && found.value).toBe(2);
  });
});

describe("a look for a tool", () => {
  test.each([
    ["typeof", "typeof tools.serch", "undefined"],
    ["in", "'serch' in tools", false],
    ["keys", "Object.keys(tools).join()", "search,get-page"],
    ["an optional call", "await tools.serch?.({})", undefined],
    ["a condition", "tools.serch ? await tools.serch({}) : 'without'", "without"],
    [
      "destructuring",
      "const { serch, search } = tools; [typeof serch, typeof search].join()",
      "undefined,function",
    ],
    ["then", "typeof tools.then", "undefined"],
    ["awaiting the object itself", "(await tools) === tools", true],
  ])("answers that it is not there: %s", async (_, source, expected) => {
    expect(await run(source)).toBe(expected);
  });

  test.each([
    ["by its name", "await tools.search({})", "found"],
    ["by another", "await tools['get-page']({})", "page"],
    ["of a computed name", "const name = 'search'; await tools[name]({})", "found"],
    ["of a parameter called tools", "((tools) => tools.x())({ x: () => 'own' })", "own"],
    [
      "whose result nobody takes",
      "tools.search({}).then((x) => x); export default tools.search({})",
      "found",
    ],
    ["in a template", "`${await tools.search({})}!`", "found!"],
    ["of a variable called tools", "{ const tools = { x: () => 'own' }; tools.x() }", "own"],
  ])("does not change calls that are: %s", async (_, source, expected) => {
    expect(await run(source)).toBe(expected);
  });

  test("without any tools, `tools` is what it was", async () => {
    expect(await run("typeof tools", null)).toBe("undefined");
    expect(await run(caught("tools.serch()"), null)).toBe("ReferenceError: 'tools' is not defined");
  });

  test("in a module it is the same", async () => {
    const modules = {
      own: "const tools = { serch: () => 'own' }; export const find = () => tools.serch();",
      agents: "export const find = () => tools.serch({}); export const search = () => tools.search({});",
    };
    const withModules = await createInterpreter({ modules });
    const session = await withModules.open();
    const value = async (source: string) => {
      const result = await session.eval(source, { tools });
      return result.status === "completed" && result.value;
    };
    expect(await value("import { find } from 'own'; find()")).toBe("own");
    expect(await value("import { search } from 'agents'; await search()")).toBe("found");
    expect(await value(`import { find } from 'agents'; ${caught("find()")}`)).toBe(`TypeError: ${message}`);
    withModules.dispose();
  });
});
