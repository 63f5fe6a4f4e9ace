/** The demo agent: the same in a tab, in a Durable Object and in a test. */
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { createAgent, type ReactAgent } from "langchain";
import { type CodeInterpreterOptions, createCodeInterpreterMiddleware } from "../../src/langchain/index.js";
import type { DataLibrary } from "./data-sets.js";
import { createDataTools } from "./data-tools.js";
import { nextScripted } from "./scenario.js";
import { ScriptedModel } from "./scripted-model.js";

export interface DemoAgentOptions {
  readonly library: DataLibrary;
  readonly checkpointer?: BaseCheckpointSaver;
  /** @default the script */
  readonly model?: BaseChatModel;
  readonly interpreter?: CodeInterpreterOptions;
}

export function createDemoAgent(options: DemoAgentOptions): ReactAgent {
  const tools = createDataTools(options.library);
  const model = options.model ?? new ScriptedModel((messages: BaseMessage[]) => nextScripted(messages));
  return createAgent({
    model,
    tools,
    systemPrompt:
      "You answer questions about data sets. Load and analyse rows with code; never read them one by one.",
    middleware: [
      createCodeInterpreterMiddleware({ ptc: tools.map(({ name }) => name), ...options.interpreter }),
    ],
    ...(options.checkpointer ? { checkpointer: options.checkpointer } : {}),
  }) as unknown as ReactAgent;
}
