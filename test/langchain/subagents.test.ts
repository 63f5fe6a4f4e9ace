import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { RunnableLambda } from "@langchain/core/runnables";
import { Command, ReducedValue, StateSchema } from "@langchain/langgraph";
import { createDeepAgent, createSubAgentMiddleware } from "deepagents";
import { createAgent, createMiddleware, tool } from "langchain";
import { describe, expect, it, test } from "vitest";
import { z } from "zod";
import { createCodeInterpreterMiddleware } from "../../src/langchain/index.js";
import {
  AnsweringModel,
  evalTexts,
  lastEvalText,
  lastHumanText,
  modelRunning,
  question,
  reviewer,
  toolCallMessage,
} from "../support/scripted-agent.js";

const compiled = {
  name: "ready",
  description: "Was built as a ready graph.",
  runnable: RunnableLambda.from(async (state: { messages: { text: string }[] }) => ({
    messages: [new AIMessage(`ready: ${state.messages.at(-1)?.text}`)],
  })),
};

async function run(programs: readonly string[], options: object = {}, more: object = {}) {
  const agent = createDeepAgent({
    model: modelRunning(...programs),
    subagents: [reviewer, compiled],
    middleware: [createCodeInterpreterMiddleware({ ptc: ["read_file"], ...options })],
    ...more,
  });
  return agent.invoke(question as never) as unknown as Promise<{ messages: BaseMessage[]; files: object }>;
}
const runOne = async (program: string, options: object = {}) => lastEvalText(await run([program], options));

const schema = `{ type: "object", properties: { questions: { type: "array", items: { type: "string" } } }, required: ["questions"] }`;

describe("task()", () => {
  it.each<[title: string, program: string, shown: string | RegExp]>([
    [
      "gives the final answer as text",
      "await task({ description: 'x', subagentType: 'reviewer' })",
      "→ done: x",
    ],
    [
      "takes a label",
      "await task({ description: 'x', subagentType: 'reviewer', label: 'first' })",
      "→ done: x",
    ],
    [
      "takes the names of the task tool",
      "await task({ description: 'x', subagent_type: 'reviewer' })",
      "→ done: x",
    ],
    [
      "gives an object where a schema asks for one",
      `(await task({ description: 'x', subagentType: 'reviewer', responseSchema: ${schema} })).questions[0]`,
      "→ why?",
    ],
    [
      "takes the other name of the schema",
      `(await task({ description: 'x', subagent_type: 'reviewer', response_schema: ${schema} })).questions.length`,
      "→ 1",
    ],
    ["runs a ready graph", "await task({ description: 'x', subagentType: 'ready' })", "→ ready: x"],
    [
      "says that a ready graph takes no schema",
      `await task({ description: 'x', subagentType: 'ready', responseSchema: ${schema} })`,
      /compiled subagent "ready"/,
    ],
    [
      "refuses a schema whose root is no object, before anything runs",
      "await task({ description: 'x', subagentType: 'reviewer', responseSchema: { type: 'array' } })",
      /^TypeError: task: responseSchema must have an object at its root/,
    ],
    [
      "names the types when it gets an unknown one",
      "let m; try { await task({ description: 'x', subagentType: 'nope' }) } catch (e) { m = e.message }\nm",
      /there is no subagent "nope"\. Available: general-purpose, ready, reviewer/,
    ],
    [
      "explains the positional form",
      "await task('do x', 'reviewer')",
      /^TypeError: .*task takes one argument/,
    ],
    [
      "names a key it does not know",
      "await task({ description: 'x', subagentType: 'reviewer', model: 1 })",
      /unknown keys: model/,
    ],
    ["wants an object", "await task()", /^TypeError: task: expected an object argument/],
    [
      "fails catchably when the subagent fails, and the others go on",
      "(await Promise.allSettled(['fail', 'x'].map((description) => task({ description, subagentType: 'reviewer' })))).map((one) => one.value ?? one.reason.message).join('; ')",
      /^→ .*the reviewer gave up; done: x$/,
    ],
    ["cannot be replaced", "task = () => 'mine'; 1", /'task'/],
    [
      "is not one of the tools",
      "await tools.task({ description: 'x' })",
      /^TypeError: Subagents are started with `task\(\)`, not with `tools\.task\(\)`\.\n/,
    ],
  ])("%s", async (_title, program, shown) => {
    const text = await runOne(program);
    if (typeof shown === "string") expect(text).toBe(shown);
    else expect(text).toMatch(shown);
  });

  test("files that subagents write are there for the code and in the parent's state, in parallel too", async () => {
    const result = await run([
      `await Promise.all(['/a.md', '/b.md'].map((path) => task({ description: 'write ' + path, subagentType: 'reviewer' })));
       await tools.readFile({ file_path: '/a.md' }) + ' & ' + await tools.readFile({ file_path: '/b.md' })`,
    ]);
    expect(evalTexts(result)).toEqual(["→ by write /a.md & by write /b.md"]);
    expect(Object.keys(result.files).sort()).toEqual(["/a.md", "/b.md"]);
  });

  test("at most 32 run at once and the others wait", async () => {
    let active = 0;
    let most = 0;
    const release: (() => void)[] = [];
    const model = new AnsweringModel(async (messages) => {
      most = Math.max(most, ++active);
      await new Promise<void>((resolve) => {
        release.push(resolve);
        // All that may run have come: let them end.
        if (active === 32 || release.length === 40) for (const end of release) end();
      });
      active--;
      if (active === 0) for (const end of release) end();
      return lastHumanText(messages);
    });
    const result = await run(
      [
        "(await Promise.all(Array.from({ length: 40 }, (_, n) => task({ description: String(n), subagentType: 'slow' })))).length",
      ],
      {},
      { subagents: [{ ...reviewer, name: "slow", model }] },
    );
    expect(lastEvalText(result)).toBe("→ 40");
    expect(most).toBe(32);
  });

  test("has a budget of its own", async () => {
    const program =
      "(await Promise.allSettled([1, 2, 3].map(() => task({ description: 'x', subagentType: 'reviewer' })))).map((one) => one.reason?.message ?? 'ok').join()";
    expect(await runOne(program, { maxSubagentCalls: 2, maxPtcCalls: 1 })).toBe(
      "→ ok,ok,task: at most 2 subagents per eval (maxSubagentCalls); 2 ran.",
    );
  });

  test("is absent where the option is off, and where the agent has no subagents", async () => {
    expect(await runOne("typeof task", { subagents: false })).toBe('→ "undefined"');
    const agent = createAgent({
      model: modelRunning("typeof task"),
      tools: [],
      middleware: [createCodeInterpreterMiddleware()],
    });
    expect(lastEvalText(await agent.invoke(question))).toBe('→ "undefined"');
  });

  test("a subagent with the same middleware has a session of its own", async () => {
    const shared = createCodeInterpreterMiddleware();
    const child = new AnsweringModel((messages) =>
      messages.at(-1)?.type === "tool"
        ? `child saw ${messages.at(-1)?.text}`
        : new AIMessage({
            content: "",
            tool_calls: [{ name: "eval", args: { code: "typeof secret" }, id: "c1", type: "tool_call" }],
          }),
    );
    const agent = createDeepAgent({
      model: modelRunning(
        "const secret = 1; await task({ description: 'x', subagentType: 'coder' })",
        "secret",
      ),
      subagents: [
        { name: "coder", description: "Codes.", systemPrompt: "Code.", model: child, middleware: [shared] },
      ],
      middleware: [shared],
    });
    expect(evalTexts(await agent.invoke(question))).toEqual(['→ child saw → "undefined"', "→ 1"]);
  });

  test("may be a tool of the app's own, of which every update counts", async () => {
    const state = new StateSchema({
      count: new ReducedValue(z.number().default(0), {
        inputSchema: z.number().optional(),
        reducer: (now: number, more = 0) => now + more,
      }),
    });
    const task = tool(async () => new Command({ update: { count: 1 } }), {
      name: "task",
      description: "Counts.",
      schema: z.object({ description: z.string(), subagent_type: z.string() }),
    });
    const start = "task({ description: 'x', subagentType: 'any' })";
    const agent = createAgent({
      model: modelRunning(`await ${start}; await Promise.all([${start}, ${start}]); 1`),
      tools: [task],
      middleware: [
        createMiddleware({ name: "State", stateSchema: state }),
        createCodeInterpreterMiddleware(),
      ],
    });
    const result = (await agent.invoke(question as never)) as unknown as { count: number };
    expect(result.count).toBe(3);
  });

  test("a schema is that of the subagent it was given for, not of those below it", async () => {
    const worker = { ...reviewer, name: "worker" };
    const lead = new AnsweringModel((messages, toolNames) => {
      if (messages.at(-1)?.type === "human")
        return new AIMessage({
          content: "",
          tool_calls: [
            {
              name: "eval",
              args: { code: "await task({ description: 'x', subagentType: 'worker' })" },
              id: "c1",
              type: "tool_call",
            },
          ],
        });
      const response = toolNames.find((name) => /response|questions/i.test(name)) ?? "";
      return toolCallMessage(response, { questions: [String(messages.at(-1)?.text)] });
    });
    const middleware = [
      createSubAgentMiddleware({
        defaultModel: reviewer.model,
        subagents: [worker],
        generalPurposeAgent: false,
      }),
      createCodeInterpreterMiddleware(),
    ];
    const agent = createDeepAgent({
      model: modelRunning(
        `(await task({ description: "x", subagentType: "lead", responseSchema: ${schema} })).questions`,
      ),
      subagents: [
        {
          name: "lead",
          description: "Leads.",
          systemPrompt: "Lead.",
          model: lead,
          middleware: middleware as never,
        },
      ],
      middleware: [createCodeInterpreterMiddleware()],
    });
    expect(lastEvalText(await agent.invoke(question as never))).toBe('→ ["→ done: x"]');
  });

  const waiting = () => {
    const signals: (AbortSignal | undefined)[] = [];
    const model = new AnsweringModel((_messages, _tools, signal) => {
      signals.push(signal);
      return new Promise((_, reject) => {
        signal?.addEventListener("abort", () => reject(new Error("stopped")), { once: true });
        started();
      });
    });
    let started = () => {};
    const subagents = [{ ...reviewer, name: "slow", model }];
    return { signals, subagents, onStart: (listener: () => void) => (started = listener) };
  };
  const program = "await task({ description: 'x', subagentType: 'slow' }); globalThis.after = 1";

  test("aborting the run ends the subagent, and the run is rejected", async () => {
    const controller = new AbortController();
    const { signals, subagents, onStart } = waiting();
    onStart(() => controller.abort(new Error("stop it")));
    const agent = createDeepAgent({
      model: modelRunning(program),
      subagents,
      middleware: [createCodeInterpreterMiddleware()],
    });
    await expect(agent.invoke(question as never, { signal: controller.signal })).rejects.toThrow();
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
  });

  test("an eval that ends ends its subagents", async () => {
    const { signals, subagents } = waiting();
    const text = lastEvalText(await run([program], { waitTimeoutMs: 300 }, { subagents }));
    expect(text).toMatch(/^Wait timeout/);
    expect(signals.every((signal) => signal?.aborted)).toBe(true);
  });
});
