/**
 * The browser's built-in model (the Prompt API) as a LangChain chat model. It has no tool calls, so it is told to
 * answer with one block of code when it wants to run something; that block becomes a call of `eval`.
 */
import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { type AIMessage, AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";

interface Prompt {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** The part of https://webmachinelearning.github.io/prompt-api/ that is used here. */
interface LanguageModelSession {
  promptStreaming(text: string, options?: { signal?: AbortSignal }): ReadableStream<string>;
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
    let whole: ChatGenerationChunk | undefined;
    for await (const chunk of this._streamResponseChunks(messages, options))
      whole = whole ? whole.concat(chunk) : chunk;
    return { generations: whole ? [whole] : [] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    run?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const tell = async (chunk: ChatGenerationChunk) => {
      await run?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, { chunk });
      return chunk;
    };
    let text = "";
    let told = 0;
    for await (const piece of answer(toPrompts(messages), options.signal)) {
      text += piece;
      // What may become a block of code is no answer yet.
      const end = text.indexOf("`") < 0 ? text.length : text.indexOf("`");
      if (end > told) yield tell(textChunk(text.slice(told, end)));
      told = Math.max(told, end);
    }
    const code = /```(?:js|javascript|ts|typescript)?\n([\s\S]*?)(?:```|$)/.exec(text)?.[1];
    if (code !== undefined) yield tell(callChunk(code));
    else if (told < text.length) yield tell(textChunk(text.slice(told)));
  }
}

async function* answer(prompts: Prompt[], signal: AbortSignal | undefined): AsyncGenerator<string> {
  const last = prompts.pop();
  const { LanguageModel } = globalThis as unknown as { LanguageModel: LanguageModelFactory };
  const options = signal ? { signal } : {};
  const session = await LanguageModel.create({ initialPrompts: prompts, ...options });
  try {
    const reader = session.promptStreaming(last?.content ?? "", options).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    session.destroy();
  }
}

function textChunk(text: string): ChatGenerationChunk {
  return new ChatGenerationChunk({ text, message: new AIMessageChunk({ content: text }) });
}

function callChunk(code: string): ChatGenerationChunk {
  const call = { id: `call_${crypto.randomUUID()}`, name: "eval", args: JSON.stringify({ code }), index: 0 };
  const message = new AIMessageChunk({
    content: "",
    tool_call_chunks: [{ ...call, type: "tool_call_chunk" }],
  });
  return new ChatGenerationChunk({ text: "", message });
}

/** The API takes one system prompt, in front. */
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
