/**
 * Approvals that are asked for elsewhere. `humanInTheLoopMiddleware` looks at what the model calls, never at what code
 * calls, so a tool that is gated there and offered to code needs an entry in our `interruptOn` as well. What that
 * middleware was constructed with cannot be seen from here; what a run hands to it in its context can.
 */
import type { ResolvedOptions } from "../options.js";
import type { RequestTools } from "../tools/request-tools.js";

/** The names of tools that the run's context gates and this middleware does not. */
export function gatedElsewhere(
  { interruptOn }: Pick<ResolvedOptions, "interruptOn">,
  { tools }: RequestTools,
  context: unknown,
): string[] {
  const other = (context as { interruptOn?: unknown } | null | undefined)?.interruptOn;
  if (typeof other !== "object" || other === null) return [];
  return tools
    .filter(({ name, guestName }) => {
      const entry = Object.hasOwn(other, name) && (other as Record<string, unknown>)[name];
      return Boolean(entry) && !interruptOn.has(name) && !interruptOn.has(guestName);
    })
    .map(({ name }) => name);
}

export function otherGatesWarning(names: readonly string[]): string {
  return `Code may call ${names.join(", ")} without an approval: humanInTheLoopMiddleware sees only what the model calls itself. Name them in the interruptOn option of createCodeInterpreterMiddleware as well.`;
}
