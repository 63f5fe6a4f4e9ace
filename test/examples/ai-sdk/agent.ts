/** The interpreter as a tool of the AI SDK: one session for the conversation, the SDK's own tools inside it. */
import { generateText, stepCountIs, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { createInterpreter, formatResult } from "edge-interpreter/core";
import { z } from "zod";

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const code = "const prices = await tools.prices({}); prices.reduce((sum, price) => sum + price, 0)";
const model = new MockLanguageModelV4({
  doGenerate: [
    {
      content: [{ type: "tool-call", toolCallId: "1", toolName: "eval", input: JSON.stringify({ code }) }],
      finishReason: { unified: "tool-calls", raw: undefined },
      usage,
      warnings: [],
    },
    {
      content: [{ type: "text", text: "Together they cost 42." }],
      finishReason: { unified: "stop", raw: undefined },
      usage,
      warnings: [],
    },
  ],
});

const interpreter = await createInterpreter();
const session = await interpreter.open();
const { text, steps } = await generateText({
  model,
  prompt: "What do all items cost together?",
  stopWhen: stepCountIs(5),
  tools: {
    eval: tool({
      description: "Runs JavaScript. Variables live on. `await tools.prices({})` answers a list of numbers.",
      inputSchema: z.object({ code: z.string() }),
      execute: async (input, { abortSignal }) =>
        formatResult(
          await session.eval(input.code, {
            tools: { prices: () => [12, 30] },
            ...(abortSignal ? { signal: abortSignal } : {}),
          }),
        ),
    }),
  },
});
console.log(steps[0]?.toolResults[0]?.output);
console.log(text);
interpreter.dispose();
