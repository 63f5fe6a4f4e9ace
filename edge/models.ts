import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { type WorkersAi, WorkersAiModel } from "./workers-ai-model.js";

/** Which model the sample's agent talks to. Keys are secrets of the Worker (`.dev.vars` in development). */
export interface ModelEnv {
  /**
   * `openai:NAME`, `anthropic:NAME` or `workers-ai:NAME`. Without it the scripted demo answers.
   *
   * @default "demo"
   */
  readonly MODEL?: string;
  readonly OPENAI_API_KEY?: string;
  /** Any endpoint that speaks OpenAI's chat completions. @default OpenAI's own */
  readonly OPENAI_BASE_URL?: string;
  readonly ANTHROPIC_API_KEY?: string;
  /** Any endpoint that speaks Anthropic's messages, a gateway say. @default Anthropic's own */
  readonly ANTHROPIC_BASE_URL?: string;
  readonly AI?: WorkersAi;
}

/**
 * The model that `env.MODEL` names, or undefined for the demo. The clients are loaded when they are needed: an agent
 * that uses neither pays for neither at its start.
 *
 * @throws {TypeError} when the name is of no known kind, or what it needs is not configured
 */
export async function createModel(env: ModelEnv): Promise<BaseChatModel | undefined> {
  const { MODEL = "demo" } = env;
  if (MODEL === "demo") return undefined;
  const colon = MODEL.indexOf(":");
  const [kind, model] = [MODEL.slice(0, colon), MODEL.slice(colon + 1)];
  if (kind === "openai") {
    const { ChatOpenAI } = await import("@langchain/openai");
    // Endpoints without keys (a local model) still get a header; the client insists on one.
    const apiKey = env.OPENAI_BASE_URL ? (env.OPENAI_API_KEY ?? "none") : needed(env, "OPENAI_API_KEY");
    const configuration = env.OPENAI_BASE_URL ? { baseURL: env.OPENAI_BASE_URL } : {};
    return new ChatOpenAI({ model, apiKey, configuration });
  }
  if (kind === "anthropic") {
    const { ChatAnthropic } = await import("@langchain/anthropic");
    const endpoint = env.ANTHROPIC_BASE_URL ? { anthropicApiUrl: env.ANTHROPIC_BASE_URL } : {};
    return new ChatAnthropic({ model, apiKey: needed(env, "ANTHROPIC_API_KEY"), ...endpoint });
  }
  if (kind === "workers-ai") return new WorkersAiModel(needed(env, "AI"), model);
  throw new TypeError(
    `MODEL must be "demo", "openai:NAME", "anthropic:NAME" or "workers-ai:NAME", but it is ${JSON.stringify(MODEL)}.`,
  );
}

function needed<Key extends keyof ModelEnv>(env: ModelEnv, key: Key): NonNullable<ModelEnv[Key]> {
  const value = env[key];
  if (!value) throw new TypeError(`MODEL is ${JSON.stringify(env.MODEL)}, which needs ${key}.`);
  return value;
}
