import type { Program, ReturnStatement } from "acorn";
import type { Edits } from "./edits.js";
import { declarationOf, firstStatement } from "./modules.js";

/**
 * A top-level `return` ends the eval: the statements stand in a labelled block, `return X` gives the block X as
 * its value and leaves it. That works in loops, `try` and `switch`, and the engine's completion value is the result.
 */
export function rewriteReturns(
  text: string,
  program: Program,
  returns: readonly ReturnStatement[],
  edits: Edits,
): { open(): void; close(): void } {
  if (returns.length === 0) return { open() {}, close() {} };
  const label = unusedName(text, "result");
  const first = firstStatement(program)!;
  return {
    open() {
      edits.insert(first.start, `${label}:{`);
      for (const { start, end, argument } of returns) {
        const hasSemicolon = text[end - 1] === ";";
        // As wide as the keyword, so that the columns behind it stay.
        edits.replace(start, start + "return".length, argument ? "{    (" : "{void 0");
        const close = `${argument ? ")" : ""};break ${label}}`;
        if (hasSemicolon) edits.replace(end - 1, end, close);
        else edits.insert(end, close);
      }
    },
    close() {
      // In the block a function would only become a global when its line is reached.
      for (const declaration of program.body.map(declarationOf))
        if (declaration.type === "FunctionDeclaration")
          edits.moveToEnd(text, declaration.start, declaration.end);
      edits.insert(program.body.at(-1)!.end, "}");
    },
  };
}

/** A name that does not occur in the text; found in few steps even in a text that is full of such names. */
export function unusedName(text: string, wanted: string): string {
  let name = wanted;
  for (let count = 1; text.includes(name); count *= 2) name = `${wanted}_${count}`;
  return name;
}
