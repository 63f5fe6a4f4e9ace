/** The README's code blocks, for the tests that run or compile each of them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./consumer.js";

export interface Snippet {
  readonly language: string;
  /** From a comment above the block, `<!-- name -->`: who tests it. */
  readonly label: string | undefined;
  /** The nearest heading above. */
  readonly heading: string;
  readonly line: number;
  readonly code: string;
}

export const readme: string = readFileSync(join(root, "README.md"), "utf8");

export function readmeSnippets(): Snippet[] {
  const snippets: Snippet[] = [];
  let heading = "";
  let label: string | undefined;
  let open: { language: string; line: number; lines: string[]; ticks: string } | undefined;
  for (const [index, text] of readme.split("\n").entries()) {
    const fence = /^(`{3,})(\w*)$/.exec(text);
    if (open && text === open.ticks) {
      const { language, line, lines } = open;
      snippets.push({ language, label, heading, line, code: `${lines.join("\n")}\n` });
      open = label = undefined;
    } else if (open) open.lines.push(text);
    else if (fence) {
      const [, ticks, language] = fence as unknown as [string, string, string];
      open = { language, line: index + 1, lines: [], ticks };
    } else if (text.startsWith("#")) heading = text.replace(/^#+ /, "");
    else label = /^<!-- (.+) -->$/.exec(text)?.[1] ?? (text === "" ? label : undefined);
  }
  return snippets;
}

/** The first example: a whole module, and what its comments say it prints. */
export function firstExample(): { code: string; imports: string; body: string; prints: string } {
  const code = readmeSnippets().find(({ language }) => language === "ts")?.code ?? "";
  const lines = code.split("\n");
  const isImport = (line: string) => line.startsWith("import ");
  return {
    code,
    imports: lines.filter(isImport).join("\n"),
    body: lines.filter((line) => !isImport(line)).join("\n"),
    prints: printedBy(code),
  };
}

/** What stands under `// Prints:`, indented by two more spaces. */
export function printedBy(code: string): string {
  const blocks = code.matchAll(/^\s*\/\/ Prints:\n((?:\s*\/\/ {3}.*\n?)+)/gm);
  return [...blocks].map(([, lines = ""]) => lines.replaceAll(/^\s*\/\/ {3}/gm, "")).join("");
}
