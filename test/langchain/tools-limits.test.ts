import type { StructuredToolInterface } from "@langchain/core/tools";
import { createDeepAgent } from "deepagents";
import { createAgent, tool } from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type CodeInterpreterOptions, createCodeInterpreterMiddleware } from "../../src/langchain/index.js";
import {
  AnsweringModel,
  evalTexts,
  lastEvalText,
  modelRunning,
  question,
} from "../support/scripted-agent.js";

const nothing = z.object({});

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
