/** State that calls side by side write: it is applied in the order of the calls, whichever of them ends first. */
import type { BaseMessage } from "@langchain/core/messages";
import { Command, MemorySaver, Overwrite, ReducedValue, StateSchema } from "@langchain/langgraph";
import { createDeepAgent, StateBackend } from "deepagents";
import { createAgent, createMiddleware, HumanMessage, tool } from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type CodeInterpreterOptions, createCodeInterpreterMiddleware } from "../../src/langchain/index.js";
import { hasAsyncContext } from "../support/async-context.js";
import {
  AnsweringModel,
  evalMessage,
  evalTexts,
  lastEvalText,
  lastHumanText,
  modelRunning,
  question,
  toolCallMessage,
} from "../support/scripted-agent.js";

interface Finished {
  readonly messages: BaseMessage[];
  readonly [key: string]: unknown;
}

const state = new StateSchema({
  log: new ReducedValue(z.array(z.string()).default([]), {
    inputSchema: z.array(z.string()).optional(),
    reducer: (now: string[], more: string[] = []) => {
      if (more.includes("bad")) throw new Error("the log takes nothing bad");
      return [...now, ...more];
    },
  }),
  text: new ReducedValue(z.string().default(""), {
    inputSchema: z.string().optional(),
    reducer: (now: string, more = "") => now + more,
  }),
  sum: new ReducedValue(z.number().default(0), {
    inputSchema: z.number().optional(),
    reducer: (now: number, more = 0) => now + more,
  }),
  list: new ReducedValue(z.array(z.string()).optional(), {
    inputSchema: z.array(z.string()).optional(),
    reducer: (now: string[] | undefined, more: string[] | undefined) => [...(now ?? []), ...(more ?? [])],
  }),
  mode: z.string().default("none"),
});

/** Tools that end when they are told: a call `after: "b"` ends once the call `name: "b"` has. */
function world() {
  const ended = new Map<string, Deferred>();
  const end = (name: string) => {
    const known = ended.get(name) ?? deferred();
    ended.set(name, known);
    return known;
  };
  const write = tool(
    async ({ name, after, update }) => {
      if (after !== undefined) await end(after).promise;
      // The write that is waited for has been applied when this one ends.
      setTimeout(() => end(name).resolve(), 0);
      return new Command({ update });
    },
    {
      name: "write",
      description: "Writes.",
      schema: z.object({
        name: z.string(),
        after: z.string().optional(),
        update: z.record(z.string(), z.unknown()),
      }),
    },
  );
  const replace = tool(async ({ log }) => new Command({ update: { log: new Overwrite(log) } }), {
    name: "replace",
    description: "Replaces the log.",
    schema: z.object({ log: z.array(z.string()) }),
  });
  const look = tool(
    async (_, config) => (config as unknown as { state: Record<string, unknown> }).state["log"],
    { name: "look", description: "Reads.", schema: z.object({}) },
  );
  const approve = tool(async () => new Command({ update: { log: ["approved"], mode: "approved" } }), {
    name: "approve",
    description: "Needs a person.",
    schema: z.object({}),
  });
  return { write, replace, look, approve };
}

interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

function deferred(): Deferred {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const ptc = ["write", "replace", "look", "approve"];

function agentFor(programs: readonly string[], options: CodeInterpreterOptions = {}, more: object = {}) {
  return createAgent({
    model: modelRunning(...programs),
    tools: Object.values(world()),
    middleware: [
      createMiddleware({ name: "State", stateSchema: state }),
      createCodeInterpreterMiddleware({ ptc, ...options }),
    ],
    ...more,
  });
}

const run = async (...programs: string[]) =>
  (await agentFor(programs).invoke(question as never)) as unknown as Finished;

/** Three calls of which the last one ends first. */
const backwards = (a: string, b: string, c: string) =>
  `await Promise.all([
    tools.write({ name: "a", after: "b", update: ${a} }),
    tools.write({ name: "b", after: "c", update: ${b} }),
    tools.write({ name: "c", update: ${c} }),
  ]);`;

describe("calls side by side", () => {
  test("add to a list in the order of the calls", async () => {
    const result = await run(
      `${backwards('{ log: ["a"] }', '{ log: ["b"] }', '{ log: ["c"] }')} await tools.look({})`,
    );
    expect(result["log"]).toEqual(["a", "b", "c"]);
    expect(lastEvalText(result)).toBe('→ ["a", "b", "c"]');
  });

  test("leave a key of one value with what the later call wrote", async () => {
    const result = await run(backwards('{ mode: "a" }', "{}", '{ mode: "c" }'));
    expect(result["mode"]).toBe("c");
  });

  test.each([
    ["text", '"a"', '"b"', '"c"', "abc"],
    ["sum", "5", "3", "5", 13],
    ["list", '["a"]', '["b"]', '["c"]', ["a", "b", "c"]],
  ])("lose nothing where a first write looks like a value that replaces: %s", async (key, a, b, c, all) => {
    const result = await run(backwards(`{ ${key}: ${a} }`, `{ ${key}: ${b} }`, `{ ${key}: ${c} }`));
    expect(result[key]).toEqual(all);
  });

  test("show what has ended so far to a call that looks in between", async () => {
    const result = await run(
      `const a = tools.write({ name: "a", after: "later", update: { log: ["a"] } });
       await tools.write({ name: "b", update: { log: ["b"] } });
       const before = await tools.look({});
       await tools.write({ name: "later", update: {} });
       await a;
       [before, await tools.look({})]`,
    );
    expect(lastEvalText(result)).toBe('→ [["b"], ["a", "b"]]');
  });

  test("fail where the state's reducer refuses a write, and the others stay", async () => {
    const result = await run(
      `const settled = await Promise.allSettled([
         tools.write({ name: "a", update: { log: ["a"] } }),
         tools.write({ name: "b", update: { log: ["bad"], mode: "b" } }),
         tools.write({ name: "c", update: { log: ["c"] } }),
       ]);
       settled.map(({ reason }) => reason?.message ?? "done")`,
    );
    expect(lastEvalText(result)).toContain(
      "does not take what the tool writes to it: the log takes nothing bad",
    );
    expect(result["log"]).toEqual(["a", "c"]);
    expect(result["mode"]).toBe("none");
  });

  test("set a reducer's value outright, the last of several; one that would lose a later write fails", async () => {
    const result = await run(
      `await tools.write({ name: "a", update: { log: ["a"] } });
       await tools.replace({ log: ["x"] });
       await tools.replace({ log: ["y"] });
       const refused = await tools.write({ name: "b", update: { log: ["b"] } }).catch((error) => error.message);
       [await tools.look({}), refused]`,
      "await tools.write({ name: 'c', update: { log: ['c'] } })",
    );
    expect(evalTexts(result)[0]).toMatch(/^→ \[\s+\["y"\],\s+".*"log\\".*an update would be lost/);
    expect(result["log"]).toEqual(["y", "c"]);
  });
});

describe("a call that writes as it runs, through LangGraph's own way", () => {
  test("writes at its place too, once, though it ran twice for an interrupt and the eval paused", async () => {
    const checkpointer = new MemorySaver();
    const config = { configurable: { thread_id: "t" } };
    const program = `const asked = tools.ask({});
      await tools.note({ text: "second" });
      await asked; 1`;
    type Send = (writes: [string, unknown][]) => void;
    const sender = (given: unknown) =>
      (given as { configurable: { __pregel_send: Send } }).configurable.__pregel_send;
    const ask = tool(
      async (_, given) => {
        sender(given)([
          ["log", ["first"]],
          ["mode", "first"],
        ]);
        sender(given)([["mode", "first again"]]);
        return (given as unknown as { interrupt: (question: string) => string }).interrupt("go on?");
      },
      { name: "ask", description: "Asks.", schema: z.object({}) },
    );
    const note = tool(
      async ({ text }, given) => {
        sender(given)([["log", [text]]]);
        return "noted";
      },
      { name: "note", description: "Notes.", schema: z.object({ text: z.string() }) },
    );
    const process = (...programs: string[]) =>
      createAgent({
        model: modelRunning(...programs),
        tools: [ask, note],
        checkpointer,
        middleware: [
          createMiddleware({ name: "State", stateSchema: state }),
          createCodeInterpreterMiddleware({ ptc: ["ask", "note"] }),
        ],
      });
    await process(program).invoke(question as never, config);
    const done = (await process().invoke(new Command({ resume: "yes" }), config)) as unknown as Finished;
    expect(done["log"]).toEqual(["first", "second"]);
    expect(done["mode"]).toBe("first again");
  });

  test("fails for a key that the agent does not have", async () => {
    const stray = tool(
      async (_, given) => {
        const { configurable } = given as unknown as {
          configurable: { __pregel_send: (writes: [string, unknown][]) => void };
        };
        configurable.__pregel_send([["nowhere", 1]]);
        return "done";
      },
      { name: "stray", description: "Writes to nowhere.", schema: z.object({}) },
    );
    const agent = createAgent({
      model: modelRunning("await tools.stray({})"),
      tools: [stray],
      middleware: [createCodeInterpreterMiddleware({ ptc: ["stray"] })],
    });
    expect(lastEvalText(await agent.invoke(question))).toMatch(/'stray' failed: .*"nowhere".*would be lost/);
  });

  // Without an AsyncLocalStorage that backend does not find its config, with or without code around it.
  test.runIf(hasAsyncContext)("Deep Agents' state backend without arguments writes so", async () => {
    const agent = createDeepAgent({
      model: modelRunning(
        `await Promise.all([1, 2, 3].map((n) => tools.writeFile({ file_path: "/" + n, content: "file " + n })));
         await tools.editFile({ file_path: "/2", old_string: "file", new_string: "page" });
         await tools.readFile({ file_path: "/2" })`,
      ),
      backend: new StateBackend(),
      middleware: [createCodeInterpreterMiddleware({ ptc: ["write_file", "edit_file", "read_file"] })],
    });
    const result = (await agent.invoke(question as never)) as unknown as Finished;
    expect(lastEvalText(result)).toBe("→ page 2");
    expect(Object.keys(result["files"] as object).toSorted()).toEqual(["/1", "/2", "/3"]);
  });
});

describe("a pause in between", () => {
  test("changes nothing of the order: what ended before it may have been called later", async () => {
    const checkpointer = new MemorySaver();
    const config = { configurable: { thread_id: "t" } };
    const program = `const approved = tools.approve({});
      await tools.write({ name: "b", update: { log: ["b"], mode: "b" } });
      await tools.write({ name: "c", update: { log: ["c"], sum: 2 } });
      await approved;
      await tools.write({ name: "d", update: { log: ["d"], sum: 2 } });
      await tools.look({})`;
    const process = (...programs: string[]) =>
      agentFor(programs, { interruptOn: { approve: true } }, { checkpointer });
    const paused = (await process(program).invoke(question as never, config)) as unknown as Finished;
    expect(paused["__interrupt__"]).toHaveLength(1);
    const decisions = [{ type: "approve" }];
    const done = (await process().invoke(
      new Command({ resume: { decisions } }),
      config,
    )) as unknown as Finished;
    expect(lastEvalText(done)).toBe('→ ["approved", "b", "c", "d"]');
    expect(done).toMatchObject({ log: ["approved", "b", "c", "d"], mode: "b", sum: 4 });
  });
});

describe("an eval that ends before its calls", () => {
  test("takes nothing from them any more", async () => {
    let late: () => void = () => {};
    const waits = tool(
      async () => {
        await new Promise<void>((resolve) => {
          late = resolve;
        });
        return new Command({ update: { log: ["late"] } });
      },
      { name: "waits", description: "Waits.", schema: z.object({}) },
    );
    const agent = createAgent({
      model: modelRunning("tools.waits({}); while (true) {}", "1"),
      tools: [waits],
      middleware: [
        createMiddleware({ name: "State", stateSchema: state }),
        createMiddleware({
          name: "Late",
          beforeModel: async () => {
            late();
            await new Promise((resolve) => setTimeout(resolve, 0));
            return undefined;
          },
        }),
        createCodeInterpreterMiddleware({ ptc: ["waits"], executionTimeoutMs: 20 }),
      ],
    });
    const result = (await agent.invoke(question as never)) as unknown as Finished;
    expect(evalTexts(result)[0]).toMatch(/ran longer than 20 ms/);
    expect(result["log"]).toEqual([]);
  });
});

describe("subagents side by side", () => {
  /** Writes the path it is told, the last one it was told first; `edit` changes a file it was given, `nothing` none. */
  function writer(order: readonly string[]) {
    const ended = new Map(order.map((name) => [name, deferred()]));
    return new AnsweringModel(async (messages) => {
      const [name = "", verb = "", path = ""] = lastHumanText(messages).split(" ");
      const last = messages.at(-1);
      if (HumanMessage.isInstance(last) && verb === "write")
        return toolCallMessage("write_file", { file_path: path, content: `by ${name}` });
      if (HumanMessage.isInstance(last) && verb === "edit")
        return toolCallMessage("edit_file", {
          file_path: path,
          old_string: "old",
          new_string: `new by ${name}`,
        });
      if (HumanMessage.isInstance(last) && verb === "delete")
        return toolCallMessage("delete", { file_path: path });
      const next = order[order.indexOf(name) + 1];
      if (next !== undefined) await ended.get(next)?.promise;
      setTimeout(() => ended.get(name)?.resolve(), 0);
      return `${name} done`;
    });
  }

  async function deep(program: string, order: readonly string[]) {
    const agent = createDeepAgent({
      model: modelRunning(program),
      subagents: [{ name: "writer", description: "Writes.", systemPrompt: "Write.", model: writer(order) }],
      middleware: [createCodeInterpreterMiddleware({ ptc: ["write_file", "read_file", "ls"] })],
    });
    return (await agent.invoke(question as never)) as unknown as Finished & {
      files: Record<string, { content: unknown }>;
    };
  }
  const start = (...tasks: string[]) =>
    `await Promise.all(${JSON.stringify(tasks)}.map((description) => task({ description, subagentType: "writer" })));`;

  test("write files of their own, and of one that all write the last call's stays", async () => {
    const names = Array.from({ length: 8 }, (_, n) => `w${n}`);
    const tasks = names.map((name, n) => `${name} write ${n % 2 === 0 ? "/shared" : `/${name}`}`);
    const result = await deep(
      `${start(...tasks)} (await tools.ls({ path: "/" }), await tools.readFile({ file_path: "/w3" }))`,
      names,
    );
    expect(lastEvalText(result)).toBe("→ by w3");
    expect(Object.keys(result.files).toSorted()).toEqual(["/shared", "/w1", "/w3", "/w5", "/w7"]);
    expect(JSON.stringify(result.files["/shared"]?.content)).toContain("by w6");
  });

  test("do not undo each other's changes with the files they were given", async () => {
    const result = await deep(
      `await tools.writeFile({ file_path: "/a", content: "old" });
       await tools.writeFile({ file_path: "/b", content: "old" });
       await tools.writeFile({ file_path: "/c", content: "old" });
       ${start("x edit /a", "y edit /b", "z delete /c")}
       [await tools.readFile({ file_path: "/a" }), await tools.readFile({ file_path: "/b" })]`,
      ["x", "y", "z"],
    );
    expect(lastEvalText(result)).toBe('→ ["new by x", "new by y"]');
    expect(Object.keys(result.files).toSorted()).toEqual(["/a", "/b"]);
  });
});

describe("two evals of one message", () => {
  async function both(first: string, second: string, options: CodeInterpreterOptions = {}) {
    const agent = createAgent({
      model: new AnsweringModel((messages) =>
        HumanMessage.isInstance(messages.at(-1)) ? evalMessage(first, second) : "done",
      ),
      tools: Object.values(world()),
      middleware: [
        createMiddleware({ name: "State", stateSchema: state }),
        createCodeInterpreterMiddleware({ ptc, ...options }),
      ],
    });
    return (await agent.invoke(question as never)) as unknown as Finished;
  }

  test("write in the order of their calls, and the second sees what the first wrote", async () => {
    const result = await both(
      backwards('{ log: ["a"] }', '{ log: ["b"] }', '{ log: ["c"], mode: "c" }'),
      "const seen = await tools.look({}); await tools.write({ name: 'd', update: { log: ['d'] } }); [...seen, ...await tools.look({})].join()",
    );
    expect(evalTexts(result)[1]).toBe("→ a,b,c,a,b,c,d");
    expect(result).toMatchObject({ log: ["a", "b", "c", "d"], mode: "c" });
  });

  test("that waited for a person, in another process, sees what the first wrote too", async () => {
    const checkpointer = new MemorySaver();
    const config = { configurable: { thread_id: "t" } };
    const ask = tool(async () => "approved", { name: "ask", description: "Asks.", schema: z.object({}) });
    const process = () =>
      createAgent({
        model: new AnsweringModel((messages) =>
          HumanMessage.isInstance(messages.at(-1))
            ? evalMessage(
                "await tools.write({ name: 'a', update: { log: ['a'], mode: 'a' } })",
                `await tools.ask({});
                 const refused = await tools.write({ name: 'b', update: { mode: 'b' } }).catch((error) => error.message);
                 await tools.write({ name: 'c', update: { log: ['c'] } });
                 [await tools.look({}), refused]`,
              )
            : "done",
        ),
        tools: [...Object.values(world()), ask] as never,
        checkpointer,
        middleware: [
          createMiddleware({ name: "State", stateSchema: state }),
          createCodeInterpreterMiddleware({ ptc: [...ptc, "ask"], interruptOn: { ask: true } }),
        ],
      });
    await process().invoke(question as never, config);
    const decisions = [{ type: "approve" }];
    const done = (await process().invoke(
      new Command({ resume: { decisions } }),
      config,
    )) as unknown as Finished;
    expect(lastEvalText(done)).toMatch(/\["a", "c"\],\s+".*Another eval of this message has written/);
    expect(done).toMatchObject({ log: ["a", "c"], mode: "a" });
  });

  test.each(["thread", "call"] as const)(
    "cannot both write a key of one value: the second call fails, the run does not (%s)",
    async (mode) => {
      const result = await both(
        "await tools.write({ name: 'a', update: { log: ['a'], mode: 'a' } })",
        "await tools.write({ name: 'b', after: 'a', update: { log: ['b'], mode: 'b' } })",
        { mode },
      );
      expect(evalTexts(result)[1]).toMatch(/Another eval of this message has written "mode"/);
      expect(result).toMatchObject({ log: ["a"], mode: "a" });
    },
  );
});
