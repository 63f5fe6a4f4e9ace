import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { ToolMessage } from "@langchain/core/messages";
import { getCurrentTaskInput, InMemoryStore, MemorySaver } from "@langchain/langgraph";
import { createDeepAgent } from "deepagents";
import { createAgent, tool } from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createCodeInterpreterMiddleware } from "../../src/langchain/index.js";
import { lastEvalText, modelRunning, question, reviewer } from "../support/scripted-agent.js";

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
