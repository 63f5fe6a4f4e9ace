/** One call of a tool or of a subagent: through the middleware around it, with a config of its own. */
import { ToolMessage } from "@langchain/core/messages";
import type { ToolCallHandler, ToolCallRequest } from "langchain";
import { CallHeld, type HostCallContext } from "../../eval/host-functions.js";
import type { HeldCalls } from "../approvals/held-calls.js";
import { runWithConfig } from "../approvals/task-interrupts.js";
import type { EvalToolConfig } from "../eval-tool.js";
import type { ResolvedOptions } from "../options.js";
import type { GraphState } from "../state/graph-state.js";
import { namedCall } from "./named-call.js";
import { recordResult } from "./raw-result.js";
import type { AllowedTool } from "./request-tools.js";
import type { SeenResults } from "./result-kinds.js";
import { type GuestResult, toGuestValue } from "./tool-result.js";

type AgentState = ToolCallRequest["state"];

/** What only `wrapToolCall` knows: the way to the agent's other tools and to the middleware around them. */
export interface AgentAccess {
  readonly request: ToolCallRequest;
  readonly handler: ToolCallHandler;
}

/** What every call of one eval shares. */
export interface CallEnvironment {
  readonly options: ResolvedOptions;
  readonly config: EvalToolConfig;
  readonly agent: AgentAccess | undefined;
  readonly state: GraphState | undefined;
  /** Calls that wait for a person, and the way interrupts inside a tool are answered. */
  readonly held: HeldCalls;
  readonly results: SeenResults;
  /** Of the eval itself; calls get ids of their own derived from it. */
  readonly toolCallId: string | undefined;
}

/** Success must not hide a lost update: where there is no graph to write to, the call fails. */
export function applyUpdates(
  updates: GuestResult["updates"],
  { id, name }: Pick<HostCallContext, "id" | "name">,
  { state }: CallEnvironment,
): void {
  if (updates.length === 0) return;
  if (!state) throw new Error(`${name} changes the agent's state, and there is no agent here to change.`);
  state.write(id, updates);
}

/**
 * Runs a tool through the middleware around it where there is an agent, directly where there is none.
 *
 * @throws {CallHeld} when the tool, or a graph in it, interrupted: the eval pauses and the call runs again to go on.
 */
export async function invokeTool(
  tool: Pick<AllowedTool, "tool" | "name">,
  args: Record<string, unknown>,
  context: HostCallContext,
  environment: CallEnvironment,
  adjust?: (config: object) => object,
): Promise<GuestResult> {
  const { held, state } = environment;
  try {
    const result = await invokeOnce(tool, args, context, environment, adjust);
    held.settle(context.id);
    return result;
  } catch (error) {
    const heldError = held.hold(context.id, error);
    // It runs again from its beginning, and writes again.
    if (heldError instanceof CallHeld) state?.withdraw(context.id);
    throw heldError ?? error;
  }
}

async function invokeOnce(
  { tool, name }: Pick<AllowedTool, "tool" | "name">,
  args: Record<string, unknown>,
  context: HostCallContext,
  environment: CallEnvironment,
  adjust: (config: object) => object = (config) => config,
): Promise<GuestResult> {
  const { agent, config, state, toolCallId, held, options } = environment;
  const id = `${toolCallId ?? "eval"}_${context.id}`;
  const toolCall = { name, args, id, type: "tool_call" as const };
  const configFor = (given: unknown): object => {
    const own = ownConfig(given as object, config, { toolCall, toolCallId: id, signal: context.signal });
    return adjust(held.configFor(context.id, state ? state.configFor(own, context.id) : own));
  };
  if (agent) {
    const { handler } = agent;
    const request = { ...agent.request, state: (state?.current() ?? agent.request.state) as AgentState };
    const { wrapToolCall } = options;
    const run: ToolCallHandler = wrapToolCall
      ? async (wrapped) => wrapToolCall(wrapped, handler) as ReturnType<ToolCallHandler>
      : handler;
    if (tool) {
      const recorded = recordResult(tool, configFor);
      let answer: unknown;
      try {
        answer = await run({ ...request, toolCall, tool: recorded.tool as typeof request.tool });
      } catch (error) {
        throw recorded.failure(error);
      }
      return noted(recorded.result(answer), name, environment);
    }
    const call = namedCall(toolCall, request.runtime, configFor);
    const answer = await runWithConfig(configFor(config), () =>
      run({ ...request, toolCall: call, tool: undefined }),
    );
    return fromText(toGuestValue(answer), answer, name, environment);
  }
  if (!tool) throw new Error(`There is no way to reach the tool ${name} here.`);
  const recorded = recordResult(tool, configFor);
  return noted(recorded.result(await recorded.tool.invoke(toolCall, config)), name, environment);
}

function noted(result: GuestResult, name: string, { results }: CallEnvironment): GuestResult {
  results.note(name, result.value);
  return result;
}

/**
 * The config of one call: everything the step has, but traced under the eval's own run, and ended with the eval. A
 * graph inside the tool listens to the signals of the graph around it instead of the one it is given, so it gets ours
 * there as well.
 */
function ownConfig(
  given: object,
  { callbacks }: EvalToolConfig,
  own: { readonly toolCall: object; readonly toolCallId: string; readonly signal: AbortSignal },
): object {
  const { configurable } = given as { configurable?: Readonly<Record<string, unknown>> };
  const signals = configurable?.["__pregel_abort_signals"];
  const ended = { ...(signals as object | undefined), externalAbortSignal: own.signal };
  return {
    ...given,
    ...(callbacks === undefined ? {} : { callbacks }),
    configurable: { ...configurable, __pregel_abort_signals: ended },
    ...own,
  };
}

/** A tool that is only known by its name answers with text; a subagent's answer is one. */
function fromText(
  result: GuestResult,
  answer: unknown,
  name: string,
  { results }: CallEnvironment,
): GuestResult {
  if (!ToolMessage.isInstance(answer) || typeof result.value !== "string" || name === "task") return result;
  return { ...result, value: results.fromText(name, result.value) };
}
