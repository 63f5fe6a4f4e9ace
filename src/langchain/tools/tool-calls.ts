/** Calls from code to the agent's tools, for one eval: values in, values out, state updates applied as they come. */
import {
  CallHeld,
  type HostCallContext,
  type HostFunction,
  type HostFunctionSource,
} from "../../eval/host-functions.js";
import { signatureOf } from "../prompt/signatures.js";
import { applyUpdates, type CallEnvironment, invokeTool } from "./invoke-tool.js";
import { isDeepAgentsReadFile, readFileExactly } from "./read-file.js";
import type { AllowedTool, RequestTools } from "./request-tools.js";
import { toGuestError } from "./tool-error.js";
import { toToolInput } from "./tool-input.js";
import { describeTool, searchTools, unknownTool } from "./tool-lookup.js";

export interface OfferedTools extends HostFunctionSource {
  /** What the model should know about names that its code looked up in vain, caught or not. */
  missingNotes(): string[];
}

/** Read of any object by the language, by `await` or by a printer; nobody means a tool by them. */
const protocolNames = new Set(["then", "toJSON", "constructor", "toString", "valueOf", "inspect", "length"]);
const maxMissingNotes = 3;

/** Both names of a tool reach it; the list has the one after the dot. */
export function toolFunctions(request: RequestTools, environment: CallEnvironment): OfferedTools {
  const byName = new Map<string, HostFunction>();
  for (const tool of request.tools) {
    const call: HostFunction = (input, context) => callTool(tool, input, context, environment);
    byName.set(tool.name, call).set(tool.guestName, call);
  }
  const described = () =>
    request.tools.map(({ name, guestName, tool }) => ({
      name,
      guestName,
      description: tool?.description,
      declaration: tool
        ? signatureOf(tool, guestName).declaration
        : `${guestName}(input: object): Promise<unknown>;`,
    }));
  byName.set("$search", (query) => searchTools(query, described()));
  byName.set("$describe", (name) => describeTool(name, described()));
  const names = request.tools.map(({ guestName }) => guestName);
  const missing = new Set<string>();
  const textFor = (name: string) =>
    name === "task" && request.task
      ? "Subagents are started with `task()`, not with `tools.task()`."
      : unknownTool(name, request.tools);
  return {
    names: () => names,
    others: () => [...byName.keys()],
    get: (name) => {
      const found = byName.get(name);
      if (!found && missing.size < maxMissingNotes && !protocolNames.has(name)) missing.add(name);
      return found;
    },
    missing: textFor,
    missingNotes: () => [...missing].map(textFor),
  };
}

async function callTool(
  allowed: AllowedTool,
  argument: unknown,
  context: HostCallContext,
  environment: CallEnvironment,
): Promise<unknown> {
  const { tool, name, guestName } = allowed;
  const input = tool ? toToolInput(argument, tool) : ((argument ?? {}) as Record<string, unknown>);
  try {
    if (tool ? isDeepAgentsReadFile(tool) : environment.results.of(name) === "file") {
      const read = async (page: Record<string, unknown>) => {
        const result = await invokeTool(allowed, page, context, environment);
        return result.value;
      };
      return await readFileExactly(input, { read, state: environment.state?.current() });
    }
    const { value, updates } = await invokeTool(allowed, input, context, environment);
    applyUpdates(updates, { id: context.id, name }, environment);
    return value;
  } catch (error) {
    if (error instanceof CallHeld) throw error;
    throw toError(
      toGuestError(error, {
        toolName: name,
        tool,
        input,
        signature: tool && signatureOf(tool, guestName).declaration,
        policy: environment.options.describeToolError,
      }),
    );
  }
}

export function toError({ name, message, data }: { name: string; message: string; data?: unknown }): Error {
  return Object.assign(new Error(message), { name }, data === undefined ? {} : { data });
}
