import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";

/** What the script says next: text, or calls of tools. */
export interface ScriptedTurn {
  readonly text?: string;
  readonly toolCalls?: { id: string; name: string; args: Record<string, unknown> }[];
}

/**
 * A model that answers from the conversation alone, word by word. It keeps nothing between calls, so an agent built
 * anew after an eviction goes on where the old one was: what a real model behind an API does too.
 */
export class ScriptedModel extends BaseChatModel {
  readonly #next: (messages: BaseMessage[]) => ScriptedTurn;

  constructor(next: (messages: BaseMessage[]) => ScriptedTurn) {
    super({});
    this.#next = next;
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
    }
    if (toolCalls.length === 0) return;
    const tool_call_chunks = toolCalls.map(({ id, name, args }, index) => ({
      id,
      name,
      args: JSON.stringify(args),
      index,
      type: "tool_call_chunk" as const,
    }));
    const message = new AIMessageChunk({ content: "", tool_call_chunks });
    yield new ChatGenerationChunk({ text: "", message });
  }
}
