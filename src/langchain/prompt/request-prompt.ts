/** The section of the system prompt for one model request: what code may call is the request's, the rest the options'. */
import { SystemMessage } from "@langchain/core/messages";
import { BUILTIN_NAMES } from "../../builtin-names.js";
import { moduleNames } from "../../session/module-source.js";
import { approvalNeed, policyOf } from "../approvals/approval-policy.js";
import type { ResolvedOptions } from "../options.js";
import type { RequestTools } from "../tools/request-tools.js";
import { systemPrompt } from "./prompt.js";
import { helperSentences } from "./prompt-helpers.js";
import { subagentTypes } from "./prompt-subagents.js";
import { signatureOf } from "./signatures.js";

/** The agent's system message with the section behind it. */
export function withPrompt(
  message: SystemMessage | undefined,
  options: ResolvedOptions,
  tools: RequestTools,
): SystemMessage {
  const text = promptFor(options, tools);
  return message ? appendText(message, text) : new SystemMessage(text);
}

function promptFor(options: ResolvedOptions, { tools, task }: RequestTools): string {
  const { limits } = options;
  return systemPrompt({
    toolName: options.toolName,
    mode: options.mode,
    builtIns: [...BUILTIN_NAMES, "setInterval", "setTimeout"],
    modules: options.modules && moduleNames(options.modules),
    executionTimeoutMs: limits.executionTimeoutMs,
    memoryLimitBytes: limits.memoryLimitBytes,
    maxResultChars: options.maxResultChars,
    maxPtcCalls: limits.maxHostCalls,
    captureConsole: options.captureConsole,
    clock: options.clock !== undefined,
    tools: tools.map(({ name, guestName, tool }) => ({
      name,
      guestName,
      declaration: tool
        ? signatureOf(tool, guestName).declaration
        : `${guestName}(input: object): Promise<unknown>;`,
    })),
    subagents: typeof task === "object" ? subagentTypes(task) : undefined,
    approvals: new Map(
      [...tools, { name: "task", guestName: "task" }].flatMap((tool) => {
        const policy = policyOf(options.interruptOn, tool);
        return policy ? [[tool.guestName, approvalNeed(policy)]] : [];
      }),
    ),
    systemPrompt: options.systemPrompt,
    helpers: helperSentences,
  });
}

/** A section of its own, apart from the agent's text by a blank line; content blocks are kept. */
function appendText(message: SystemMessage, text: string): SystemMessage {
  const { content } = message;
  if (typeof content === "string") return new SystemMessage(content === "" ? text : `${content}\n\n${text}`);
  return new SystemMessage({ content: [...content, { type: "text", text: `\n\n${text}` }] });
}
