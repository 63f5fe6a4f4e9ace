/** The little Markdown that models write, as elements: paragraphs, lists, headings, tables left as text, code, emphasis. */
import { h } from "../dom.js";
import { highlight } from "./code-view.js";

export function prose(text: string): HTMLElement[] {
  const blocks: HTMLElement[] = [];
  for (const [index, part] of text.split(/^```\w*\n?/m).entries()) {
    if (index % 2 === 1) {
      blocks.push(
        h("pre", { class: "code", tabindex: "0" }, h("code", {}, highlight(part.replace(/\n$/, "")))),
      );
      continue;
    }
    for (const paragraph of part.split(/\n{2,}/))
      if (paragraph.trim() !== "") blocks.push(...block(paragraph));
  }
  return blocks;
}

function block(text: string): HTMLElement[] {
  const lines = text.replace(/\n+$/, "").split("\n");
  const heading = /^(#{1,4})\s+(.*)$/.exec(lines[0]!);
  if (heading) {
    const rest = lines.slice(1).join("\n");
    return [h("p", { class: "prose-heading" }, ...inline(heading[2]!)), ...(rest.trim() ? block(rest) : [])];
  }
  if (lines.every((line) => /^\s*([-*]|\d+\.)\s/.test(line))) {
    const ordered = /^\s*\d/.test(lines[0]!);
    const items = lines.map((line) => h("li", {}, ...inline(line.replace(/^\s*([-*]|\d+\.)\s+/, ""))));
    return [h(ordered ? "ol" : "ul", {}, ...items)];
  }
  return [h("p", {}, ...inline(text))];
}

function inline(text: string): (Node | string)[] {
  return text.split(/(`[^`\n]+`|\*\*[^*\n]+\*\*)/).map((part) => {
    if (/^`.+`$/.test(part)) return h("code", {}, part.slice(1, -1));
    return /^\*\*.+\*\*$/.test(part) ? h("strong", {}, part.slice(2, -2)) : part;
  });
}
