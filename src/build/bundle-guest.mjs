/**
 * Bundles modules of `src/guest` into one script that the engine evaluates, or into a module for `split-script.mjs`.
 *
 * This engine compiles a template literal to a call of `String.prototype.concat`, which the guest can replace. So
 * template literals are rewritten to additions after bundling: the prelude may be written with them and is still
 * out of the guest's reach.
 */
import { parse } from "acorn";
import { build } from "esbuild";

/** @param options What differs from the build of the prelude: its entry, or how it is wrapped. */
export async function bundleGuest(options) {
  const { outputFiles } = await build({
    bundle: true,
    write: false,
    format: "iife",
    target: "es2022",
    legalComments: "none",
    // Said here too: esbuild adds it for a strict tsconfig, and a sloppy prelude would box what it is called on.
    banner: { js: options.format === "esm" ? "" : '"use strict";' },
    ...options,
  });
  return withoutTemplates(outputFiles[0].text);
}

function withoutTemplates(code) {
  const root = parse(code, { ecmaVersion: 2022, sourceType: "module" });
  const write = (start, end, nodes) => {
    let text = "";
    let at = start;
    for (const node of nodes) {
      text += code.slice(at, node.start) + rewrite(node);
      at = node.end;
    }
    return text + code.slice(at, end);
  };
  const rewrite = (node) => {
    if (node.type !== "TemplateLiteral") return write(node.start, node.end, children(node));
    const parts = [];
    node.quasis.forEach(({ value }, i) => {
      if (i === 0 || value.cooked !== "") parts.push(JSON.stringify(value.cooked));
      if (i < node.expressions.length) parts.push(`(${rewrite(node.expressions[i])})`);
    });
    return `(${parts.join("+")})`;
  };
  return rewrite(root);
}

/** Child nodes in the order of the text. A tag's template keeps its own meaning and is left alone. */
function children(node) {
  const found = [];
  for (const [key, value] of Object.entries(node)) {
    if (node.type === "TaggedTemplateExpression" && key === "quasi") continue;
    // In `{ a }`, `{ a = 1 }` and `export { a }` two nodes are the same text.
    if (node.type === "Property" && node.shorthand && key === "key") continue;
    if (node.type === "ExportSpecifier" && key === "exported") continue;
    for (const item of Array.isArray(value) ? value : [value])
      if (typeof item?.type === "string") found.push(item);
  }
  return found.sort((a, b) => a.start - b.start);
}
