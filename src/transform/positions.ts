import type { EvalFailure } from "../result/outcome.js";

/** A place in a text, both 1-based; columns count UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  let line = 1;
  for (let at = before.indexOf("\n"); at !== -1; at = before.indexOf("\n", at + 1)) line++;
  return { line, column: offset - lineStart + 1 };
}

/** The engine counts columns in code points and only `\n` as the end of a line. */
export function offsetOfEnginePosition(code: string, line: number, column: number): number {
  let start = 0;
  for (let current = 1; current < line; current++) {
    const next = code.indexOf("\n", start);
    if (next === -1) return code.length;
    start = next + 1;
  }
  let offset = start;
  for (let current = 1; current < column && offset < code.length && code[offset] !== "\n"; current++)
    offset += code.codePointAt(offset)! > 0xffff ? 2 : 1;
  return offset;
}

export function lineAt(text: string, line: number): string {
  return (text.split("\n", line)[line - 1] ?? "").replace(/\r$/, "");
}

/** A refusal before anything runs, at a place in the text the model wrote. */
export function failureAt(
  source: string,
  offset: number,
  message: string,
  options: { readonly label: string; readonly name?: string; readonly code?: EvalFailure["code"] },
): EvalFailure {
  const position = positionAt(source, Math.min(offset, source.length));
  return {
    code: options.code ?? "GUEST_SYNTAX",
    name: options.name ?? "SyntaxError",
    message,
    frames: [
      { functionName: "", label: options.label, ...position, sourceLine: lineAt(source, position.line) },
    ],
  };
}
