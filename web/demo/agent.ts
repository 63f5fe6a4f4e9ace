/** The demo agent: the same in a tab, in a Durable Object and in a test. */
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { createSubAgentMiddleware } from "deepagents";
import { createAgent, type ReactAgent } from "langchain";
import { type CodeInterpreterOptions, createCodeInterpreterMiddleware } from "../../src/langchain/index.js";
import type { DataLibrary } from "./data-sets.js";
import { createDataTools } from "./data-tools.js";
import { createPageTools } from "./page-tools.js";
import { nextForAnalyst, nextScripted } from "./scenario.js";
import { ScriptedModel, type ScriptedModelOptions } from "./scripted-model.js";

export interface DemoAgentOptions {
  readonly library: DataLibrary;
  readonly checkpointer?: BaseCheckpointSaver;
  /** @default the script */
  readonly model?: BaseChatModel;
  readonly interpreter?: CodeInterpreterOptions;
  /** How the scripted model writes. */
  readonly script?: ScriptedModelOptions;
}

export function createDemoAgent(options: DemoAgentOptions): ReactAgent {
  const dataTools = createDataTools(options.library);
  const tools = [...dataTools, ...createPageTools()];
  const scripted = (next: (messages: BaseMessage[]) => ReturnType<typeof nextScripted>) =>
    new ScriptedModel(next, options.script);
  const model = options.model ?? scripted((messages) => nextScripted(messages));
  const { snapshots: _, interruptOn: __, ...engine } = options.interpreter ?? {};
  const analyst = {
    name: "analyst",
    description: "Judges one question about the data sets with a program of its own and answers briefly.",
    systemPrompt:
      "Answer the question about the data sets with code. Answer with what was asked for and nothing else.",
    model: options.model ?? scripted(nextForAnalyst),
    tools: dataTools,
    middleware: [
      createCodeInterpreterMiddleware({ ...engine, ptc: dataTools.map(({ name }) => name), mode: "call" }),
    ],
  };
  return createAgent({
    model,
    tools,
    systemPrompt:
      "You answer questions about data sets. Load and analyse rows with code; never read them one by one.",
    middleware: [
      createSubAgentMiddleware({ defaultModel: model, subagents: [analyst], generalPurposeAgent: false }),
      createCodeInterpreterMiddleware({
        ptc: tools.map(({ name }) => name),
        interruptOn: { publish_report: true },
        ...options.interpreter,
      }),
    ],
    ...(options.checkpointer ? { checkpointer: options.checkpointer } : {}),
  } as unknown as Parameters<typeof createAgent>[0]) as unknown as ReactAgent;
}
