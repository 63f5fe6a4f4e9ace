import type { BaseLanguageModelInput } from "@langchain/core/language_models/base";
import { BaseChatModel, type BindToolsInput } from "@langchain/core/language_models/chat_models";
import { AIMessage, type AIMessageChunk, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import type { Runnable } from "@langchain/core/runnables";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";

/** The part of the Workers AI binding that is used. */
export interface WorkersAi {
  run(model: string, input: Record<string, unknown>): Promise<unknown>;
}

/** A model of Workers AI through its binding: no key, no URL. Answers come whole, not token by token. */
export class WorkersAiModel extends BaseChatModel {
  readonly #ai: WorkersAi;
  readonly #model: string;
  readonly #tools: readonly BindToolsInput[];

  constructor(ai: WorkersAi, model: string, tools: readonly BindToolsInput[] = []) {
    super({});
    this.#ai = ai;
    this.#model = model;
    this.#tools = tools;
  }

  _llmType(): string {
    return "workers-ai";
  }

  override bindTools(tools: BindToolsInput[]): Runnable<BaseLanguageModelInput, AIMessageChunk> {
    return new WorkersAiModel(this.#ai, this.#model, tools) as unknown as Runnable<
      BaseLanguageModelInput,
      AIMessageChunk
    >;
  }

  async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const answer = await this.#ai.run(this.#model, {
      messages: messages.map(toWire),
      ...(this.#tools.length > 0
        ? { tools: this.#tools.map((tool) => convertToOpenAITool(tool as never)) }
        : {}),
    });
    const message = fromWire(answer);
    return { generations: [{ text: message.text, message }] };
  }
}

const ROLES: Record<string, string> = { human: "user", ai: "assistant", system: "system", tool: "tool" };

function toWire(message: BaseMessage): Record<string, unknown> {
  const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
  return {
    role: ROLES[message.type] ?? "user",
    content: message.text,
    ...(message instanceof ToolMessage ? { tool_call_id: message.tool_call_id } : {}),
    ...(calls.length > 0
      ? {
          tool_calls: calls.map(({ id, name, args }) => ({
            id,
            type: "function",
            function: { name, arguments: JSON.stringify(args) },
          })),
        }
      : {}),
  };
}

interface WireCall {
  id?: string;
  name?: string;
  arguments?: unknown;
  function?: { name: string; arguments: unknown };
}

/** Older models answer `{ response, tool_calls }`, newer ones in OpenAI's shape. */
function fromWire(answer: unknown): AIMessage {
  const { response, tool_calls, choices } = answer as {
    response?: unknown;
    tool_calls?: WireCall[];
    choices?: { message: { content?: string | null; tool_calls?: WireCall[] } }[];
  };
  const message = choices?.[0]?.message;
  const content = message?.content ?? response ?? "";
  return new AIMessage({
    content: typeof content === "string" ? content : JSON.stringify(content),
    tool_calls: (message?.tool_calls ?? tool_calls ?? []).map((call) => {
      const args = call.function?.arguments ?? call.arguments ?? {};
      return {
        id: call.id ?? crypto.randomUUID(),
        name: call.function?.name ?? call.name ?? "",
        args: typeof args === "string" ? JSON.parse(args || "{}") : args,
        type: "tool_call" as const,
      };
    }),
  });
}
