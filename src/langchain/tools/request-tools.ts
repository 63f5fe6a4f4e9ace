/**
 * What code may call after one model request. Kept per AI message, never per middleware: two agents may share one
 * middleware, and the tools of an agent may change between two of its requests.
 */
import type { BaseMessage } from "@langchain/core/messages";
import type { ResolvedOptions } from "../options.js";
import { isDeepAgentsReadFile } from "./read-file.js";
import type { ResultKinds } from "./result-kinds.js";
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

/** What can be told of the results before any tool has been called. */
export function expectedResults({ tools }: RequestTools): ResultKinds {
  const files = tools.filter(({ tool }) => tool && isDeepAgentsReadFile(tool));
  return Object.fromEntries(files.map(({ name }) => [name, "file"]));
}

/** Calls of sessions, read from checkpoints since, whose tools are remembered. */
const MAX_REMEMBERED = 200;

/**
 * Which tools each AI message was given, for as long as the message object lives. After a pause it is another object,
 * so the calls of the latest messages are known by the session and their id as well.
 */
export class ToolsByMessage {
  readonly #known = new WeakMap<BaseMessage, RequestTools>();
  readonly #byCall = new Map<string, RequestTools>();

  remember(message: BaseMessage, tools: RequestTools, session: string | undefined): void {
    this.#known.set(message, tools);
    if (session === undefined) return;
    for (const { id } of (message as AIMessageLike).tool_calls ?? []) {
      const key = `${session} ${id}`;
      this.#byCall.delete(key);
      this.#byCall.set(key, tools);
    }
    for (const key of this.#byCall.keys()) {
      if (this.#byCall.size <= MAX_REMEMBERED) break;
      this.#byCall.delete(key);
    }
  }

  /** Of the message that asked for this tool call. */
  find(
    messages: readonly BaseMessage[] | undefined,
    toolCallId: string | undefined,
    session: string | undefined,
  ): RequestTools | undefined {
    const message = messageOfCall(messages, toolCallId);
    return message && (this.#known.get(message) ?? this.#byCall.get(`${session} ${toolCallId}`));
  }
}

/** The message that asked for a tool call. */
export function messageOfCall(
  messages: readonly BaseMessage[] | undefined,
  toolCallId: string | undefined,
): BaseMessage | undefined {
  return messages?.findLast((message) =>
    (message as AIMessageLike).tool_calls?.some(({ id }) => id === toolCallId),
  );
}

type AIMessageLike = BaseMessage & { tool_calls?: { id?: string }[] };
