/** Real agents around a model that says what it is told: programs for the `eval` tool, then an answer. */
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { fakeModel } from "langchain";

let calls = 0;

/** A model's message that runs each program in a tool call of its own. */
export function evalMessage(...programs: string[]): AIMessage {
  const tool_calls = programs.map((code) => ({
    name: "eval",
    args: { code },
    id: `call_${++calls}`,
    type: "tool_call" as const,
  }));
  return new AIMessage({ content: "", tool_calls });
}

/** Runs the programs one after the other, a model call each, and then answers `done`. */
export function modelRunning(...programs: string[]): ReturnType<typeof fakeModel> {
  const model = fakeModel();
  for (const program of programs) model.respond(evalMessage(program));
  return model.respond(new AIMessage("done"));
}

export const question = { messages: [new HumanMessage("go")] };

/** What the model read of its `eval` calls, in order. */
export function evalTexts({ messages }: { messages: BaseMessage[] }): string[] {
  return evalMessages({ messages }).map((message) => message.text);
}

export function evalMessages({ messages }: { messages: BaseMessage[] }): ToolMessage[] {
  return messages.filter(
    (message): message is ToolMessage => ToolMessage.isInstance(message) && message.name === "eval",
  );
}

/** Of the newest one. */
export function lastEvalText(result: { messages: BaseMessage[] }): string {
  return evalTexts(result).at(-1) ?? "";
}
