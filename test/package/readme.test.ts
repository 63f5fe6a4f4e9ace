/** Every code block and every table of the README that can be held to what it says. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { transform } from "esbuild";
import { describe, expect, inject, test } from "vitest";
import { Consumer, langchain, root } from "./consumer.js";
import { printedBy, readme, readmeSnippets } from "./readme.js";

const snippets = readmeSnippets();
const typescript = snippets.filter(({ language }) => language === "ts");
const titled = (some: typeof snippets) =>
  some.map((snippet) => [`${snippet.heading}, line ${snippet.line}`, snippet] as const);

/** What the prose around a snippet has, so that the snippet need not say it. */
const context = `
  import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
  import type { ReactAgent } from "langchain";
  declare global {
    const model: BaseChatModel;
    const agent: ReactAgent;
  }`;

async function compile(files: Record<string, string>, types: readonly string[]): Promise<string> {
  const app = new Consumer({
    packages: [...langchain, "deepagents", "@types/node", "@cloudflare/workers-types"],
    files: { ...files, "context.d.ts": context },
  });
  const compilerOptions = {
    module: "NodeNext",
    moduleResolution: "NodeNext",
    target: "ES2022",
    lib: types.length > 0 ? ["ES2023"] : ["ES2023", "DOM"],
    types,
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
  };
  app.write({ "tsconfig.json": JSON.stringify({ compilerOptions, include: ["*.ts"] }) });
  return (await app.node(`${root}/node_modules/typescript/bin/tsc`, "-p", ".")).stdout;
}

const asFiles = (some: typeof snippets) =>
  Object.fromEntries(some.map(({ line, code }) => [`line-${line}.ts`, `${code}\nexport {};\n`]));

describe("code", () => {
  test("every TypeScript block compiles against the packed declarations", async () => {
    expect(typescript.length).toBeGreaterThan(8);
    expect(await compile(asFiles(typescript.filter(({ label }) => label !== "worker")), [])).toBe("");
  });

  test("blocks for a Worker compile with the types of Workers", async () => {
    const workers = typescript.filter(({ label }) => label === "worker");
    expect(workers).not.toEqual([]);
    expect(await compile(asFiles(workers), ["@cloudflare/workers-types/2023-07-01"])).toBe("");
  });

  test.each(titled(typescript.filter(({ code, label }) => label === "runs" || printedBy(code) !== "")))(
    "%s prints what it says",
    async (_, { code: source }) => {
      const { code } = await transform(source, { loader: "ts", format: "esm", target: "es2022" });
      const app = new Consumer({ packages: langchain, files: { "index.js": code } });
      expect((await app.node("index.js")).stdout).toBe(printedBy(source));
    },
  );
});

describe("what the model sees", () => {
  const blocks = Object.fromEntries(snippets.flatMap(({ label, code }) => (label ? [[label, code]] : [])));
  const program = `
    import { AIMessage, createAgent, fakeModel, tool } from "langchain";
    import { z } from "zod";
    import { createCodeInterpreterMiddleware } from "edge-interpreter";
    const search = tool(async () => [], { name: "web_search", description: "Search the web.", schema: z.object({ query: z.string() }) });
    const evalMessage = (id, code) => new AIMessage({ content: "", tool_calls: [{ name: "eval", id, args: { code } }] });
    const model = fakeModel()
      .respond(evalMessage("1", "const rows = [1, 2, 3].map((n) => ({ n, square: n * n }));\\nconsole.log('counted', rows.length);\\nrows"))
      .respond(evalMessage("2", "const total = rows.length;\\nrows.find((row) => row.n > 5).square"))
      .respond(new AIMessage("done"));
    const agent = createAgent({ model, tools: [search], middleware: [createCodeInterpreterMiddleware({ ptc: ["web_search"] })] });
    const { messages } = await agent.invoke({ messages: [{ role: "user", content: "go" }] });
    const answers = messages.filter(({ type }) => type === "tool").map(({ text }) => text);
    console.log(JSON.stringify([model.calls[0].messages[0].text, ...answers]));`;

  test("the prompt and the two results are those of a real run", async () => {
    const app = new Consumer({ packages: langchain, files: { "index.js": program } });
    const [prompt, result, failure] = JSON.parse((await app.node("index.js")).stdout) as string[];
    expect(blocks["prompt"]).toBe(`${prompt}\n`);
    expect(blocks["result"]).toBe(`${result}\n`);
    expect(blocks["failure"]).toBe(`${failure}\n`);
  });
});

describe("tables", () => {
  const { directory } = inject("packed");
  const built = (file: string) => readFileSync(join(directory, file), "utf8");
  const firstCells = (heading: string) =>
    [...section(heading).matchAll(/^\| `(\w+)`[^|]*\|/gm)].map(([, name]) => name as string);

  test("the options are those of the type, each once", () => {
    const body = /interface CodeInterpreterOptions \{([\s\S]*?)\n\}/.exec(
      built("dist/src/langchain/options.d.ts"),
    )?.[1];
    const options = [...(body ?? "").matchAll(/readonly (\w+)\?:/g)].map(([, name]) => name as string);
    expect(firstCells("Options").sort()).toEqual(options.sort());
  });

  test("the limits are the defaults", async () => {
    const program = `
      import { DEFAULT_LIMITS } from "edge-interpreter/core";
      console.log(JSON.stringify({ ...DEFAULT_LIMITS, maxPtcCalls: DEFAULT_LIMITS.maxHostCalls }));`;
    const app = new Consumer({ files: { "index.js": program } });
    const limits = JSON.parse((await app.node("index.js")).stdout) as Record<string, number | null>;
    const rows = section("Limits").matchAll(/^\| [^|]+ \| (none|[\d ]+) ?(\w*)[^|]*\| `(\w+)` *\|/gm);
    const units: Record<string, number> = { MiB: 1024 ** 2, KiB: 1024, Mi: 1024 ** 2, s: 1000, min: 60_000 };
    const compared = [...rows].flatMap(([, figure, unit, name]) => {
      const value =
        figure === "none" ? null : Number(figure?.replaceAll(" ", "")) * (units[unit as string] ?? 1);
      return limits[name as string] === undefined ? [] : [[name, value, limits[name as string]]];
    });
    expect(compared.length).toBe(10);
    for (const [name, said, is] of compared) expect(said, String(name)).toBe(is);
  });

  test("the error codes are those there are", () => {
    const union = /type ErrorCode =([^;]*);/.exec(built("dist/src/errors.d.ts"))?.[1] ?? "";
    const codes = [...union.matchAll(/"(\w+)"/g)].map(([, code]) => code as string);
    const listed = [...section("Errors").matchAll(/`([A-Z]+_[A-Z_]+|UNAUTHORIZED)`/g)].map(
      ([, code]) => code as string,
    );
    expect(listed.sort()).toEqual(codes.sort());
  });

  function section(heading: string): string {
    return readme.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  }
});

describe("links", () => {
  test("lead to headings that exist", () => {
    const anchors = [...readme.matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
      (title as string).toLowerCase().replaceAll(" ", "-"),
    );
    for (const [, anchor] of readme.matchAll(/\]\(#([^)]+)\)/g)) expect(anchors).toContain(anchor);
  });
});
