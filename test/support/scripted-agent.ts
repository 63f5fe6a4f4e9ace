/** Real agents around a model that says what it is told: programs for the `eval` tool, then an answer. */
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
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

export type Answer = string | AIMessage;
type AnswerFrom = (
  messages: BaseMessage[],
  toolNames: readonly string[],
  signal: AbortSignal | undefined,
) => Answer | Promise<Answer>;

/** Answers from the conversation and the names of its tools alone; any number of runs may share it. */
export class AnsweringModel extends BaseChatModel {
  readonly #answer: AnswerFrom;
  readonly #toolNames: readonly string[];

  constructor(answer: AnswerFrom, toolNames: readonly string[] = []) {
    super({});
    this.#answer = answer;
    this.#toolNames = toolNames;
  }

  _llmType(): string {
    return "answering";
  }

  override bindTools(tools: unknown[]): this {
    const names = tools.map((tool) => {
      const { name, function: described } = tool as { name?: string; function?: { name: string } };
      return name ?? described?.name ?? "";
    });
    return new AnsweringModel(this.#answer, names) as this;
  }

  async _generate(messages: BaseMessage[], options: this["ParsedCallOptions"]): Promise<ChatResult> {
    options.signal?.throwIfAborted();
    const answer = await this.#answer(messages, this.#toolNames, options.signal);
    const message = typeof answer === "string" ? new AIMessage(answer) : answer;
    return { generations: [{ text: message.text, message }] };
  }
}

/** The last thing a person, or the caller of a subagent, said. */
export function lastHumanText(messages: readonly BaseMessage[]): string {
  return messages.findLast((message) => HumanMessage.isInstance(message))?.text ?? "";
}

export function toolCallMessage(name: string, args: Record<string, unknown>): AIMessage {
  return new AIMessage({
    content: "",
    tool_calls: [{ name, args, id: `call_${++calls}`, type: "tool_call" }],
  });
}

const reviewerModel = new AnsweringModel((messages, toolNames) => {
  const assignment = lastHumanText(messages);
  if (assignment === "fail") throw new Error("the reviewer gave up");
  const path = /^write (\S+)$/.exec(assignment)?.[1];
  const last = messages.at(-1);
  if (path !== undefined && !ToolMessage.isInstance(last))
    return toolCallMessage("write_file", { file_path: path, content: `by ${assignment}` });
  const response = toolNames.find((name) => /response|questions/i.test(name));
  if (response !== undefined) return toolCallMessage(response, { questions: ["why?"] });
  return `done: ${assignment}`;
});

/**
 * A subagent that answers `done: ` and its description. `fail` makes it fail, `write PATH` writes a file first, and
 * asked for an object it answers `{ questions: ["why?"] }`.
 */
export const reviewer = {
  name: "reviewer",
  description: "Reads one file and reports on it.",
  systemPrompt: "Review.",
  model: reviewerModel,
};
