/** The `eval` tool: one eval from the model's code to the message the model reads. */
import { ToolMessage } from "@langchain/core/messages";
import { type DynamicStructuredTool, tool } from "@langchain/core/tools";
import { Command } from "@langchain/langgraph";
import { z } from "zod/v4";
import type { ResolvedOptions } from "./options.js";
import { codeDescription, evalToolDescription } from "./prompt/prompt.js";

/** What LangChain hands to a tool beside its input. */
export interface EvalToolConfig {
  readonly toolCall?: { readonly id?: string } | undefined;
  readonly toolCallId?: string | undefined;
  readonly state?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly configurable?: Readonly<Record<string, unknown>> | undefined;
  readonly [key: string]: unknown;
}

export type RunEval = (code: string, config: EvalToolConfig) => Promise<ToolMessage | Command | string>;

export function createEvalTool(options: ResolvedOptions, run: RunEval): DynamicStructuredTool {
  const { toolName, mode } = options;
  const modules = options.modules !== undefined;
  return tool((input: { code: string }, config) => run(input.code, config as unknown as EvalToolConfig), {
    name: toolName,
    description: evalToolDescription({ mode, toolName, modules }),
    schema: z.strictObject({ code: z.string().describe(codeDescription(mode)) }),
    metadata: { ls_code_input_language: "javascript" },
  }) as unknown as DynamicStructuredTool;
}

export interface EvalMessage {
  readonly text: string;
  readonly failed: boolean;
  readonly toolName: string;
  readonly toolCallId: string | undefined;
  /** State updates of tools that code called, in call order, and our own. */
  readonly updates: readonly (readonly [key: string, value: unknown])[];
  /** Images and other blocks the code returned. */
  readonly blocks: readonly Readonly<Record<string, unknown>>[];
}

/** A message alone where the state does not change; outside an agent just the text. */
export function toToolAnswer(message: EvalMessage): ToolMessage | Command | string {
  const { text, failed, toolName, toolCallId, updates, blocks } = message;
  if (toolCallId === undefined) return text;
  const content = blocks.length === 0 ? text : [{ type: "text" as const, text }, ...blocks];
  const answer = new ToolMessage({
    content: content as string,
    tool_call_id: toolCallId,
    name: toolName,
    status: failed ? "error" : "success",
  });
  if (updates.length === 0) return answer;
  // A list keeps the order, and several updates of one key all reach its reducer.
  return new Command({
    update: [...updates.map(([key, value]) => [key, value] as [string, unknown]), ["messages", [answer]]],
  });
}
