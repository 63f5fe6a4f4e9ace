/** `tools.$search` and `tools.$describe`: how code finds its way among more tools than a prompt should list. */
import { comment } from "../prompt/source-text.js";
import { suggestName, toolExpression } from "./tool-names.js";

export interface LookupTool {
  readonly name: string;
  readonly guestName: string;
  readonly description?: string | undefined;
  /** The longest signature there is of it. */
  readonly declaration: string;
}

export interface FoundTool {
  readonly name: string;
  readonly description: string;
  /** Where it is short; otherwise `$describe` has it. */
  readonly signature?: string;
}

const maxFound = 10;
const maxFoundSignature = 400;

/**
 * The tools that fit the words best, ten at most; an empty query lists the first ones. Tools sort by name where they
 * fit alike, so the same question has the same answer.
 */
export function searchTools(query: unknown, tools: readonly LookupTool[]): FoundTool[] {
  const words = wordsOf(typeof query === "string" ? query : "");
  const scored = tools.map((tool) => ({ tool, score: score(words, tool) }));
  return scored
    .filter(({ score }) => words.length === 0 || score > 0)
    .sort((a, b) => b.score - a.score || (a.tool.guestName < b.tool.guestName ? -1 : 1))
    .slice(0, maxFound)
    .map(({ tool: { guestName, description, declaration } }) => ({
      name: guestName,
      description: comment(description ?? "", 160),
      ...(declaration.length <= maxFoundSignature ? { signature: declaration } : {}),
    }));
}

/**
 * The whole signature of one tool, under either of its names.
 *
 * @throws {TypeError} for a name that no tool has, with the nearest one.
 */
export function describeTool(name: unknown, tools: readonly LookupTool[]): string {
  const tool = tools.find((candidate) => candidate.guestName === name || candidate.name === name);
  if (tool !== undefined) return tool.declaration;
  throw new TypeError(unknownTool(String(name), tools));
}

/** What code is told that calls a tool which is not there. */
export function unknownTool(name: string, tools: readonly { readonly guestName: string }[]): string {
  const names = tools.map(({ guestName }) => guestName);
  const near = suggestName(name, names);
  if (near !== undefined)
    return `There is no tool "${comment(name, 60)}"; did you mean ${toolExpression(near)}? Object.keys(tools) lists them all, tools.$search("words") finds them.`;
  if (names.length === 0) return `There is no tool "${comment(name, 60)}": code has no tools here.`;
  const all = [...names].sort().join(", ");
  const list = comment(all, 300);
  const rest =
    list.length < all.length ? ' Object.keys(tools) lists them all, tools.$search("words") finds them.' : "";
  return `There is no tool "${comment(name, 60)}". There are: ${list}.${rest}`;
}

function score(words: readonly string[], tool: LookupTool): number {
  const names = new Set([...wordsOf(tool.name), ...wordsOf(tool.guestName)]);
  const description = wordsOf(tool.description ?? "");
  const fields = wordsOf(tool.declaration);
  let sum = 0;
  for (const word of words) {
    if (names.has(word)) sum += 8;
    else if ([...names].some((name) => near(name, word))) sum += 5;
    if (description.some((other) => near(other, word))) sum += 3;
    else if (fields.some((other) => near(other, word))) sum += 1;
  }
  return sum;
}

/** Forms of one word ("search", "searches") begin alike. */
function near(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length);
  return length >= 3 && (a.startsWith(b) || b.startsWith(a)) && Math.abs(a.length - b.length) <= 3;
}

function wordsOf(text: string): string[] {
  const apart = text.slice(0, 4000).replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2");
  return [...new Set(apart.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
}
