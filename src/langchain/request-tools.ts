/**
 * What code may call after one model request. Kept per AI message, never per middleware: two agents may share one
 * middleware, and the tools of an agent may change between two of its requests.
 */
import type { BaseMessage } from "@langchain/core/messages";
import type { ResolvedOptions } from "./options.js";
import {
  type CallableTool,
  isCallableTool,
  type ResolvedTool,
  resolveToolNames,
  toGuestName,
} from "./tool-names.js";

export interface RequestTools {
  /** In the order of the `ptc` option; empty where it is off. */
  readonly tools: readonly AllowedTool[];
  /** Deep Agents' `task` tool, when code may dispatch subagents. */
  readonly task: CallableTool | "by-name" | undefined;
}

/** `tool` is absent after a resume in a process that has seen no model request: it is then run by its name. */
export interface AllowedTool extends Omit<ResolvedTool, "tool"> {
  readonly tool: CallableTool | undefined;
}

/** @throws {TypeError} when two tools would have the same name in code. */
export function resolveRequestTools(
  options: ResolvedOptions,
  requestTools: readonly unknown[],
): RequestTools {
  const task = requestTools.find(
    (tool): tool is CallableTool => isCallableTool(tool) && tool.name === "task",
  );
  return {
    tools: options.ptc ? resolveToolNames(options.ptc, requestTools).tools : [],
    task: options.subagents ? task : undefined,
  };
}

/** The same from names that were written into the state, with the tools the option itself brought along. */
export function restoreRequestTools(
  options: ResolvedOptions,
  names: readonly string[] | undefined,
): RequestTools {
  const own = new Map<string, CallableTool>();
  for (const entry of options.ptc ?? []) if (typeof entry !== "string") own.set(entry.name, entry);
  const listed = names ?? [...own.keys()];
  const tools = listed
    .filter((name) => name !== "task")
    .map((name) => ({ name, guestName: toGuestName(name), tool: own.get(name) }));
  return { tools, task: options.subagents && listed.includes("task") ? "by-name" : undefined };
}

export function toolNames(request: RequestTools): string[] {
  return [...request.tools.map(({ name }) => name), ...(request.task ? ["task"] : [])];
}

/** Which tools each AI message was given, for as long as the message object lives. */
export class ToolsByMessage {
  readonly #known = new WeakMap<BaseMessage, RequestTools>();

  remember(message: BaseMessage, tools: RequestTools): void {
    this.#known.set(message, tools);
  }

  /** Of the message that asked for this tool call. */
  find(
    messages: readonly BaseMessage[] | undefined,
    toolCallId: string | undefined,
  ): RequestTools | undefined {
    for (let index = (messages?.length ?? 0) - 1; index >= 0; index--) {
      const message = messages?.[index] as BaseMessage & { tool_calls?: { id?: string }[] };
      if (message.tool_calls?.some(({ id }) => id === toolCallId)) return this.#known.get(message);
    }
    return undefined;
  }
}
