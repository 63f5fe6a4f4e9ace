/** `task()`: subagents dispatched from code, through the agent's own `task` tool. */
import { CallHeld, type HostCallContext, type HostFunction } from "../../eval/host-functions.js";
import { isDeepAgentsTask, maxConcurrentSubagents, subagentTypes } from "../prompt/prompt-subagents.js";
import { applyUpdates, type CallEnvironment, invokeTool } from "../tools/invoke-tool.js";
import type { RequestTools } from "../tools/request-tools.js";
import { toError } from "../tools/tool-calls.js";
import { toGuestError } from "../tools/tool-error.js";
import { responseFormatConfigKey } from "./response-schema.js";
import { changesOf } from "./subagent-updates.js";
import { parseTaskRequest } from "./task-request.js";

/** `task` for one eval; `undefined` where code may not dispatch subagents. */
export function taskFunction(request: RequestTools, environment: CallEnvironment): HostFunction | undefined {
  const { task } = request;
  if (!task) return undefined;
  const tool = task === "by-name" ? undefined : task;
  const returnsState = !tool || isDeepAgentsTask(tool);
  const types = tool ? subagentTypes(tool).map(({ name }) => name) : [];
  const { maxSubagentCalls } = environment.options;
  const { held } = environment;
  const gate = new Gate(maxConcurrentSubagents);
  return async (input, context: HostCallContext) => {
    const { description, subagentType, responseSchema } = parseTaskRequest(input, types);
    if (maxSubagentCalls !== null && !held.hasRun(context.id) && ++held.subagentCalls > maxSubagentCalls) {
      throw new Error(
        `task: at most ${maxSubagentCalls} subagents per eval (maxSubagentCalls); ${held.subagentCalls - 1} ran.`,
      );
    }
    // Set in any case: the agent may be a subagent itself, and its own schema is not that of those below it.
    const adjust = (config: object) => {
      const { configurable } = config as { configurable?: object };
      return { ...config, configurable: { ...configurable, [responseFormatConfigKey]: responseSchema } };
    };
    return gate.run(async () => {
      context.signal.throwIfAborted();
      try {
        const { state } = environment;
        const given = state ? [...(held.hasRun(context.id) ? [state.input] : []), state.current()] : [];
        const args = { description, subagent_type: subagentType };
        const { value, updates } = await invokeTool(
          { tool, name: "task" },
          args,
          context,
          environment,
          adjust,
        );
        applyUpdates(returnsState ? changesOf(updates, ...given) : updates, context, environment);
        return responseSchema === undefined ? value : parsed(value);
      } catch (error) {
        if (error instanceof CallHeld) throw error;
        throw toError(
          toGuestError(error, { toolName: "task", policy: environment.options.describeToolError }),
        );
      }
    });
  };
}

/** With a schema the answer is JSON text; code gets the value. */
function parsed(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** Lets only so many run at once; the others wait in order. */
class Gate {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#free--;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}
