/**
 * Which tools code may call in one model request, and under which names. Owns the rules, not the calls: nothing here
 * invokes a tool or remembers one between requests.
 */
import { invalidOption } from "../../errors.js";

/** What is needed of a tool to call it; every client tool of LangChain has this shape. */
export interface CallableTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly schema?: unknown;
  readonly metadata?: Record<string, unknown> | undefined;
  invoke(input: unknown, config?: unknown): Promise<unknown>;
}

/** A name of one of the agent's tools, or a tool of its own. */
export type PtcEntry = string | CallableTool;

export interface ResolvedTool {
  /** The tool's own name, always callable as `tools["name"]`. */
  readonly name: string;
  /** The name after the dot; the same as `name` where the camel case form is no identifier. */
  readonly guestName: string;
  readonly tool: CallableTool;
}

export interface ResolvedTools {
  readonly tools: readonly ResolvedTool[];
  /** Names in the option that no tool of this request has. */
  readonly unknown: readonly string[];
}

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

/** True for a name that may stand after a dot. */
export function isIdentifier(name: string): boolean {
  return identifier.test(name);
}

/** `web_search` and `web-search` become `webSearch`; a name that has no identifier form stays as it is. */
export function toGuestName(name: string): string {
  const camelCase = name.replace(/[-_]([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return isIdentifier(camelCase) ? camelCase : name;
}

/** The expression that reaches a tool, for texts. */
export function toolExpression(guestName: string): string {
  return isIdentifier(guestName) ? `tools.${guestName}` : `tools[${JSON.stringify(guestName)}]`;
}

export function isCallableTool(value: unknown): value is CallableTool {
  if (typeof value !== "object" || value === null) return false;
  const { name, invoke } = value as Partial<CallableTool>;
  return typeof name === "string" && name !== "" && typeof invoke === "function";
}

/**
 * Checks the `ptc` option at construction; `undefined` means that code calls no tools.
 *
 * @throws {TypeError} for anything that can be known to be wrong before the first model request.
 */
export function validatePtcOption(value: unknown, toolName: string): readonly PtcEntry[] | undefined {
  if (value === undefined) return undefined;
  const allowed = "an array of tool names and tools";
  if (!Array.isArray(value)) throw invalidOption("ptc", value, allowed);
  const instances = new Map<string, CallableTool>();
  for (const [index, entry] of value.entries()) {
    const isName = typeof entry === "string" && entry !== "";
    if (!isName && !isCallableTool(entry))
      throw invalidOption(`ptc[${index}]`, entry, "the name of a tool or a tool");
    const name = typeof entry === "string" ? entry : entry.name;
    const reason = reservedReason(name, toolName);
    if (reason !== undefined) throw new TypeError(`\`ptc[${index}]\` is "${name}": ${reason}`);
    if (typeof entry === "string") continue;
    const earlier = instances.get(name);
    if (earlier !== undefined && earlier !== entry)
      throw new TypeError(`\`ptc\` has two different tools named "${name}"; rename one or leave one out.`);
    instances.set(name, entry);
  }
  checkCollisions([...instances.values()]);
  return [...value] as readonly PtcEntry[];
}

/**
 * The tools that code may call in this request, in the option's order. A tool given as an instance stands before the
 * agent's tool of the same name; a name that this request does not offer is reported, not refused, because
 * middleware may take tools away and add them between two requests.
 *
 * @throws {TypeError} when two tools would have the same name in code.
 */
export function resolveToolNames(
  entries: readonly PtcEntry[],
  requestTools: readonly unknown[],
): ResolvedTools {
  const instances = new Map<string, CallableTool>();
  for (const entry of entries) if (typeof entry !== "string") instances.set(entry.name, entry);
  const offered = new Map<string, CallableTool>();
  for (const tool of requestTools) if (isCallableTool(tool)) offered.set(tool.name, tool);

  const resolved = new Map<string, ResolvedTool>();
  const unknown = new Set<string>();
  for (const entry of entries) {
    const name = typeof entry === "string" ? entry : entry.name;
    const tool = instances.get(name) ?? offered.get(name);
    if (tool === undefined) unknown.add(name);
    else if (!resolved.has(name)) resolved.set(name, { name, guestName: toGuestName(name), tool });
  }
  const tools = [...resolved.values()];
  checkCollisions(tools);
  return { tools, unknown: [...unknown] };
}

/** Why a name cannot be one of `tools`, or nothing. */
function reservedReason(name: string, toolName: string): string | undefined {
  if (name === "task") return "subagents are called with `task()`, see the option `subagents`.";
  if (name === toolName) return "the interpreter cannot call itself.";
  if (name === "then") return "an object with a `then` cannot be awaited; give the tool another name.";
  if (name.startsWith("$")) return "names that start with `$` belong to the interpreter.";
  return undefined;
}

function checkCollisions(tools: readonly { readonly name: string }[]): void {
  const owners = new Map<string, string>();
  for (const { name } of tools) owners.set(name, name);
  for (const { name } of tools) {
    const guestName = toGuestName(name);
    const owner = owners.get(guestName);
    if (owner !== undefined && owner !== name)
      throw new TypeError(
        `\`ptc\`: the tools "${owner}" and "${name}" would both be ${toolExpression(guestName)} in code. Rename one or leave one out.`,
      );
    owners.set(guestName, name);
  }
}

/** The name that was probably meant, or nothing when none is near. */
export function suggestName(unknown: string, names: readonly string[]): string | undefined {
  const wanted = fold(unknown);
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  for (const name of names) {
    const distance = editDistance(wanted, fold(name), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}

function fold(name: string): string {
  return name
    .slice(0, 100)
    .toLowerCase()
    .replace(/[-_\s]/g, "");
}

/** Optimal string alignment distance: a swap of two neighbours counts once, because it is the commonest slip. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, beforeLast[j - 2]! + 1);
      row.push(cost);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length]!;
}
