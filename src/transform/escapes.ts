import type { AnyNode, Program } from "acorn";
import type { Edits } from "./edits.js";
import { eachChild } from "./parse.js";

/**
 * The source crosses to the engine as zero-terminated UTF-8, which has no NUL and no lone surrogates. In literals
 * they become escapes; elsewhere they can only stand in comments.
 */
const unsafe = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export function escapeUnsafeUnits(text: string, program: Program, edits: Edits): void {
  const found = [...text.matchAll(unsafe)];
  if (found.length === 0) return;
  const literals = literalRanges(program);
  let next = 0;
  for (const { index } of found) {
    while (next < literals.length && literals[next]!.end <= index) next++;
    if ((literals[next]?.start ?? text.length) > index) {
      edits.replace(index, index + 1, "\ufffd");
      continue;
    }
    const digits = `u${text.charCodeAt(index).toString(16).padStart(4, "0")}`;
    // `\` + NUL is NUL: the backslash that stands there becomes the one of the escape.
    edits.replace(index, index + 1, isEscaped(text, index) ? digits : `\\${digits}`);
  }
}

function isEscaped(text: string, index: number): boolean {
  let backslashes = 0;
  while (text[index - 1 - backslashes] === "\\") backslashes++;
  return backslashes % 2 === 1;
}

/** In order; literals do not hold each other. */
function literalRanges(program: Program): AnyNode[] {
  const literals: AnyNode[] = [];
  const pending: AnyNode[] = [program];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === "Literal" || node.type === "TemplateElement") literals.push(node);
    eachChild(node, (child) => pending.push(child));
  }
  return literals.sort((a, b) => a.start - b.start);
}
