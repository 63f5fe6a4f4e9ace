/** The model a person chose, loaded when it is needed. The key goes to the model's own address and nowhere else. */
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { ModelSettings } from "../settings.js";

/** A person waits: what is wrong should be said soon, and asking again is one click. */
const RETRIES = 1;

/** Undefined for the scripted demo. */
export async function createModel(settings: ModelSettings): Promise<BaseChatModel | undefined> {
  if (settings.kind === "openai") {
    const { ChatOpenAI } = await import("@langchain/openai");
    return new ChatOpenAI({
      model: settings.model,
      apiKey: settings.key || "none",
      streaming: true,
      maxRetries: RETRIES,
      configuration: { baseURL: settings.url, dangerouslyAllowBrowser: true },
    });
  }
  if (settings.kind === "anthropic") {
    const { ChatAnthropic } = await import("@langchain/anthropic");
    return new ChatAnthropic({
      model: settings.model,
      apiKey: settings.key,
      anthropicApiUrl: settings.url,
      maxRetries: RETRIES,
      clientOptions: { dangerouslyAllowBrowser: true },
    });
  }
  if (settings.kind === "browser") return new (await import("./browser-model.js")).BrowserModel();
  return undefined;
}
