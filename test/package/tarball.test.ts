/** What is in the package, and what a browser or a Worker loads of it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { Consumer, langchain } from "./consumer.js";
import { globalNames, moduleGraph, type PackageJson } from "./module-graph.js";

const { directory, files, bytes } = inject("packed");
const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as PackageJson;
const entries = Object.entries(manifest.exports).flatMap(([entry, target]) =>
  typeof target === "object" ? [{ entry, ...(target as { types: string; default: string }) }] : [],
);

function graphOf(entry: string): ReturnType<typeof moduleGraph> {
  const target = entries.find((each) => each.entry === entry);
  if (!target) throw new Error(`${entry} is not exported`);
  return moduleGraph(directory, [target.default.slice(2)]);
}

describe("the tarball", () => {
  test("holds the entries and what they reach, and nothing else", () => {
    const code = moduleGraph(
      directory,
      entries.map((each) => each.default.slice(2)),
    );
    const types = moduleGraph(directory, [
      ...entries.map((each) => each.types.slice(2)),
      ...[...code.files].filter((file) => file.endsWith(".js")).map((file) => file.replace(/js$/, "d.ts")),
    ]);
    expect([...code.missing, ...types.missing]).toEqual([]);
    const reached = new Set([...code.files, ...types.files].map(withoutExtension));
    const texts = ["package.json", "README.md", "LICENSE", "CHANGELOG.md"];
    expect(files.filter((file) => !reached.has(withoutExtension(file)) && !texts.includes(file))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(texts));
  });

  test("is smaller than 900 KB, of which the engine is 580 KB twice: as a file and as text", () => {
    expect(bytes).toBeLessThan(900_000);
  });

  test("has each path that the exports name", () => {
    const targets = Object.values(manifest.exports).flatMap((target) =>
      typeof target === "string" ? [target] : Object.values(target),
    );
    for (const target of targets) expect(files).toContain(target.slice(2));
  });

  test("needs its `#engine-wasm` in no declaration", () => {
    const { external } = moduleGraph(
      directory,
      entries.map((each) => each.types.slice(2)),
    );
    expect([...external].filter((specifier) => specifier.startsWith("#"))).toEqual([]);
  });
});

describe("what an entry loads", () => {
  const core = ["@jitl/quickjs-wasmfile-release-sync", "acorn"];

  test("the core: the engine and a parser", () => {
    expect([...graphOf("./core").external].sort()).toEqual([...core].sort());
  });

  test("the middleware: LangChain and zod besides", () => {
    const others = [...graphOf(".").external].filter((specifier) => !core.includes(specifier));
    expect(new Set(others.map(packageOf))).toEqual(
      new Set([
        "langchain",
        "@langchain/core",
        "@langchain/langgraph",
        "@langchain/langgraph-checkpoint",
        "zod",
      ]),
    );
  });

  test("the store contract: nothing at all", () => {
    expect([...graphOf("./testing").external]).toEqual([]);
  });

  test("no `node:` module, but in a Worker the AsyncLocalStorage that LangGraph needs", () => {
    const ofPlatform = (entry: string) =>
      [...graphOf(entry).external].filter((specifier) => /^(node|cloudflare):/.test(specifier)).sort();
    for (const { entry } of entries.filter((each) => each.entry !== "./edge"))
      expect(ofPlatform(entry), entry).toEqual([]);
    expect(ofPlatform("./edge")).toEqual(["cloudflare:workers", "node:async_hooks"]);
  });

  test("no name of another place: nothing of a page, of Node or of a Worker is in the core", () => {
    const others =
      /^(process|require|module|Buffer|window|self|document|navigator|indexedDB|localStorage|caches)$/;
    for (const file of graphOf("./core").files) {
      if (!file.endsWith(".js") || file.includes(".generated.")) continue;
      const used = globalNames(readFileSync(join(directory, file), "utf8")).filter((name) =>
        others.test(name),
      );
      // One file asks which runtime it is, for defaults that suit it.
      expect.soft(used, file).toEqual(file.endsWith("src/capacity.js") ? ["navigator"] : []);
    }
  });
});

describe("loading it and running a program", () => {
  const program = `
    await new Response("what Node makes when it is first used").text();
    const places = { globalThis };
    for (const name of Object.getOwnPropertyNames(globalThis)) {
      const value = Object.getOwnPropertyDescriptor(globalThis, name).value;
      if (typeof value === "function" && /^[A-Z]/.test(name)) {
        places[name] = value;
        if (value.prototype) places[name + ".prototype"] = value.prototype;
      } else if (typeof value === "object" && value !== null && value !== globalThis) places[name] = value;
    }
    const look = () => Object.fromEntries(Object.entries(places).map(([name, place]) =>
      [name, new Map(Reflect.ownKeys(place).map((key) => [key, Object.getOwnPropertyDescriptor(place, key)]))]));
    const before = look();
    const { createInterpreter } = await import("edge-interpreter/core");
    const session = await (await createInterpreter()).open();
    const result = await session.eval("class Point { constructor(public x: number) {} } [new Point(6).x * 7, /a+/.exec('caat')[0]]");
    console.log(JSON.stringify(result.value ?? result));
    const after = look();
    for (const [name, properties] of Object.entries(after)) {
      const keys = new Set([...properties.keys(), ...before[name].keys()]);
      for (const key of keys) {
        const [was, is] = [before[name].get(key), properties.get(key)];
        const fields = ["value", "get", "set", "writable", "enumerable", "configurable"];
        const lazy = name === "globalThis" && was?.get && !is?.get;
        if (!lazy && fields.some((field) => !Object.is(was?.[field], is?.[field]))) console.log("changed", name, String(key));
      }
    }`;

  test("changes no global of the host, and makes no code from strings", async () => {
    const consumer = new Consumer({ files: { "index.js": program } });
    const { stdout } = await consumer.node("--disallow-code-generation-from-strings", "index.js");
    expect(stdout).toBe('[42,"aa"]\n');
  });

  test("the middleware runs where code from strings is refused", async () => {
    const index = `
      import { AIMessage, createAgent, fakeModel } from "langchain";
      import { createCodeInterpreterMiddleware } from "edge-interpreter";
      const model = fakeModel().respondWithTools([{ name: "eval", id: "1", args: { code: "6 * 7" } }]).respond(new AIMessage("done"));
      const agent = createAgent({ model, tools: [], middleware: [createCodeInterpreterMiddleware()] });
      const { messages } = await agent.invoke({ messages: [{ role: "user", content: "go" }] });
      console.log(messages.at(-2).text);`;
    const consumer = new Consumer({ packages: langchain, files: { "index.js": index } });
    const { stdout } = await consumer.node("--disallow-code-generation-from-strings", "index.js");
    expect(stdout).toBe("→ 42\n");
  });
});

const withoutExtension = (file: string) => file.replace(/\.(d\.ts|js)$/, "");
const packageOf = (specifier: string) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0];
