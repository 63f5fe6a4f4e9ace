import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { createAgent, createMiddleware, fakeModel, tool } from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createCodeInterpreterMiddleware } from "../../src/langchain/index.js";
import {
  AnsweringModel,
  evalMessage,
  evalTexts,
  lastEvalText,
  modelRunning,
  question,
} from "../support/scripted-agent.js";

const nothing = z.object({});

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
