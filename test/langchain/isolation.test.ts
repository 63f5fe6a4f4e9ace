import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { createDeepAgent } from "deepagents";
import { createAgent, fakeModel, tool } from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createCodeInterpreterMiddleware } from "../../src/langchain/index.js";

const evalCall = (code: string, id = "a") =>
  new AIMessage({ content: "", tool_calls: [{ name: "eval", args: { code }, id, type: "tool_call" }] });
const question = { messages: [new HumanMessage("go")] };
const toolTexts = ({ messages }: { messages: BaseMessage[] }) =>
  messages.filter((message) => ToolMessage.isInstance(message)).map((message) => message.text);

const says = (name: string, text: string) =>
  tool(async () => text, { name, description: name, schema: z.object({}) });

/** An agent that evaluates this in one turn after the other. */
function agentFor(codes: readonly string[], options: Parameters<typeof createAgent>[0] | object = {}) {
  let model = fakeModel();
  for (const [index, code] of codes.entries())
    model = model.respond(evalCall(code, `call${index}`)).respond(new AIMessage("done"));
  return createAgent({ model, tools: [], ...options } as Parameters<typeof createAgent>[0]);
}

const probe = "typeof secret === 'undefined' ? 'clean' : secret";

describe("nobody sees another's variables:", () => {
  test("two calls without a thread", async () => {
    const middleware = [createCodeInterpreterMiddleware()];
    const first = agentFor(["var secret = 'first'; 1"], { middleware });
    const second = agentFor([probe], { middleware });
    await first.invoke(question);
    expect(toolTexts(await second.invoke(question))).toEqual(["→ clean"]);
  });

  test("two calls at once without a thread", async () => {
    const middleware = [createCodeInterpreterMiddleware()];
    const start = (name: string) =>
      agentFor([`globalThis.letters = (globalThis.letters ?? '') + '${name}'; await 0; letters`], {
        middleware,
      }).invoke(question);
    const [a, b] = await Promise.all([start("A"), start("B")]);
    expect([toolTexts(a), toolTexts(b)]).toEqual([["→ A"], ["→ B"]]);
  });

  test.each([[""], [0], [undefined], [null]])("falsy thread ids: %s", async (thread_id) => {
    const middleware = [createCodeInterpreterMiddleware()];
    const config = { configurable: { thread_id } } as never;
    await agentFor(["var secret = 1; 1"], { middleware }).invoke(question, config);
    const other = { configurable: { thread_id: "other" } };
    expect(toolTexts(await agentFor([probe], { middleware }).invoke(question, other))).toEqual(["→ clean"]);
  });

  test("two threads of one agent", async () => {
    const checkpointer = new MemorySaver();
    const agent = agentFor(["var secret = 'a'; 1", probe, probe], {
      middleware: [createCodeInterpreterMiddleware()],
      checkpointer,
    });
    const config = (thread_id: string) => ({ configurable: { thread_id } });
    await agent.invoke(question, config("a"));
    expect(toolTexts(await agent.invoke(question, config("b")))).toEqual(["→ clean"]);
    expect(toolTexts(await agent.invoke(question, config("a"))).at(-1)).toBe("→ a");
  });

  test("a fork of a thread and the thread go on apart", async () => {
    const agent = agentFor(["var n = 1; n", "n = 2; n", "n", "n"], {
      middleware: [createCodeInterpreterMiddleware()],
      checkpointer: new MemorySaver(),
    });
    const config = { configurable: { thread_id: "t" } };
    await agent.invoke(question, config);
    const { config: fork } = (await agent.getState(config)) as { config: typeof config };
    await agent.invoke(question, config);
    expect(toolTexts(await agent.invoke(question, fork)).at(-1)).toBe("→ 1");
  });
});

test("two agents on one middleware have the tools of their own", async () => {
  const middleware = [createCodeInterpreterMiddleware({ ptc: ["say"] })];
  const code = "await tools.say({})";
  const [a, b] = await Promise.all([
    agentFor([code], { middleware, tools: [says("say", "of A")] }).invoke(question),
    agentFor([code], { middleware, tools: [says("say", "of B")] }).invoke(question),
  ]);
  expect([toolTexts(a), toolTexts(b)]).toEqual([["→ of A"], ["→ of B"]]);
});

test("a tool that one agent has is none of the other's", async () => {
  const middleware = [createCodeInterpreterMiddleware({ ptc: ["say"] })];
  await agentFor(["await tools.say({})"], { middleware, tools: [says("say", "x")] }).invoke(question);
  const [text] = toolTexts(
    await agentFor(["typeof tools + ' ' + typeof globalThis.tools?.say"], { middleware }).invoke(question),
  );
  expect(text).toMatch(/^→ \w+ undefined/);
});

test("the budget of calls is each eval's own", async () => {
  const middleware = [createCodeInterpreterMiddleware({ ptc: ["say"], maxPtcCalls: 2 })];
  const code = "await tools.say({}); await tools.say({})";
  const results = await Promise.all(
    [1, 2, 3].map(() => agentFor([code], { middleware, tools: [says("say", "ok")] }).invoke(question)),
  );
  for (const result of results) expect(toolTexts(result)).toEqual(["→ ok"]);
});

describe("two evals of one message run one after the other:", () => {
  const twoEvals = (first: string, second: string) =>
    fakeModel()
      .respond(
        new AIMessage({
          content: "",
          tool_calls: [first, second].map((code, index) => ({
            name: "eval",
            args: { code },
            id: `call${index}`,
            type: "tool_call" as const,
          })),
        }),
      )
      .respond(new AIMessage("done"));
  const slow = tool(async () => new Promise<string>((resolve) => setTimeout(() => resolve("slow"), 20)), {
    name: "slow",
    description: "slow",
    schema: z.object({}),
  });
  const run = async (first: string, second: string, options = {}) => {
    const middleware = [createCodeInterpreterMiddleware({ ptc: ["slow"], ...options })];
    const agent = createAgent({ model: twoEvals(first, second), tools: [slow], middleware });
    return toolTexts(await agent.invoke(question));
  };

  test("each has its own output, and the second finds what the first did", async () => {
    expect(
      await run(
        "console.log('one'); var n = 1; n += (await tools.slow({})).length; console.log('one again'); n",
        "console.log('two'); n * 2",
      ),
    ).toEqual(["one\none again\n→ 5", "two\n→ 10"]);
  });

  test("the failure of one is none of the other's", async () => {
    const [failed, fine] = await run("await tools.slow({}); throw new Error('mine')", "'fine'");
    expect(failed).toMatch(/^Error: mine/);
    expect(fine).toBe("→ fine");
  });

  test("each has a budget of its own", async () => {
    const twice = "await tools.slow({}); await tools.slow({}); 'both'";
    expect(await run(twice, twice, { maxPtcCalls: 2 })).toEqual(["→ both", "→ both"]);
  });

  test("the time one runs or waits is not the other's", async () => {
    const [late, fine] = await run("await tools.slow({}); for (;;) {}", "1 + 1", { executionTimeoutMs: 300 });
    expect(late).toMatch(/^Timeout: the code ran longer than 300 ms/);
    expect(fine).toBe("→ 2");
  });
});

test("threads do not wait for each other's tools", async () => {
  let open = (_: string) => {};
  let enter = () => {};
  const entered = new Promise<void>((resolve) => {
    enter = resolve;
  });
  const gate = tool(
    () => {
      enter();
      return new Promise<string>((resolve) => {
        open = resolve;
      });
    },
    { name: "gate", description: "gate", schema: z.object({}) },
  );
  const middleware = [createCodeInterpreterMiddleware({ ptc: ["gate"] })];
  const waiting = agentFor(["await tools.gate({})"], { middleware, tools: [gate] }).invoke(question, {
    configurable: { thread_id: "a" },
  });
  await entered;
  const other = await agentFor(["1 + 1"], { middleware, tools: [gate] }).invoke(question, {
    configurable: { thread_id: "b" },
  });
  expect(toolTexts(other)).toEqual(["→ 2"]);
  open("opened");
  expect(toolTexts(await waiting)).toEqual(["→ opened"]);
});

test("a subagent with the same middleware has variables of its own, and its end leaves the caller's alone", async () => {
  const shared = createCodeInterpreterMiddleware();
  const childModel = fakeModel()
    .respond(evalCall(`globalThis.fromChild = 1; ${probe}`, "child"))
    .respond((messages: BaseMessage[]) => new AIMessage(String(messages.at(-1)?.text)));
  const model = fakeModel()
    .respond(
      evalCall(
        "var secret = 'the caller\\'s'; const answer = await task({ description: 'look', subagentType: 'looker' }); [answer, secret, typeof fromChild]",
      ),
    )
    .respond(new AIMessage("done"));
  const agent = createDeepAgent({
    model,
    middleware: [shared],
    subagents: [
      { name: "looker", description: "looks", systemPrompt: "look", model: childModel, middleware: [shared] },
    ],
  } as never);
  const result = (await agent.invoke(question, { configurable: { thread_id: "t" } })) as {
    messages: BaseMessage[];
  };
  const text = toolTexts(result).join();
  expect(text).toContain("clean");
  expect(text).toContain("the caller's");
  expect(text).toContain('"undefined"');
});

test("no thread id, path or environment reaches the guest", async () => {
  const code =
    "JSON.stringify([Object.getOwnPropertyNames(globalThis), String(new Error('x').stack), typeof process])";
  const agent = agentFor([code], {
    middleware: [createCodeInterpreterMiddleware({ maxResultChars: 100_000 })],
    checkpointer: new MemorySaver(),
  });
  const [text] = toolTexts(await agent.invoke(question, { configurable: { thread_id: "tenant-42" } }));
  expect(text).not.toContain("tenant-42");
  expect(text).not.toMatch(/node_modules|file:|\/src\//);
});
