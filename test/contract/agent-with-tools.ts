import { createDeepAgent } from "deepagents";
import { createAgent, tool } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { createCodeInterpreterMiddleware } from "../../src/langchain/index.js";
import { evalTexts, type lastEvalText, modelRunning, question, reviewer } from "../support/scripted-agent.js";

/**
 * An agent and a deep agent whose code calls tools and subagents, in any runtime. Nothing is installed for LangGraph
 * here: the middleware has to bring what the runtime lacks.
 */
export function testAgentWithTools(where: string): void {
  const look = tool(
    async (_input, config) => {
      const { configurable, toolCallId, state } = config as unknown as {
        configurable: { thread_id?: string };
        toolCallId: string;
        state: { messages: unknown[] };
      };
      return { thread: configurable.thread_id, id: typeof toolCallId, messages: state.messages.length };
    },
    { name: "look_up", description: "Looks.", schema: z.object({}) },
  );

  test(`an agent in ${where} calls tools from code, with values and the step's config`, async () => {
    const agent = createAgent({
      model: modelRunning("const found = await tools.lookUp({}); found", "found.messages + 1"),
      tools: [look],
      middleware: [createCodeInterpreterMiddleware({ ptc: ["look_up"] })],
    });
    const result = await agent.invoke(question, { configurable: { thread_id: "t1" } });
    expect(evalTexts(result)).toEqual(['→ {"thread": "t1", "id": "string", "messages": 2}', "→ 3"]);
  });

  test(`a deep agent in ${where} starts subagents from code, in parallel, and has the files they write`, async () => {
    const schema = `{ type: "object", properties: { questions: { type: "array", items: { type: "string" } } }, required: ["questions"] }`;
    const agent = createDeepAgent({
      model: modelRunning(
        `await Promise.all(["/a.md", "/b.md"].map((path) => task({ description: "write " + path, subagentType: "reviewer" })));
       await tools.writeFile({ file_path: "/c.md", content: "mine" });
       [await tools.readFile({ file_path: "/a.md" }), await tools.readFile({ file_path: "/c.md" })].join()`,
        `(await task({ description: "x", subagentType: "reviewer", responseSchema: ${schema} })).questions[0]`,
        "await task({ description: 'fail', subagentType: 'reviewer' }).catch((error) => error.message)",
      ),
      subagents: [reviewer],
      middleware: [createCodeInterpreterMiddleware({ ptc: ["read_file", "write_file"] })],
    });
    const result = (await agent.invoke(question as never)) as never as {
      messages: Parameters<typeof lastEvalText>[0]["messages"];
      files: object;
    };
    expect(evalTexts(result)).toEqual([
      "→ by write /a.md,mine",
      "→ why?",
      "→ Tool 'task' failed: the reviewer gave up",
    ]);
    expect(Object.keys(result.files).sort()).toEqual(["/a.md", "/b.md", "/c.md"]);
  });
}
