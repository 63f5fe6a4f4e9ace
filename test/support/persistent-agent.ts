import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { createAgent, fakeModel } from "langchain";
import { type CodeInterpreterOptions, createCodeInterpreterMiddleware } from "../../src/langchain/index.js";

/** One model message per step, one eval per code of the step; then the final answer. */
export type Steps = readonly (readonly string[])[];

/** A question that the model answers with these evals. Strings are steps of one eval. */
export function ask(...steps: (string | readonly string[])[]): { messages: HumanMessage[] } {
  const all = steps.map((step) => (typeof step === "string" ? [step] : step));
  return { messages: [new HumanMessage(JSON.stringify(all))] };
}

/** Does what the last question says, wherever the conversation stands: replays and forks get the answers of their own. */
export function scriptedModel() {
  const model = fakeModel();
  for (let call = 0; call < 1000; call++) model.respond(nextMessage);
  return model;
}

function nextMessage(messages: BaseMessage[]): AIMessage {
  const at = messages.findLastIndex((message) => HumanMessage.isInstance(message));
  const steps = JSON.parse((messages[at] as HumanMessage).text) as Steps;
  const done = messages.slice(at + 1).filter((message) => AIMessage.isInstance(message)).length;
  const codes = steps[done];
  const id = crypto.randomUUID();
  if (!codes) return new AIMessage({ content: "done", id });
  const toolCalls = codes.map((code, index) => ({
    name: "eval",
    args: { code },
    id: `${id}-${index}`,
    type: "tool_call" as const,
  }));
  return new AIMessage({ content: "", id, tool_calls: toolCalls });
}

/** A new agent with a middleware of its own: it shares with others what the arguments share, as another process would. */
export function startAgent(
  checkpointer?: BaseCheckpointSaver,
  options: CodeInterpreterOptions = {},
  more: Partial<Parameters<typeof createAgent>[0]> = {},
) {
  return createAgent({
    model: scriptedModel(),
    tools: [],
    middleware: [createCodeInterpreterMiddleware(options)],
    ...(checkpointer ? { checkpointer } : {}),
    ...more,
  });
}

/** The texts of the evals since the last question. */
export function answers({ messages }: { messages: BaseMessage[] }): string[] {
  const at = messages.findLastIndex((message) => HumanMessage.isInstance(message));
  return messages.slice(at).flatMap((message) => (ToolMessage.isInstance(message) ? [message.text] : []));
}

export const thread = (id: string | number, more: Record<string, unknown> = {}) => ({
  configurable: { thread_id: id as string, ...more },
});
