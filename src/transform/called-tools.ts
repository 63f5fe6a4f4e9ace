import type { AnyNode, Program } from "acorn";
import type { Edits } from "./edits.js";
import { walkProgram } from "./scope.js";

/** Put in front of `tools`; the prelude has the object of that name (`guest/tools.ts`). */
const PREFIX = "$called_";

const onlyTools: ReadonlySet<string> = new Set(["tools"]);

/**
 * Calls of a tool by its name go through an object that answers a name which is no tool with a function that says so.
 * `tools` itself answers `undefined`, so that code can look whether a tool is there: `typeof tools.x`, `tools.x?.()`.
 */
export function nameCalledTools(text: string, program: Program, edits: Edits): void {
  if (!text.includes("tools")) return;
  const called = new Set<AnyNode>();
  walkProgram(program, {
    names: onlyTools,
    node(node) {
      if (node.type !== "CallExpression" || node.optional || node.callee.type !== "MemberExpression") return;
      const { object, property, computed } = node.callee;
      if (!computed || property.type === "Literal") called.add(object);
    },
    reference({ node }) {
      if (called.has(node)) edits.insert(node.start, PREFIX);
    },
  });
}
