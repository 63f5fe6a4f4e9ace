/** Foreign text inside the TypeScript that is printed: it can end neither the comment nor the string it stands in. */
import { isIdentifier } from "../tools/tool-names.js";

/** One line that cannot end the comment it stands in. */
export function comment(text: string, limit: number): string {
  const line = text
    .slice(0, limit * 8)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .replace(/\*\//g, "* /")
    .trim();
  const characters = [...line];
  return characters.length <= limit
    ? line
    : `${characters
        .slice(0, limit - 1)
        .join("")
        .trimEnd()}…`;
}

export function propertyName(name: string): string {
  return isIdentifier(name) ? name : quote(name);
}

/** A string literal on one line; JSON allows two line separators that some readers break at. */
export function quote(text: string): string {
  return JSON.stringify(text)
    .replace(/\u2028/g, "\\u2028")
    .replace(/\u2029/g, "\\u2029");
}
