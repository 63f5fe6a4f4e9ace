/** Deep agents with everything on: many subagents, runs beside each other, a stop in the middle. */
import type { BaseMessage } from "@langchain/core/messages";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { createDeepAgent, createFilesystemMiddleware, createSubAgentMiddleware } from "deepagents";
import { AIMessage, createAgent, HumanMessage, ToolMessage, todoListMiddleware, tool } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { createCodeInterpreterMiddleware } from "../../src/langchain/index.js";
import { hasAsyncContext } from "../support/async-context.js";
import {
  AnsweringModel,
  evalMessage,
  lastEvalText,
  lastHumanText,
  modelRunning,
  question,
  reviewer,
  toolCallMessage,
} from "../support/scripted-agent.js";

interface Finished {
  readonly messages: BaseMessage[];
  readonly files: Record<string, unknown>;
  readonly todos: { content: string }[];
  readonly __interrupt__?: { value: unknown }[];
}

// `interrupt()` looks for the run around it, which a tab does not have.
test.skipIf(!hasAsyncContext)(
  "of ten subagents at once one asks a person: it alone goes on, in another process, and the thread has the parent's messages only",
  async () => {
    const ran: string[] = [];
    const ask = tool(async ({ q }) => `${q}: ${String(interrupt({ q }))}`, {
      name: "ask",
      description: "Asks.",
      schema: z.object({ q: z.string() }),
    });
    const model = new AnsweringModel((messages) => {
      const assignment = lastHumanText(messages);
      const last = messages.at(-1);
      if (ToolMessage.isInstance(last)) return `heard ${last.text}`;
      ran.push(assignment);
      return assignment === "n3" ? toolCallMessage("ask", { q: "may I" }) : `did ${assignment}`;
    });
    const checkpointer = new MemorySaver();
    const program =
      "(await Promise.all(Array.from({ length: 10 }, (_, n) => task({ description: 'n' + n, subagentType: 'asker' })))).join()";
    const process = (...programs: string[]) =>
      createDeepAgent({
        model: modelRunning(...programs),
        checkpointer,
        subagents: [{ name: "asker", description: "Asks.", systemPrompt: "Ask.", model, tools: [ask] }],
        middleware: [createCodeInterpreterMiddleware()],
      });
    const config = { configurable: { thread_id: "t" } };
    const paused = (await process(program).invoke(question as never, config)) as unknown as Finished;
    expect(paused.__interrupt__?.map(({ value }) => value)).toEqual([{ q: "may I" }]);
    const done = (await process().invoke(new Command({ resume: "yes" }), config)) as unknown as Finished;
    expect(lastEvalText(done)).toBe(
      "→ did n0,did n1,did n2,heard may I: yes,did n4,did n5,did n6,did n7,did n8,did n9",
    );
    expect(ran.toSorted()).toEqual(Array.from({ length: 10 }, (_, n) => `n${n}`));
    for await (const { checkpoint } of checkpointer.list({
      configurable: { thread_id: "t", checkpoint_ns: "" },
    })) {
      const messages = (checkpoint.channel_values["messages"] ?? []) as BaseMessage[];
      expect(messages.map(({ text }) => text).filter((text) => /^(n\d|did|heard)/.test(text))).toEqual([]);
    }
  },
);

test("two runs at once, with files, todos, subagents and variables, know nothing of each other", async () => {
  const model = new AnsweringModel((messages) => {
    if (!HumanMessage.isInstance(messages.at(-1))) return "done";
    const name = lastHumanText(messages);
    return evalMessage(
      `const mine = "${name}";
       await tools.writeTodos({ todos: [{ content: mine, status: "pending" }] });
       const answers = await Promise.all([1, 2, 3].map((n) => task({ description: "write /" + mine + n, subagentType: "reviewer" })));
       await tools.editFile({ file_path: "/" + mine + "1", old_string: "by", new_string: "for" });
       [mine, answers.length, await tools.readFile({ file_path: "/" + mine + "1" }), (await tools.ls({ path: "/" })).includes("/other")]`,
    );
  });
  const agent = createDeepAgent({
    model,
    checkpointer: new MemorySaver(),
    subagents: [reviewer],
    middleware: [
      todoListMiddleware() as never,
      createCodeInterpreterMiddleware({ ptc: ["write_todos", "edit_file", "read_file", "ls"] }),
    ],
  });
  const run = async (name: string) =>
    (await agent.invoke({ messages: [new HumanMessage(name)] } as never, {
      configurable: { thread_id: name },
    })) as unknown as Finished;
  const names = ["ann", "ben"];
  for (const [index, result] of (await Promise.all(names.map(run))).entries()) {
    const name = names[index];
    expect(lastEvalText(result)).toBe(`→ ["${name}", 3, "for write /${name}1", false]`);
    expect(Object.keys(result.files).toSorted()).toEqual([`/${name}1`, `/${name}2`, `/${name}3`]);
    expect(result.todos.map(({ content }) => content)).toEqual([name]);
  }
});

test("an agent put together from the same parts, in either order, works as a deep agent does", async () => {
  const parts = () => [
    todoListMiddleware() as never,
    createFilesystemMiddleware() as never,
    createSubAgentMiddleware({
      defaultModel: reviewer.model,
      subagents: [{ ...reviewer, middleware: [createFilesystemMiddleware()] as never }],
      generalPurposeAgent: false,
    }) as never,
  ];
  const program = `await tools.writeTodos({ todos: [{ content: "one", status: "pending" }] });
    const answer = await task({ description: "write /made", subagentType: "reviewer" });
    await tools.writeFile({ file_path: "/own", content: "mine" });
    [answer, await tools.readFile({ file_path: "/made" }), await tools.readFile({ file_path: "/own" })]`;
  const ptc = ["write_todos", "write_file", "read_file"];
  for (const first of [true, false]) {
    const ours = createCodeInterpreterMiddleware({ ptc }) as never;
    const middleware = first ? [ours, ...parts()] : [...parts(), ours];
    const agent = createAgent({ model: modelRunning(program), tools: [], middleware });
    const result = (await agent.invoke(question as never)) as unknown as Finished;
    expect(lastEvalText(result)).toBe('→ ["done: write /made", "by write /made", "mine"]');
    expect(Object.keys(result.files).toSorted()).toEqual(["/made", "/own"]);
    expect(result.todos.map(({ content }) => content)).toEqual(["one"]);
  }
});

test("an abort in the middle of tools and subagents leaves a thread that goes on with the next message", async () => {
  const controller = new AbortController();
  const ended: string[] = [];
  const hang = tool(
    (_, config) =>
      new Promise<string>((_resolve, reject) => {
        (config as { signal?: AbortSignal }).signal?.addEventListener("abort", () => {
          ended.push("tool");
          reject(new Error("stopped"));
        });
      }),
    { name: "hang", description: "Hangs.", schema: z.object({}) },
  );
  const slow = new AnsweringModel((_messages, _tools, signal) => {
    queueMicrotask(() => controller.abort(new Error("stop it")));
    return new Promise((_, reject) => {
      signal?.addEventListener("abort", () => {
        ended.push("subagent");
        reject(new Error("stopped"));
      });
    });
  });
  const model = new AnsweringModel((messages) => {
    const last = messages.at(-1);
    return HumanMessage.isInstance(last) ? evalMessage(last.text) : new AIMessage("done");
  });
  const agent = createDeepAgent({
    model,
    tools: [hang],
    checkpointer: new MemorySaver(),
    subagents: [{ ...reviewer, name: "slow", model: slow }],
    middleware: [createCodeInterpreterMiddleware({ ptc: ["hang", "write_file"] })],
  });
  const say = (text: string) => ({ messages: [new HumanMessage(text)] }) as never;
  const config = { configurable: { thread_id: "t" } };
  await agent.invoke(say("const kept = 'from before'; 1"), config);
  const stopped = agent.invoke(
    say(
      "const late = 1; await Promise.all([tools.hang({}), task({ description: 'x', subagentType: 'slow' })]); globalThis.after = 1",
    ),
    { ...config, signal: controller.signal },
  );
  await expect(stopped).rejects.toThrow();
  expect(ended.toSorted()).toEqual(["subagent", "tool"]);
  const next = await agent.invoke(say("[kept, typeof after]"), config);
  expect(lastEvalText(next as unknown as Finished)).toMatch(/^→ \["from before", "undefined"\]/);
});

test("the start and the end of each subagent are on the custom stream, with its type and label", async () => {
  const agent = createDeepAgent({
    model: modelRunning(
      `await task({ description: "x", subagentType: "reviewer", label: "first" });
       await task({ description: "fail", subagent_type: "reviewer" }).catch(() => {});
       await tools.$search("anything"); 1`,
    ),
    subagents: [reviewer],
    middleware: [createCodeInterpreterMiddleware({ ptc: ["ls"] })],
  });
  const events: unknown[] = [];
  for await (const event of await agent.stream(question as never, { streamMode: "custom" })) {
    const { type, phase, name, kind, subagentType, label, ok, durationMs } = event as Record<string, unknown>;
    events.push([type, phase, name, kind, subagentType, label, ok, typeof durationMs]);
  }
  expect(events).toEqual([
    ["interpreter_call", "start", "task", "subagent", "reviewer", "first", undefined, "undefined"],
    ["interpreter_call", "end", "task", "subagent", undefined, undefined, true, "number"],
    ["interpreter_call", "start", "task", "subagent", "reviewer", "fail", undefined, "undefined"],
    ["interpreter_call", "end", "task", "subagent", undefined, undefined, false, "number"],
  ]);
});

test("helpers for many calls are in the prompt of agents whose code can call something", async () => {
  const promptOf = async (
    start: (model: ReturnType<typeof modelRunning>) => { invoke(input: never): unknown },
  ) => {
    const model = modelRunning();
    await start(model).invoke(question as never);
    return String(model.calls[0]?.messages[0]?.text);
  };
  const bare = await promptOf((model) =>
    createAgent({ model, tools: [], middleware: [createCodeInterpreterMiddleware({ ptc: ["gone"] })] }),
  );
  expect(bare).not.toContain("mapSettled");
  const deep = await promptOf((model) =>
    createDeepAgent({ model, middleware: [createCodeInterpreterMiddleware()] }),
  );
  expect(deep).toContain("mapSettled");
  const off = await promptOf((model) =>
    createDeepAgent({ model, middleware: [createCodeInterpreterMiddleware({ subagents: false })] }),
  );
  expect(off).not.toContain("mapSettled");
});
