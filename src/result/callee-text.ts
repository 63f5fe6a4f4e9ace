/**
 * What was called, for the engine's bare "not a function": the text in front of the bracket, read backwards. No parser,
 * because the line may be TypeScript and the rest of the program does not matter.
 */

const MAX_CHARS = 80;
const name = /[\p{ID_Continue}$#]|\u200c|\u200d/u;
/** In front of a bracket these begin an expression, they are not called. */
const keywords = new Set([
  "await",
  "return",
  "typeof",
  "void",
  "delete",
  "in",
  "of",
  "case",
  "throw",
  "yield",
  "new",
]);

export interface Callee {
  readonly text: string;
  /** Behind `new`. */
  readonly constructed: boolean;
}

/** @param column 1-based, of the call's opening bracket as the engine reports it. */
export function calleeAt(line: string, column: number): Callee | undefined {
  const bracket = column - 1;
  if (line[bracket] !== "(") return undefined;
  let start = bracket;
  let at = skipSpaces(line, bracket);
  if (line.slice(at - 2, at) === "?.") at -= 2;
  for (;;) {
    at = skipSpaces(line, at);
    const end = at;
    if (line[at - 1] === "]") {
      at = line.lastIndexOf("[", at - 1);
      if (at === -1 || line.slice(at + 1, end - 1).includes("]")) return undefined;
      start = at;
      continue;
    }
    while (at > 0 && name.test(line[at - 1]!)) at--;
    if (at === end)
      return line[at - 1] === ")" || at === 0 ? behindSomething(line.slice(start, bracket)) : undefined;
    if (keywords.has(line.slice(at, end)))
      return start < bracket ? { text: tidy(line.slice(start, bracket)), constructed: false } : undefined;
    start = at;
    const before = skipSpaces(line, at);
    if (line[before - 1] !== ".") break;
    at = line[before - 2] === "?" ? before - 2 : before - 1;
    start = at;
  }
  const text = tidy(line.slice(start, bracket));
  return { text, constructed: /\bnew\s+$/.test(line.slice(Math.max(0, start - 10), start)) };
}

/** The object is the value of a call or stands on the line above: only the member has a name. */
function behindSomething(member: string): Callee | undefined {
  const text = tidy(member);
  return text.startsWith(".") || text.startsWith("?.") || text.startsWith("[")
    ? { text: `(...)${text}`, constructed: false }
    : undefined;
}

function tidy(text: string): string {
  const plain = text.replace(/\s+/g, "").replace(/\?\.$/, "");
  return plain.length <= MAX_CHARS ? plain : `...${plain.slice(3 - MAX_CHARS)}`;
}

function skipSpaces(line: string, at: number): number {
  while (at > 0 && /\s/.test(line[at - 1]!)) at--;
  return at;
}
