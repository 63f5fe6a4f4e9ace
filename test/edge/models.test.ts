import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { createModel } from "../../edge/models.js";
import { WorkersAiModel } from "../../edge/workers-ai-model.js";

const search = tool(async () => "", {
  name: "search",
  description: "Searches.",
  schema: z.object({ query: z.string() }),
});

const conversation = [
  new SystemMessage("Be brief."),
  new HumanMessage("Find it."),
  new AIMessage({ content: "", tool_calls: [{ id: "1", name: "search", args: { query: "it" } }] }),
  new ToolMessage({ content: "found", tool_call_id: "1" }),
];

function fakeBinding(answer: unknown) {
  const calls: { model: string; input: Record<string, unknown> }[] = [];
  const run = async (model: string, input: Record<string, unknown>) => {
    calls.push({ model, input });
    return answer;
  };
  return { calls, run };
}

test("Workers AI gets the conversation and the tools through its binding", async () => {
  const ai = fakeBinding({ response: "Here it is." });
  const model = new WorkersAiModel(ai, "@cf/some/model").bindTools([search]);
  const answer = await model.invoke(conversation);
  expect(answer.text).toBe("Here it is.");
  const [{ model: name, input }] = ai.calls as [(typeof ai.calls)[0]];
  expect(name).toBe("@cf/some/model");
  expect(input["messages"]).toEqual([
    { role: "system", content: "Be brief." },
    { role: "user", content: "Find it." },
    {
      role: "assistant",
      content: "",
      tool_calls: [{ id: "1", type: "function", function: { name: "search", arguments: '{"query":"it"}' } }],
    },
    { role: "tool", content: "found", tool_call_id: "1" },
  ]);
  expect(input["tools"]).toMatchObject([{ type: "function", function: { name: "search" } }]);
});

test("Workers AI's tool calls are read in both of its shapes", async () => {
  const old = { response: null, tool_calls: [{ name: "search", arguments: { query: "a" } }] };
  const openAi = {
    choices: [
      {
        message: {
          content: null,
          tool_calls: [{ id: "x", function: { name: "search", arguments: '{"query":"b"}' } }],
        },
      },
    ],
  };
  for (const [answer, query] of [
    [old, "a"],
    [openAi, "b"],
  ] as const) {
    const { tool_calls } = await new WorkersAiModel(fakeBinding(answer), "m").invoke("go");
    expect(tool_calls).toMatchObject([{ name: "search", args: { query } }]);
  }
});

test("MODEL chooses the client, and says what it lacks", async () => {
  expect(await createModel({})).toBeUndefined();
  expect(
    (await createModel({ MODEL: "openai:gpt", OPENAI_BASE_URL: "http://127.0.0.1:1/v1" }))?._llmType(),
  ).toBe("openai");
  expect((await createModel({ MODEL: "anthropic:claude", ANTHROPIC_API_KEY: "k" }))?._llmType()).toBe(
    "anthropic",
  );
  expect((await createModel({ MODEL: "workers-ai:@cf/x", AI: fakeBinding({}) }))?._llmType()).toBe(
    "workers-ai",
  );
  await expect(createModel({ MODEL: "openai:gpt" })).rejects.toThrow("OPENAI_API_KEY");
  await expect(createModel({ MODEL: "workers-ai:@cf/x" })).rejects.toThrow("needs AI");
  await expect(createModel({ MODEL: "gpt" })).rejects.toThrow("MODEL must be");
}, 30_000);
