/** What a user's compiler knows of an agent with the interpreter. Compiled here, and against the packed declarations. */
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";
import { createDeepAgent } from "deepagents";
import { type CodeInterpreterOptions, createCodeInterpreterMiddleware } from "edge-interpreter";
import { type AgentMiddleware, AIMessage, createAgent, tool } from "langchain";
import { z } from "zod";
import type { Equal } from "./equal.js";

declare const model: BaseChatModel;
const search = tool(async ({ query }) => [query], {
  name: "web_search",
  description: "Search the web.",
  schema: z.object({ query: z.string() }),
});

// An agent keeps its types: messages, structured answers, context.
const agent = createAgent({
  model,
  tools: [search],
  responseFormat: z.object({ count: z.number() }),
  contextSchema: z.object({ user: z.string() }),
  middleware: [createCodeInterpreterMiddleware({ ptc: ["web_search", search] })],
});
const result = await agent.invoke(
  { messages: [{ role: "user", content: "go" }] },
  { context: { user: "a" } },
);
const messages: BaseMessage[] = result.messages;
const structured: Equal<typeof result.structuredResponse, { count: number }> = true;
// @ts-expect-error the context has to be what the agent says
await agent.invoke({ messages: [] }, { context: { user: 1 } });
// @ts-expect-error no key is added to the answer
result._interpreter;
// @ts-expect-error nor is any key allowed that nobody defined
result.nothing;

// Calls are told apart by the tool's name, and have its arguments.
const call = messages.find((message) => AIMessage.isInstance(message));
const typedCall = result.messages.find((message) => AIMessage.isInstance(message))?.tool_calls?.[0];
if (typedCall?.name === "eval") {
  const code: Equal<typeof typedCall.args, { code: string }> = true;
  code satisfies true;
}
if (typedCall?.name === "web_search") typedCall.args.query satisfies string;
const renamed = createAgent({
  model,
  tools: [],
  middleware: [createCodeInterpreterMiddleware({ toolName: "run" })],
});
const renamedCall = (await renamed.invoke({ messages: [] })).messages.find((message) =>
  AIMessage.isInstance(message),
)?.tool_calls?.[0];
renamedCall?.name satisfies "run" | undefined;

// Other middleware keeps its state.
const counting: AgentMiddleware<z.ZodObject<{ count: z.ZodNumber }>> = {
  name: "counting",
  stateSchema: z.object({ count: z.number() }),
};
const both = createAgent({ model, tools: [], middleware: [counting, createCodeInterpreterMiddleware()] });
const counted = await both.invoke({ messages: [], count: 1 });
counted.count satisfies number;

// Deep Agents, lists, options from elsewhere.
const deep = createDeepAgent({ model, middleware: [createCodeInterpreterMiddleware()] });
const deepMessages: BaseMessage[] = (await deep.invoke({ messages: [] })).messages;
const list: AgentMiddleware[] = [createCodeInterpreterMiddleware()];
const options: CodeInterpreterOptions = {};
const fromOptions: AgentMiddleware = createCodeInterpreterMiddleware(options);
createCodeInterpreterMiddleware({ memoryLimitBytes: undefined, executionTimeoutMs: null });

// What must not compile.
// @ts-expect-error an option that does not exist
createCodeInterpreterMiddleware({ timeout: 5 });
// @ts-expect-error a mode that does not exist
createCodeInterpreterMiddleware({ mode: "forever" });
// @ts-expect-error not a tool
createCodeInterpreterMiddleware({ ptc: [42] });
// @ts-expect-error only what a person can decide
createCodeInterpreterMiddleware({ interruptOn: { pay: { allowedDecisions: ["maybe"] } } });
// @ts-expect-error not a store
createCodeInterpreterMiddleware({ snapshots: new Map() });
// @ts-expect-error options are read once and not changed
options.mode = "turn";

export const used: unknown[] = [structured, call, deepMessages, list, fromOptions];
