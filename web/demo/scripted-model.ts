import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";

/** What the script says next: text, or calls of tools. */
export interface ScriptedTurn {
  readonly text?: string;
  readonly toolCalls?: { id: string; name: string; args: Record<string, unknown> }[];
}

export interface ScriptedModelOptions {
  /** Time between two pieces, for a reader to follow. @default 0 */
  readonly pauseMs?: number;
}

/** Characters of code in one piece. */
const PIECE = 24;

/**
 * A model that answers from the conversation alone, word by word. It keeps nothing between calls, so an agent built
 * anew after an eviction goes on where the old one was: what a real model behind an API does too.
 */
export class ScriptedModel extends BaseChatModel {
  readonly #next: (messages: BaseMessage[]) => ScriptedTurn;
  readonly #pause: number;

  constructor(next: (messages: BaseMessage[]) => ScriptedTurn, options: ScriptedModelOptions = {}) {
    super({});
    this.#next = next;
    this.#pause = options.pauseMs ?? 0;
  }

  _llmType(): string {
    return "scripted";
  }

  override bindTools(): this {
    return this;
  }

  async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const { text = "", toolCalls = [] } = this.#next(messages);
    return { generations: [{ text, message: new AIMessage({ content: text, tool_calls: toolCalls }) }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    _options: this["ParsedCallOptions"],
    run?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const { text = "", toolCalls = [] } = this.#next(messages);
    for (const word of text.split(/(?<= )/)) {
      const chunk = new ChatGenerationChunk({ text: word, message: new AIMessageChunk({ content: word }) });
      yield chunk;
      await run?.handleLLMNewToken(word, undefined, undefined, undefined, undefined, { chunk });
      await this.#rest();
    }
    for (const [index, { id, name, args }] of toolCalls.entries()) {
      for (const [piece, text] of pieces(JSON.stringify(args)).entries()) {
        const first = piece === 0 ? { id, name } : {};
        const call = { ...first, args: text, index, type: "tool_call_chunk" as const };
        const message = new AIMessageChunk({ content: "", tool_call_chunks: [call] });
        const chunk = new ChatGenerationChunk({ text: "", message });
        yield chunk;
        await run?.handleLLMNewToken("", undefined, undefined, undefined, undefined, { chunk });
        await this.#rest();
      }
    }
  }

  async #rest(): Promise<void> {
    if (this.#pause > 0) await new Promise((resolve) => setTimeout(resolve, this.#pause));
  }
}

function pieces(text: string): string[] {
  return Array.from({ length: Math.ceil(text.length / PIECE) }, (_, index) =>
    text.slice(index * PIECE, (index + 1) * PIECE),
  );
}
