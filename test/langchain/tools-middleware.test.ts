import { ToolMessage } from "@langchain/core/messages";
import { createAgent, createMiddleware, tool, toolCallLimitMiddleware, toolRetryMiddleware } from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type CodeInterpreterOptions, createCodeInterpreterMiddleware } from "../../src/langchain/index.js";
import { lastEvalText, modelRunning, question } from "../support/scripted-agent.js";

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
