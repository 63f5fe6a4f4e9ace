import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";
import { getCurrentTaskInput, InMemoryStore, MemorySaver } from "@langchain/langgraph";
import { createDeepAgent } from "deepagents";
import {
  createAgent,
  createMiddleware,
  fakeModel,
  tool,
  toolCallLimitMiddleware,
  toolRetryMiddleware,
} from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type CodeInterpreterOptions, createCodeInterpreterMiddleware } from "../../src/langchain/index.js";
import {
  AnsweringModel,
  evalMessage,
  evalTexts,
  lastEvalText,
  modelRunning,
  question,
  reviewer,
} from "../support/scripted-agent.js";

const nothing = z.object({});

/** Runs of a trace: who ran, under whom. */
class Trace extends BaseCallbackHandler {
  readonly name = "trace";
  override readonly awaitHandlers = true;
  readonly runs: { name: string; id: string; parent: string | undefined; toolCallId: string | undefined }[] =
    [];

  override handleToolStart(
    _tool: unknown,
    _input: string,
    id: string,
    parent?: string,
    _tags?: string[],
    _metadata?: Record<string, unknown>,
    name?: string,
    toolCallId?: string,
  ): void {
    this.runs.push({ name: name ?? "", id, parent, toolCallId });
  }

  override handleChainStart(
    _chain: unknown,
    _inputs: unknown,
    id: string,
    parent?: string,
    _tags?: string[],
    _metadata?: Record<string, unknown>,
    _type?: string,
    name?: string,
  ): void {
    this.runs.push({ name: name ?? "", id, parent, toolCallId: undefined });
  }

  /** Names from the run up to the root. */
  pathOf(name: string): string[] {
    const path: string[] = [];
    let run = this.runs.find((one) => one.name === name);
    while (run) {
      path.push(run.name);
      const { parent } = run;
      run = this.runs.find(({ id }) => id === parent);
    }
    return path;
  }
}

describe("a tool called from code gets the config of the step", () => {
  test("thread, configurable, context, store, state, signal and a tool-call id of its own", async () => {
    const seen: Record<string, unknown>[] = [];
    const look = tool(
      async (_input, config) => {
        const { configurable, context, store, state, signal, toolCallId, toolCall } =
          config as unknown as Record<string, unknown>;
        const { thread_id, tenant } = configurable as { thread_id: string; tenant: string };
        const messages = (state as { messages: unknown[] }).messages.length;
        const input = (getCurrentTaskInput(config as never) as { messages: unknown[] }).messages.length;
        seen.push({ thread_id, tenant, context, store, messages, input, signal, toolCallId, toolCall });
        return "ok";
      },
      { name: "look", description: "Looks.", schema: nothing },
    );
    const store = new InMemoryStore();
    const agent = createAgent({
      model: modelRunning("await tools.look({}); await tools.look({})"),
      tools: [look],
      contextSchema: z.object({ user: z.string() }),
      store,
      checkpointer: new MemorySaver(),
      middleware: [createCodeInterpreterMiddleware({ ptc: ["look"] })],
    });
    const config = { configurable: { thread_id: "t1", tenant: "acme" }, context: { user: "ann" } };
    const result = await agent.invoke(question, config);
    expect(lastEvalText(result)).toBe("→ ok");
    expect(seen).toHaveLength(2);
    expect(seen[0]).toMatchObject({ thread_id: "t1", tenant: "acme", context: { user: "ann" } });
    // The question and the message that asked for the eval.
    expect(seen[0]).toMatchObject({ messages: 2, input: 2, signal: expect.any(AbortSignal) });
    const { put } = seen[0]!["store"] as { put: unknown };
    expect(put).toBeTypeOf("function");
    const [first, second] = seen.map(({ toolCallId }) => String(toolCallId));
    expect(first).not.toBe(second);
    expect(seen[0]!["toolCall"]).toMatchObject({ id: first, name: "look" });
    const evalCallId = result.messages.find((message) => ToolMessage.isInstance(message))?.tool_call_id;
    expect(first).not.toBe(evalCallId);
    expect(first).toContain(evalCallId);
  });

  test("its stream writer reaches the run's custom stream, beside the events of the eval", async () => {
    const talk = tool(
      async (_input, config) => {
        (config as { writer?: (chunk: unknown) => void }).writer?.({ said: "hello" });
        return "secret payload";
      },
      { name: "talk_now", description: "Talks.", schema: nothing },
    );
    const fail = tool(() => Promise.reject(new Error("no")), {
      name: "fail",
      description: "Fails.",
      schema: nothing,
    });
    const agent = createAgent({
      model: modelRunning(
        "console.log('line'); await tools.talkNow({}); await tools.fail({}).catch(() => 0); 1",
      ),
      tools: [talk, fail],
      middleware: [createCodeInterpreterMiddleware({ ptc: ["talk_now", "fail"] })],
    });
    const chunks: Record<string, unknown>[] = [];
    for await (const chunk of await agent.stream(question, { streamMode: "custom" }))
      chunks.push(chunk as Record<string, unknown>);
    expect(chunks).toContainEqual({ said: "hello" });
    const ours = chunks.filter(({ type }) => String(type).startsWith("interpreter_"));
    expect(ours.map(({ type, phase, name, ok, text }) => [type, phase, name, ok, text])).toEqual([
      ["interpreter_console", undefined, undefined, undefined, "line"],
      ["interpreter_call", "start", "talkNow", undefined, undefined],
      ["interpreter_call", "end", "talkNow", true, undefined],
      ["interpreter_call", "start", "fail", undefined, undefined],
      ["interpreter_call", "end", "fail", false, undefined],
    ]);
    expect(JSON.stringify(ours)).not.toContain("secret payload");
    const [start, end] = ours.filter(({ name }) => name === "talkNow");
    expect(end).toMatchObject({
      id: start!["id"],
      durationMs: expect.any(Number),
      resultChars: expect.any(Number),
    });
    expect(start!["id"]).not.toBe(start!["evalId"]);
  });

  test("its run stands under the eval's run in a trace, a subagent's under the task's", async () => {
    const trace = new Trace();
    const look = tool(async () => "ok", { name: "look", description: "Looks.", schema: nothing });
    const agent = createDeepAgent({
      model: modelRunning(
        "await tools.look({}) + await task({ description: 'x', subagentType: 'reviewer' })",
      ),
      tools: [look],
      subagents: [reviewer],
      middleware: [createCodeInterpreterMiddleware({ ptc: ["look"] })],
    });
    const result = await agent.invoke(question, { callbacks: [trace] });
    expect(lastEvalText(result)).toBe("→ okdone: x");
    expect(trace.pathOf("look").slice(0, 3)).toEqual(["look", "eval", "tools"]);
    expect(trace.pathOf("task").slice(0, 3)).toEqual(["task", "eval", "tools"]);
    const child = trace.runs.find(({ name, parent }) => {
      const above = trace.runs.find(({ id }) => id === parent);
      return name !== "task" && above?.name === "task";
    });
    expect(child?.name).toBe("reviewer");
  });

  test("no `agent` is needed for a tool that needs none: the eval tool works by itself", async () => {
    const look = tool(async () => ({ n: 1 }), { name: "look", description: "Looks.", schema: nothing });
    const [evalTool] = createCodeInterpreterMiddleware({ ptc: [look] }).tools as unknown as {
      invoke(input: object): Promise<unknown>;
    }[];
    expect(await evalTool!.invoke({ code: "(await tools.look({})).n" })).toBe("→ 1");
  });
});

/** Fails the first time for each input. */
function flaky() {
  const seen = new Set<string>();
  return tool(
    async ({ key }) => {
      if (seen.has(key)) return `got ${key}`;
      seen.add(key);
      throw new Error("try again");
    },
    { name: "flaky", description: "Flaky.", schema: z.object({ key: z.string() }) },
  );
}

describe("other middleware", () => {
  const run = async (
    program: string,
    after: unknown[],
    options: CodeInterpreterOptions = {},
    before: unknown[] = [],
  ) => {
    const agent = createAgent({
      model: modelRunning(program),
      tools: [flaky()],
      middleware: [
        ...before,
        createCodeInterpreterMiddleware({ ptc: ["flaky"], ...options }),
        ...after,
      ] as never,
    });
    return lastEvalText(await agent.invoke(question as never));
  };

  test("after ours retries calls from code", async () => {
    const retry = toolRetryMiddleware({ maxRetries: 2, initialDelayMs: 0, jitter: false });
    expect(await run("await tools.flaky({ key: 'a' })", [retry])).toBe("→ got a");
  });

  test("that counts the model's own calls lets calls from code pass: `maxPtcCalls` counts those", async () => {
    const limit = toolCallLimitMiddleware({ toolName: "flaky", runLimit: 1 } as never);
    const program =
      "(await Promise.allSettled(['a', 'a', 'a'].map((key) => tools.flaky({ key })))).map((one) => one.reason?.message ?? one.value).join()";
    expect(await run(program, [limit], { maxPtcCalls: 2 })).toMatch(/^→ .*try again,got a,PTC call budget/);
  });

  test("after ours sees name, arguments, id and state of each call, and may answer in its place", async () => {
    const seen: unknown[] = [];
    const log = createMiddleware({
      name: "Log",
      wrapToolCall: async (request, handler) => {
        const { toolCall, tool: called, state } = request;
        seen.push([toolCall.name, toolCall.args, called?.name, state.messages.length > 0]);
        if (toolCall.name !== "flaky") return handler(request);
        return new ToolMessage({ content: "instead", tool_call_id: toolCall.id ?? "" });
      },
    });
    expect(await run("await tools.flaky({ key: 'a' })", [log])).toBe("→ instead");
    expect(seen).toEqual([
      ["eval", { code: "await tools.flaky({ key: 'a' })" }, "eval", true],
      ["flaky", { key: "a" }, "flaky", true],
    ]);
  });

  test("after ours turns errors into answers, or fails the call catchably", async () => {
    const calm = createMiddleware({
      name: "Calm",
      wrapToolCall: async (request, handler) => {
        try {
          return await handler(request);
        } catch {
          return new ToolMessage({
            content: "it failed",
            status: "error",
            tool_call_id: request.toolCall.id ?? "",
          });
        }
      },
    });
    const caught = "let m; try { await tools.flaky({ key: 'a' }) } catch (e) { m = e.message }\nm";
    expect(await run(caught, [calm])).toBe("→ Tool 'flaky' failed: it failed");
    const strict = createMiddleware({
      name: "Strict",
      wrapToolCall: (request, handler) => {
        if (request.toolCall.name === "flaky") throw new Error("not allowed");
        return handler(request);
      },
    });
    expect(await run(caught, [strict])).toBe("→ Tool 'flaky' failed: not allowed");
  });

  test("before ours sees the eval alone; the option `wrapToolCall` sees every call", async () => {
    const before: string[] = [];
    const outer = createMiddleware({
      name: "Outer",
      wrapToolCall: (request, handler) => {
        before.push(request.toolCall.name);
        return handler(request);
      },
    });
    const own: unknown[] = [];
    const text = await run(
      "await tools.flaky({ key: 'a' })",
      [],
      {
        wrapToolCall: async (request, handler) => {
          own.push([request.toolCall.name, request.toolCall.args, request.state.messages.length]);
          await Promise.resolve(handler(request)).catch(() => {});
          return handler(request);
        },
      },
      [outer],
    );
    expect(text).toBe("→ got a");
    expect(before).toEqual(["eval"]);
    expect(own).toEqual([["flaky", { key: "a" }, 2]]);
  });

  test("the option must be a function", () => {
    expect(() => createCodeInterpreterMiddleware({ wrapToolCall: 1 as never })).toThrow(
      /`wrapToolCall` must be a function/,
    );
  });
});

describe("which tools there are", () => {
  const named = (name: string, give: string) =>
    tool(async () => give, { name, description: name, schema: nothing });

  test("two agents on one middleware, at once, with different tools of one name: each calls its own", async () => {
    const shared = createCodeInterpreterMiddleware({ ptc: ["who", "extra"] });
    const program = "await tools.who({}) + Object.keys(tools).length";
    const start = (give: string, more: ReturnType<typeof named>[]) =>
      createAgent({
        model: modelRunning(program),
        tools: [named("who", give), ...more],
        middleware: [shared],
      });
    const [a, b] = await Promise.all([
      start("tenant A", []).invoke(question),
      start("tenant B", [named("extra", "x")]).invoke(question),
    ]);
    expect([lastEvalText(a), lastEvalText(b)]).toEqual(["→ tenant A1", "→ tenant B2"]);
  });

  test("one agent, two runs at once without a thread: neither sees the other's variables", async () => {
    const program = "globalThis.seen = (globalThis.seen ?? '') + await tools.who({}); seen";
    const model = new AnsweringModel((messages) =>
      ToolMessage.isInstance(messages.at(-1)) ? "done" : evalMessage(program),
    );
    const agent = createAgent({
      model,
      tools: [named("who", "me")],
      middleware: [createCodeInterpreterMiddleware({ ptc: ["who"] })],
    });
    const runs = await Promise.all([1, 2, 3].map(() => agent.invoke(question)));
    expect(runs.map(lastEvalText)).toEqual(["→ me", "→ me", "→ me"]);
  });

  test("a tool that middleware takes away between two model calls is gone, one it adds is there", async () => {
    let requests = 0;
    const choose = createMiddleware({
      name: "Choose",
      wrapModelCall: (request, handler) => {
        const first = requests++ === 0;
        const tools = request.tools.filter(({ name }) => name !== (first ? "late" : "early"));
        return handler({ ...request, tools });
      },
    });
    const list = "Object.keys(tools).join() + typeof tools.early";
    const agent = createAgent({
      model: modelRunning(`var kept = tools.early; ${list}`, list, "await tools.early({})", "await kept({})"),
      tools: [named("early", "e"), named("late", "l")],
      middleware: [choose, createCodeInterpreterMiddleware({ ptc: ["early", "late"] })],
    });
    const [first, second, third, fourth] = evalTexts(await agent.invoke(question));
    expect(first).toBe("→ earlyfunction");
    expect(second).toMatch(/^→ lateundefined/);
    expect(third).toMatch(/^TypeError: There is no tool "early"\. There are: late\./);
    expect(fourth).toMatch(/^TypeError: There is no tool named early any more\./);
  });

  test("after a resume in another process, before any model call, code may call what it might before", async () => {
    const checkpointer = new MemorySaver();
    const message = evalMessage("const who = await tools.who({}); who.name + Object.keys(tools).join()");
    const start = () =>
      createAgent({
        model: fakeModel().respond(message).respond(new AIMessage("done")),
        tools: [
          tool(async () => ({ name: "ann" }), { name: "who", description: "Who.", schema: nothing }),
          named("other", "o"),
        ],
        middleware: [createCodeInterpreterMiddleware({ ptc: ["who"] })],
        checkpointer,
      });
    const config = { configurable: { thread_id: "t" } };
    await start().invoke(question, { ...config, interruptBefore: ["tools"] } as never);
    expect(lastEvalText(await start().invoke(null as never, config))).toBe("→ annwho");
  });

  test("original names work with brackets, and the list has the names after the dot", async () => {
    const agent = createAgent({
      model: modelRunning("await tools['get_it']({}) + Object.keys(tools).join() + ('get_it' in tools)"),
      tools: [named("get_it", "got ")],
      middleware: [createCodeInterpreterMiddleware({ ptc: ["get_it"] })],
    });
    expect(lastEvalText(await agent.invoke(question))).toBe("→ got getIttrue");
  });
});

describe("limits", () => {
  const save = () => {
    const saved: number[] = [];
    const one = tool(
      async ({ i }) => {
        saved.push(i);
        return i;
      },
      { name: "save", description: "Saves.", schema: z.object({ i: z.number() }) },
    );
    return { saved, one };
  };
  const agentWith = (one: StructuredToolInterface, options: CodeInterpreterOptions, ...programs: string[]) =>
    createAgent({
      model: modelRunning(...programs),
      tools: [one],
      middleware: [createCodeInterpreterMiddleware({ ptc: ["save"], ...options })],
    });

  test("300 calls against the default budget of 256: 256 run, the others say so; the next eval has its own", async () => {
    const { saved, one } = save();
    const program =
      "const all = await Promise.allSettled(Array.from({ length: 300 }, (_, i) => tools.save({ i }))); const failed = all.filter((one) => one.status === 'rejected'); failed.length + ' ' + failed[0].reason.message";
    const agent = agentWith(one, {}, program, "await tools.save({ i: 1 })");
    const [first, second] = evalTexts(await agent.invoke(question));
    expect(first).toBe(
      "→ 44 PTC call budget exceeded (limit=256, attempted=257, function=save). 256 calls ran.",
    );
    expect(saved).toHaveLength(257);
    expect(second).toBe("→ 1");
  });

  test("`null` lifts the budget; a call that fails its schema counts", async () => {
    const { one } = save();
    const many = "(await Promise.all(Array.from({ length: 300 }, (_, i) => tools.save({ i })))).length";
    expect(lastEvalText(await agentWith(one, { maxPtcCalls: null }, many).invoke(question))).toBe("→ 300");
    const bad = "await tools.save({}).catch(() => 0); await tools.save({ i: 1 })";
    expect(lastEvalText(await agentWith(one, { maxPtcCalls: 1 }, bad).invoke(question))).toMatch(
      /budget exceeded/,
    );
  });

  test("looking tools up costs nothing of either limit", async () => {
    const { one } = save();
    const program = `const found = await Promise.all([1, 2, 3].map(() => tools.$search("save")));
      const [described] = await Promise.all([tools.$describe("save"), tools.$describe("save")]);
      [found.length, described.includes("save("), await tools.save({ i: 1 }), await tools.save({ i: 2 }).catch((error) => error.message)]`;
    const limits = { maxPtcCalls: 1, maxConcurrentCalls: 1 };
    expect(lastEvalText(await agentWith(one, limits, program).invoke(question))).toBe(
      '→ [3, true, 1, "PTC call budget exceeded (limit=1, attempted=2, function=save). 1 call ran."]',
    );
  });

  test("`maxConcurrentCalls` queues, and a call made by what waited for one does not starve", async () => {
    let active = 0;
    let most = 0;
    const one = tool(
      async ({ i }) => {
        most = Math.max(most, ++active);
        await new Promise((resolve) => setTimeout(resolve, 0));
        active--;
        return i;
      },
      { name: "save", description: "Saves.", schema: z.object({ i: z.number() }) },
    );
    const program =
      "(await Promise.all(Array.from({ length: 20 }, async (_, i) => (await tools.save({ i })) + (await tools.save({ i }))))).length";
    const agent = agentWith(one, { maxConcurrentCalls: 3 }, program);
    expect(lastEvalText(await agent.invoke(question))).toBe("→ 20");
    expect(most).toBe(3);
  });

  test("`maxConcurrentCalls` is about tools: subagents have a limit of their own, and neither waits for the other", async () => {
    const open: (() => void)[] = [];
    const meet = tool(
      () =>
        new Promise<string>((resolve) => {
          open.push(() => resolve("met"));
        }),
      { name: "save", description: "Saves.", schema: nothing },
    );
    const model = new AnsweringModel((_messages) => {
      // Both subagents run while the one tool that may run waits.
      if (open.push(() => {}) === 3) for (const end of open) end();
      return "here";
    });
    const agent = createDeepAgent({
      model: modelRunning(
        "(await Promise.all([tools.save({}), ...[1, 2].map(() => task({ description: 'x', subagentType: 'guest' }))])).join()",
      ),
      tools: [meet],
      subagents: [{ name: "guest", description: "Comes.", systemPrompt: "Come.", model }],
      middleware: [createCodeInterpreterMiddleware({ ptc: ["save"], maxConcurrentCalls: 1 })],
    });
    const result = (await agent.invoke(question as never)) as never;
    expect(lastEvalText(result)).toBe("→ met,here,here");
  });

  test("an abort reaches the tool, and nothing more of the code runs", async () => {
    const controller = new AbortController();
    const calls: string[] = [];
    let signalled = false;
    const hang = tool(
      async ({ step }, config) => {
        calls.push(step);
        if (step !== "wait") return step;
        const { signal } = config as { signal?: AbortSignal };
        await new Promise((_, reject) => {
          signal?.addEventListener("abort", () => {
            signalled = true;
            reject(new Error("aborted"));
          });
          controller.abort();
        });
        return step;
      },
      { name: "hang", description: "Hangs.", schema: z.object({ step: z.string() }) },
    );
    const agent = createAgent({
      model: modelRunning(
        "try { await tools.hang({ step: 'wait' }) } catch {}\nawait tools.hang({ step: 'after' })",
      ),
      tools: [hang],
      middleware: [createCodeInterpreterMiddleware({ ptc: ["hang"] })],
    });
    await expect(agent.invoke(question, { signal: controller.signal })).rejects.toThrow(/abort/i);
    expect(signalled).toBe(true);
    expect(calls).toEqual(["wait"]);
  });

  test("an eval that ends before its calls do ends them, subagents too", async () => {
    let signalled: AbortSignal | undefined;
    const slow = tool(
      (_input, config) => {
        signalled = (config as { signal?: AbortSignal }).signal;
        return new Promise<string>(() => {});
      },
      { name: "save", description: "Saves.", schema: z.object({ i: z.number() }) },
    );
    const agent = agentWith(slow, { waitTimeoutMs: 20 }, "await tools.save({ i: 1 })");
    expect(lastEvalText(await agent.invoke(question))).toMatch(/^Wait timeout/);
    expect(signalled?.aborted).toBe(true);
  });
});

describe("what code may see of a failure", () => {
  const connect = () =>
    tool(
      () =>
        Promise.reject(Object.assign(new Error("connect postgres://user:pw@host failed"), { code: "E1" })),
      {
        name: "connect",
        description: "Connects.",
        schema: nothing,
      },
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
