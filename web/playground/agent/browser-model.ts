/**
 * The browser's built-in model (the Prompt API) as a LangChain chat model. It has no tool calls, so it is told to
 * answer with one block of code when it wants to run something; that block becomes a call of `eval`.
 */
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";

interface Prompt {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

interface LanguageModelSession {
  prompt(text: string, options?: { signal?: AbortSignal }): Promise<string>;
  destroy(): void;
}

interface LanguageModelFactory {
  create(options: { initialPrompts: readonly Prompt[]; signal?: AbortSignal }): Promise<LanguageModelSession>;
}

const PROTOCOL =
  "To run code, answer with exactly one block that begins with ```js and ends with ```, and nothing else. " +
  "Its result comes back as the next message. When you know the answer, write it without a block.";

export class BrowserModel extends BaseChatModel {
  constructor() {
    super({});
  }

  _llmType(): string {
    return "browser";
  }

  /** The prompt of the interpreter describes the tools; there is nothing to bind. */
  override bindTools(): this {
    return this;
  }

  async _generate(messages: BaseMessage[], options: this["ParsedCallOptions"]): Promise<ChatResult> {
    const prompts = toPrompts(messages);
    const last = prompts.pop();
    const { LanguageModel } = globalThis as unknown as { LanguageModel: LanguageModelFactory };
    const signal = options.signal ? { signal: options.signal } : {};
    const session = await LanguageModel.create({ initialPrompts: prompts, ...signal });
    try {
      const text = await session.prompt(last?.content ?? "", signal);
      return { generations: [{ text, message: toMessage(text) }] };
    } finally {
      session.destroy();
    }
  }
}

function toPrompts(messages: readonly BaseMessage[]): Prompt[] {
  return messages.map((message): Prompt => {
    const calls = (message as AIMessage).tool_calls ?? [];
    if (message.type === "system") return { role: "system", content: `${message.text}\n\n${PROTOCOL}` };
    if (message.type === "tool") return { role: "user", content: `Result:\n${message.text}` };
    if (message.type !== "ai") return { role: "user", content: message.text };
    const code = calls.map(({ args }) => `\`\`\`js\n${String(args["code"])}\n\`\`\``).join("\n");
    return { role: "assistant", content: code || message.text };
  });
}

function toMessage(text: string): AIMessage {
  const code = /```(?:js|javascript|ts|typescript)?\n([\s\S]*?)```/.exec(text)?.[1];
  if (code === undefined) return new AIMessage(text);
  const id = `call_${crypto.randomUUID()}`;
  return new AIMessage({
    content: "",
    tool_calls: [{ id, name: "eval", args: { code }, type: "tool_call" }],
  });
}
