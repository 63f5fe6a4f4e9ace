import { getEventListeners } from "node:events";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { createAgent, fakeModel, tool } from "langchain";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { createInterpreter } from "../../src/interpreter.js";
import { createCodeInterpreterMiddleware } from "../../src/langchain/index.js";
import { valueFrom } from "../support/results.js";

const warnings: string[] = [];
const note = (warning: Error) => warnings.push(warning.message);
beforeEach(() => {
  warnings.length = 0;
  process.on("warning", note);
});
afterEach(() => {
  process.off("warning", note);
});

/** Node warns of leaks on the next turn of its loop. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

test("evals that share a signal leave no listener on it, however they end", async () => {
  const { signal } = new AbortController();
  const session = await (await createInterpreter()).open();
  const tools = { echo: async (input: unknown) => input, never: () => new Promise(() => {}) };
  for (let round = 0; round < 20; round++) {
    await session.eval("await tools.echo(1)", { tools, signal });
    await session.eval("throw 1", { signal });
    await session.eval("syntax error", { signal });
    await session.eval("await new Promise(() => {})", { signal });
    await session.eval("await tools.never({})", { tools, signal, limits: { waitTimeoutMs: 1 } });
    await session.eval("JSON.parse('['.repeat(200000))", { signal });
  }
  session.dispose();
  expect(getEventListeners(signal, "abort")).toEqual([]);
  await settle();
  expect(warnings).toEqual([]);
});

test("two thousand calls at once that listen to their signals cause no warning", async () => {
  const { signal: outer } = new AbortController();
  const session = await (await createInterpreter()).open();
  const echo = async (input: unknown, { signal }: { signal: AbortSignal }) => {
    for (let i = 0; i < 3; i++) signal.addEventListener("abort", () => {});
    await settle();
    return input;
  };
  const source =
    "(await Promise.all(Array.from({ length: 2000 }, (_, i) => tools.echo(i)))).reduce((sum, n) => sum + n)";
  const result = await session.eval(source, {
    tools: { echo },
    signal: outer,
    limits: { maxHostCalls: null },
  });
  expect(valueFrom(result)).toBe(1999000);
  await settle();
  expect(warnings).toEqual([]);
});

test("an agent's run with many calls from code leaves no listener of its own on the signal and causes no warning", async () => {
  const { signal } = new AbortController();
  const look = tool(
    async (_input, config) => {
      config?.signal?.addEventListener("abort", () => {});
      return "seen";
    },
    { name: "look", description: "look", schema: z.object({}) },
  );
  const code = "(await Promise.all(Array.from({ length: 100 }, () => tools.look({})))).length";
  for (let turn = 0; turn < 3; turn++) {
    const model = fakeModel()
      .respond(
        new AIMessage({
          content: "",
          tool_calls: [{ name: "eval", args: { code }, id: "a", type: "tool_call" }],
        }),
      )
      .respond(new AIMessage("done"));
    const middleware = [createCodeInterpreterMiddleware({ ptc: ["look"] })];
    const agent = createAgent({ model, tools: [look], middleware });
    const { messages } = await agent.invoke({ messages: [new HumanMessage("go")] }, { signal });
    expect(messages.at(-2)?.text).toBe("→ 100");
  }
  await settle();
  expect(warnings).toEqual([]);
  // LangGraph itself leaves one per run.
  expect(getEventListeners(signal, "abort").length).toBeLessThanOrEqual(3);
});
