/** What an agent that was asked to run a program answered. */
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";

export interface Asked {
  readonly actionRequests: { name: string; args: Record<string, unknown>; description: string }[];
  readonly reviewConfigs: { actionName: string; allowedDecisions: string[]; argsSchema?: unknown }[];
  readonly error?: string;
}

export const evalCall = (code: string, id: string) =>
  new AIMessage({ content: "", tool_calls: [{ name: "eval", args: { code }, id, type: "tool_call" }] });

export interface Answer {
  readonly messages: BaseMessage[];
  readonly __interrupt__?: { id: string; value: Asked }[];
}

export const asked = (answer: Answer): Asked => {
  const [interrupt] = answer.__interrupt__ ?? [];
  if (!interrupt) throw new Error(`Not interrupted: ${texts(answer).join("\n")}`);
  return interrupt.value;
};

export const texts = ({ messages }: Answer): string[] =>
  messages.filter((message) => ToolMessage.isInstance(message)).map((message) => message.text);
