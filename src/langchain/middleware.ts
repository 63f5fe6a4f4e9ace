/** `createCodeInterpreterMiddleware`: the interpreter as a middleware of `createAgent` and `createDeepAgent`. */
import { AIMessage } from "@langchain/core/messages";
import type { DynamicStructuredTool } from "@langchain/core/tools";
import { Command } from "@langchain/langgraph";
import {
  type AgentMiddleware,
  createMiddleware,
  type ToolCallHandler,
  type ToolCallRequest,
} from "langchain";
import type { z } from "zod/v4";
import { gatedElsewhere, otherGatesWarning } from "./approvals/other-gates.js";
import { answerCancelled } from "./cancelled-evals.js";
import { EvalRunner } from "./eval-runner.js";
import { createEvalTool } from "./eval-tool.js";
import type { CodeInterpreterOptions } from "./options.js";
import { withPrompt } from "./prompt/request-prompt.js";
import { resolveOptions } from "./resolve-options.js";
import {
  type InterpreterState,
  interpreterStateSchema,
  readInterpreterState,
} from "./state/interpreter-state.js";
import type { StepConfig } from "./step-identity.js";
import { resolveRequestTools, ToolsByMessage } from "./tools/request-tools.js";

/** The tool the model sees, as types: an agent's messages know its calls and their `{ code }` by name. */
export type EvalTool<Name extends string = "eval"> = DynamicStructuredTool<
  z.ZodObject<{ code: z.ZodString }>,
  { code: string },
  { code: string },
  string,
  unknown,
  Name
>;

/** As `createAgent` sees the middleware: one tool, a private state key, nothing in the agent's input, output or context. */
export type CodeInterpreterMiddleware<Name extends string = "eval"> = AgentMiddleware<
  typeof interpreterStateSchema,
  undefined,
  unknown,
  readonly [EvalTool<Name>]
>;

/**
 * Gives an agent an `eval` tool: a persistent, sandboxed JavaScript and TypeScript workspace.
 *
 * The same middleware instance may serve any number of agents, threads and parallel runs; each thread has a session
 * of its own. Nothing is loaded before the first eval.
 *
 * @throws {TypeError} for an option that is wrong, with its name, its value and what is allowed.
 * @example
 * ```ts
 * const agent = createAgent({ model, tools: [search], middleware: [createCodeInterpreterMiddleware({ ptc: ["search"] })] });
 * ```
 */
export function createCodeInterpreterMiddleware<const Name extends string = "eval">(
  options: CodeInterpreterOptions & { readonly toolName?: Name | undefined } = {},
): CodeInterpreterMiddleware<NoInfer<Name>> {
  const resolved = resolveOptions(options);
  const toolsByMessage = new ToolsByMessage();
  const runner = new EvalRunner(resolved, toolsByMessage);
  const warned = new Set<string>();
  const evalTool = createEvalTool(resolved, (code, config) => runner.run(code, config));
  const { toolName, mode } = resolved;
  const endTurn = (state: unknown) => {
    const ours = readInterpreterState(state);
    if (!ours) return undefined;
    runner.forget(ours.session);
    return { _interpreter: null };
  };
  return createMiddleware({
    name: "CodeInterpreterMiddleware",
    stateSchema: interpreterStateSchema,
    tools: [evalTool],
    async wrapModelCall(request, handler) {
      const tools = resolveRequestTools(resolved, request.tools);
      const ungated = gatedElsewhere(resolved, tools, request.runtime.context).filter(
        (name) => !warned.has(name),
      );
      for (const name of ungated) warned.add(name);
      if (ungated.length > 0) console.warn(otherGatesWarning(ungated));
      const systemMessage = withPrompt(request.systemMessage, resolved, tools);
      const messages = answerCancelled(request.messages, toolName) as typeof request.messages;
      const answer = await handler({ ...request, messages, systemMessage });
      const message = answer as AIMessage | Command;
      if (!(message instanceof AIMessage)) return answer;
      const state = readInterpreterState(request.state);
      let update: InterpreterState | undefined;
      if (message.tool_calls?.some(({ name }) => name === toolName)) {
        update = runner.stateForRequest(state, tools);
        toolsByMessage.remember(message, tools, (update ?? state)?.session);
      } else if (state && !message.tool_calls?.length) {
        update = await runner.finishTurn(state, request.runtime as unknown as StepConfig);
      }
      // The model's message stays what it is; the command only adds to the state of the same step.
      return update ? new Command({ update: { _interpreter: update } }) : answer;
    },
    wrapToolCall(request, handler) {
      if (request.toolCall.name !== toolName) return handler(request);
      const run = createEvalTool(resolved, (code, config) => {
        const access = {
          request: request as ToolCallRequest,
          handler: handler as unknown as ToolCallHandler,
        };
        return runner.run(code, config, access);
      });
      return handler({ ...request, tool: run });
    },
    ...(mode === "turn"
      ? {
          // Both: a turn that failed has no end, and its variables are gone when the next one starts.
          beforeAgent: endTurn,
          afterAgent: endTurn,
        }
      : {}),
  }) as unknown as CodeInterpreterMiddleware<Name>;
}
