import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { Command, MemorySaver, ReducedValue, StateSchema } from "@langchain/langgraph";
import { createDeepAgent } from "deepagents";
import { createAgent, createMiddleware, fakeModel, todoListMiddleware, tool } from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type CodeInterpreterOptions, createCodeInterpreterMiddleware } from "../../src/langchain/index.js";
import {
  evalMessage,
  evalMessages,
  evalTexts,
  lastEvalText,
  modelRunning,
  question,
} from "../support/scripted-agent.js";

const nothing = z.object({});
type Files = Record<string, { content: unknown }>;
interface Finished {
  readonly messages: BaseMessage[];
  readonly files: Files;
  readonly todos: { content: string; status: string }[];
  readonly [key: string]: unknown;
}

const fileTools = ["ls", "read_file", "write_file", "edit_file", "glob", "grep"];

async function deep(programs: readonly string[], options: CodeInterpreterOptions = {}, more: object = {}) {
  const agent = createDeepAgent({
    model: modelRunning(...programs),
    middleware: [
      todoListMiddleware() as never,
      createCodeInterpreterMiddleware({ ptc: [...fileTools, "write_todos"], ...options }),
    ],
    ...more,
  });
  return agent.invoke(question as never) as unknown as Promise<Finished>;
}

describe("files of a deep agent", () => {
  test("that code writes are in the agent's state, and code reads them back at once", async () => {
    const result = await deep([
      `await tools.writeFile({ file_path: "/a.md", content: "one\\ntwo" });
       await tools.editFile({ file_path: "/a.md", old_string: "two", new_string: "three" });
       await tools.readFile({ file_path: "/a.md" })`,
      "await tools.readFile({ file_path: '/a.md' })",
    ]);
    expect(evalTexts(result)).toEqual(["→ one\nthree", "→ one\nthree"]);
    expect(Object.keys(result.files)).toEqual(["/a.md"]);
    expect(JSON.stringify(result.files["/a.md"]?.content)).toContain("three");
  });

  test("that code writes in parallel all arrive, and are listed and searched", async () => {
    const result = await deep([
      `await Promise.all(Array.from({ length: 12 }, (_, n) => tools.writeFile({ file_path: "/notes/" + n + ".md", content: "needle " + n })));
       const found = await tools.grep({ pattern: "needle 7" });
       [(await tools.ls({ path: "/notes" })).split ? "text" : "value", JSON.stringify(found).includes("/notes/7.md")].join()`,
    ]);
    expect(Object.keys(result.files)).toHaveLength(12);
    expect(lastEvalText(result)).toMatch(/,true$/);
  });

  test("come whole, however long, with their last newline", async () => {
    const result = await deep([
      `const text = Array.from({ length: 5000 }, (_, n) => "line " + n).join("\\n") + "\\n";
       await tools.writeFile({ file_path: "/long.txt", content: text });
       (await tools.readFile({ file_path: "/long.txt" })) === text`,
      "(await tools.readFile({ file_path: '/long.txt', offset: 10, limit: 2 }))",
    ]);
    expect(evalTexts(result)).toEqual(["→ true", "→ line 10\nline 11"]);
  });

  test("that are missing reject", async () => {
    const result = await deep([
      "await tools.readFile({ file_path: '/none' }).catch((error) => error.message)",
    ]);
    expect(lastEvalText(result)).toMatch(/^→ Tool 'read_file' failed: File '\/none' not found/);
  });

  test("are there for the model's own tools afterwards, and stay on the thread", async () => {
    const checkpointer = new MemorySaver();
    const config = { configurable: { thread_id: "t" } };
    const start = (program: string) =>
      createDeepAgent({
        model: modelRunning(program),
        checkpointer,
        middleware: [createCodeInterpreterMiddleware({ ptc: fileTools })],
      });
    await start("await tools.writeFile({ file_path: '/a', content: 'kept' })").invoke(
      question as never,
      config,
    );
    const next = await start("await tools.readFile({ file_path: '/a' })").invoke(question as never, config);
    expect(lastEvalText(next as unknown as Finished)).toBe("→ kept");
  });
});

describe("other state", () => {
  const log = new StateSchema({
    log: new ReducedValue(z.array(z.string()).default([]), {
      inputSchema: z.array(z.string()).optional(),
      reducer: (now: string[], more: string[] | undefined) => [...now, ...(more ?? [])],
    }),
    mode: z.string().default("none"),
  });
  const withLog = createMiddleware({ name: "Log", stateSchema: log });
  const write = tool(
    async ({ text, wait }, config) => {
      if (wait) await new Promise((resolve) => setTimeout(resolve, wait));
      const { state } = config as unknown as { state: { log: string[] } };
      const content = `${text} after ${state.log.length}`;
      return new Command({
        update: { log: [text], mode: text, messages: [new ToolMessage({ content, tool_call_id: "x" })] },
      });
    },
    {
      name: "write_log",
      description: "Writes.",
      schema: z.object({ text: z.string(), wait: z.number().default(0) }),
    },
  );
  const lost = tool(async () => new Command({ update: { nowhere: 1 } }), {
    name: "lost",
    description: "Writes to a key that is not there.",
    schema: nothing,
  });
  const run = async (...programs: string[]) => {
    const agent = createAgent({
      model: modelRunning(...programs),
      tools: [write, lost],
      middleware: [withLog, createCodeInterpreterMiddleware({ ptc: ["write_log", "lost"] })],
    });
    return agent.invoke(question as never) as unknown as Promise<Finished>;
  };

  test("goes through its reducers, one write after the other, and code sees what it wrote", async () => {
    const result = await run(
      "const all = []; for (const text of ['a', 'b', 'c']) all.push(await tools.writeLog({ text })); all.join('; ')",
      "await tools.writeLog({ text: 'd' })",
    );
    expect(evalTexts(result)).toEqual(["→ a after 0; b after 1; c after 2", "→ d after 3"]);
    expect(result["log"]).toEqual(["a", "b", "c", "d"]);
    expect(result["mode"]).toBe("d");
  });

  test("of calls side by side arrives whole; a key of one value has that of the later call", async () => {
    const result = await run(
      "await Promise.all([tools.writeLog({ text: 'slow', wait: 5 }), tools.writeLog({ text: 'fast' })]); 1",
    );
    expect(result["log"]).toEqual(["slow", "fast"]);
    expect(result["mode"]).toBe("fast");
  });

  test("survives an eval that fails afterwards: what was done is done", async () => {
    const result = await run("await tools.writeLog({ text: 'a' }); throw new Error('later')");
    expect(lastEvalText(result)).toMatch(/^Error: later/);
    expect(result["log"]).toEqual(["a"]);
  });

  test("that the agent does not have fails the call, and nothing is lost behind a success", async () => {
    const result = await run("await tools.lost({})");
    expect(lastEvalText(result)).toMatch(/^Error: Tool 'lost' failed: .*"nowhere".*lost/);
    expect(evalMessages(result)[0]?.status).toBe("error");
  });

  test("todos that code writes are the agent's", async () => {
    const todos = "[{ content: 'read', status: 'in_progress' }, { content: 'write', status: 'pending' }]";
    const program = `await tools.writeTodos({ todos: ${todos} }); await tools.writeTodos({ todos: ${todos}.slice(1) })`;
    const agent = createAgent({
      model: modelRunning(program),
      tools: [],
      middleware: [todoListMiddleware() as never, createCodeInterpreterMiddleware({ ptc: ["write_todos"] })],
    });
    const result = (await agent.invoke(question as never)) as unknown as Finished;
    expect(result.todos).toEqual([{ content: "write", status: "pending" }]);
    expect((await deep([program])).todos).toEqual([{ content: "write", status: "pending" }]);
  });

  test("two evals of one message both add to it", async () => {
    const agent = createAgent({
      model: fakeModel()
        .respond(
          evalMessage("await tools.writeLog({ text: 'a', wait: 5 })", "await tools.writeLog({ text: 'b' })"),
        )
        .respond(new AIMessage("done")),
      tools: [write, lost],
      middleware: [
        createMiddleware({
          name: "Log",
          stateSchema: new StateSchema({
            log: log.fields["log"] as never,
            mode: new ReducedValue(z.string().default(""), { reducer: (_: string, next: string) => next }),
          }),
        }),
        createCodeInterpreterMiddleware({ ptc: ["write_log"] }),
      ],
    });
    const result = (await agent.invoke(question as never)) as unknown as Finished;
    expect((result["log"] as string[]).toSorted()).toEqual(["a", "b"]);
  });
});

describe("images and files", () => {
  const picture = { type: "image", data: "aGk=", mimeType: "image/png" };
  const draw = tool(async () => [{ type: "text", text: "a circle" }, picture], {
    name: "draw",
    description: "Draws.",
    schema: nothing,
  });
  const run = async (program: string) => {
    const agent = createAgent({
      model: modelRunning(program),
      tools: [draw],
      middleware: [createCodeInterpreterMiddleware({ ptc: ["draw"] })],
    });
    return evalMessages(await agent.invoke(question))[0]!;
  };

  test("that code returns are content of the eval's message", async () => {
    const whole = await run("console.log('see'); await tools.draw({})");
    expect(whole.content).toEqual([{ type: "text", text: "see\n→ a circle" }, picture]);
    const one = await run("(await tools.draw({}))[1]");
    expect(one.content).toEqual([{ type: "text", text: expect.any(String) }, picture]);
  });

  test("that code keeps to itself are not", async () => {
    expect((await run("const blocks = await tools.draw({}); blocks.length")).content).toBe("→ 2");
  });
});
