/** The part of the prompt about `tools`. */
import type { ApprovalNeed } from "../approvals/approval-policy.js";
import { toolExpression } from "../tools/tool-names.js";
import type { Sentence } from "./sentence.js";

export interface PromptTool {
  readonly name: string;
  readonly guestName: string;
  /** From `signatureOf`. */
  readonly declaration: string;
}

/** Beyond either, signatures are looked up from code and the prompt holds names only. */
const maxListedTools = 20;
const maxListedChars = 8000;
const maxNameChars = 1500;

export interface ToolsSectionOptions {
  readonly tools: readonly PromptTool[];
  readonly approvals: ReadonlyMap<string, ApprovalNeed>;
  readonly maxPtcCalls: number | null;
}

/** Whether signatures do not fit into the prompt, so that code has to look them up. */
export function needsLookup(tools: readonly PromptTool[]): boolean {
  const chars = tools.reduce((sum, { declaration }) => sum + declaration.length, 0);
  return tools.length > maxListedTools || chars > maxListedChars;
}

export function toolsSection({ tools, approvals, maxPtcCalls }: ToolsSectionOptions): Sentence[] {
  const sorted = [...tools].sort((a, b) => (a.guestName < b.guestName ? -1 : 1));
  const renamed = sorted.find(({ name, guestName }) => name !== guestName);
  const lookup = needsLookup(tools);
  const gated = sorted.flatMap(({ guestName }) => {
    const need = approvals.get(guestName);
    const expression = `\`${toolExpression(guestName)}\``;
    return need === undefined ? [] : [need === "always" ? expression : `${expression} (some of them)`];
  });
  const sentences: (Sentence | false)[] = [
    { id: "tools.heading", text: "### `tools`" },
    {
      id: "tools.values",
      text: "Code can call the functions of `tools`. Each takes one object and returns a promise of what the tool gives: objects stay objects, text stays text.",
    },
    renamed !== undefined && {
      id: "tools.names",
      text: `The tool's own name works too: \`tools[${JSON.stringify(renamed.name)}]\`.`,
    },
    {
      id: "tools.parallel",
      text: "Start calls that do not depend on each other together, with `Promise.all`. You read only what you print or return, not every result.",
    },
    {
      id: "tools.errors",
      text: "A call that fails rejects with the tool's message, and with its details as `error.data` when it gave any.",
    },
    maxPtcCalls !== null && {
      id: "tools.budget",
      text: `At most ${maxPtcCalls} tool calls per run of code.`,
    },
    gated.length > 0 && {
      id: "tools.approval",
      text: `A person must approve calls of ${gated.join(", ")}: the code stops there and goes on from the same place after the answer. A call that is turned down rejects.`,
    },
    lookup && {
      id: "tools.lookup",
      text: `Look signatures up before you call: \`await tools.$search("words")\` gives the tools that fit, \`await tools.$describe("name")\` one of them in full.`,
    },
    lookup
      ? { id: "tools.list", text: nameList(sorted) }
      : { id: "tools.signatures", text: signatures(sorted) },
  ];
  return sentences.filter((sentence) => sentence !== false);
}

function signatures(tools: readonly PromptTool[]): string {
  const lines = tools.map(({ declaration }) => `  ${declaration}`);
  return ["```ts", "declare const tools: {", ...lines, "};", "```"].join("\n");
}

/** All names where they are short together, otherwise the way to list them. */
function nameList(tools: readonly PromptTool[]): string {
  const names = tools.map(({ guestName }) => guestName).join(", ");
  return names.length <= maxNameChars ? `Their names: ${names}.` : "`Object.keys(tools)` lists the names.";
}
