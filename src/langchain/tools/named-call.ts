/**
 * A call of a tool that is only known by its name. After a resume in another process nothing has shown us the agent's
 * tools yet; the tool node finds them by name, but takes the config from its own step.
 */
import type { ToolCallRequest } from "langchain";

type ToolCall = ToolCallRequest["toolCall"];

/**
 * The call, with a config that the tool node picks up. It reads the call's name to find the tool and passes its own
 * config on in the same synchronous stretch, so that is how long the parts that are ours are in place, however many
 * calls run beside it.
 */
export function namedCall(
  toolCall: ToolCall,
  runtime: { readonly configurable?: unknown },
  configFor: (config: object) => object,
): ToolCall {
  const target = runtime.configurable as Record<string, unknown> | undefined;
  if (!target) return toolCall;
  const original = { ...target };
  const { name } = toolCall;
  return Object.defineProperty({ ...toolCall }, "name", {
    enumerable: true,
    get: () => {
      const { configurable } = configFor({ configurable: original }) as { configurable?: object };
      Object.assign(target, configurable);
      queueMicrotask(() => Object.assign(target, original));
      return name;
    },
  });
}
