import { type AnyNode, type Options, type Program, parse, parseExpressionAt, tokenizer } from "acorn";

/**
 * The one file that knows the parser. A text is a script (sloppy, with top-level `await` and `return`) or a
 * module; either way the result is a tree or one `SourceError`.
 */

/** Why a text is refused, and where in it. */
export class SourceError extends Error {
  readonly offset: number;
  readonly code: "GUEST_SYNTAX" | "STACK";
  /** Understood, but not supported: reading the text in another way would not help. */
  readonly isRefusal: boolean;

  constructor(
    message: string,
    offset: number,
    options: { readonly code?: "GUEST_SYNTAX" | "STACK"; readonly isRefusal?: boolean } = {},
  ) {
    super(message);
    this.offset = offset;
    this.code = options.code ?? "GUEST_SYNTAX";
    this.isRefusal = options.isRefusal ?? false;
  }

  movedTo(offset: number): SourceError {
    return new SourceError(this.message, offset, this);
  }
}

export type Dialect = "script" | "module";

/**
 * Brackets open at once. The engine's parser overflows the host's stack, and with it the whole instance, from
 * about 480 on (measured with the default stack of Node); code that people write stays below 40.
 */
const maxNesting = 200;

/** Operators, arrows and statements nested without a bracket; the engine takes some 2,200. */
const maxTreeDepth = 1000;

/** Texts below this length cannot exceed `maxTreeDepth`. */
const shortText = 2 * maxTreeDepth;

const scriptOptions: Options = {
  ecmaVersion: "latest",
  sourceType: "script",
  allowAwaitOutsideFunction: true,
  allowReturnOutsideFunction: true,
  // `import` and `export` without strict mode; where they may not be is checked here, not by the parser.
  allowImportExportEverywhere: true,
  allowHashBang: true,
};
const moduleOptions: Options = { ecmaVersion: "latest", sourceType: "module", allowHashBang: true };

export function parseSource(text: string, dialect: Dialect = "script"): Program {
  refuseDeepNesting(text);
  let program: Program | undefined;
  try {
    if (dialect === "script") program = parseObjectLiteral(text);
    program ??= parse(text, dialect === "script" ? scriptOptions : moduleOptions);
  } catch (error) {
    throw toSourceError(text, error);
  }
  if (text.length > shortText) refuseDeepTree(program);
  return program;
}

export function startsAsObject(text: string): boolean {
  return text[skipBlank(text, 0)] === "{" && !text.trimEnd().endsWith(";");
}

/** As Node's REPL has it: a text that starts with `{`, is an expression and does not end in `;` is that expression. */
function parseObjectLiteral(text: string): Program | undefined {
  if (!startsAsObject(text)) return undefined;
  const start = skipBlank(text, 0);
  try {
    const expression = parseExpressionAt(text, start, scriptOptions);
    if (skipBlank(text, expression.end) !== text.length) return undefined;
    const range = { start: expression.start, end: expression.end };
    const statement = { type: "ExpressionStatement" as const, expression, ...range };
    return { type: "Program", sourceType: "script", body: [statement], ...range };
  } catch {
    return undefined;
  }
}

/** Whether a statement is a bare expression that needs parentheses to be one. */
export function needsParentheses(text: string, program: Program): boolean {
  const first = program.body[0];
  return first?.type === "ExpressionStatement" && text[first.start] === "{";
}

const blank = /(?:\s+|\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?\*\/)*/y;

/** The offset behind white space and comments. */
export function skipBlank(text: string, offset: number): number {
  blank.lastIndex = text.startsWith("#!") && offset === 0 ? text.search(/[\n\r]|$/) : offset;
  blank.test(text);
  return blank.lastIndex;
}

/** Errors of a step as errors of the text it was given. */
export function located<T>(toWritten: (offset: number) => number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    // The host's stack ended while a tree was walked.
    if (error instanceof RangeError) throw tooDeep(0);
    throw error instanceof SourceError ? error.movedTo(toWritten(error.offset)) : error;
  }
}

export function toSourceError(text: string, error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  if (error instanceof RangeError) return tooDeep(0);
  const { message, pos } = error as Error & { pos?: number };
  const offset = pos ?? text.length;
  if (message.startsWith("Not enough stack space")) return tooDeep(offset);
  return new SourceError(explain(text, message.replace(/ \(\d+:\d+\)$/, ""), offset), offset);
}

/** The parser only says "Unexpected token"; the reader wants to know which. */
function explain(text: string, message: string, offset: number): string {
  if (message.startsWith("Using declaration")) return usingRefusal;
  if (message.startsWith("Unexpected character '@'")) return decoratorRefusal;
  if (message !== "Unexpected token") return message;
  const before = text.slice(Math.max(offset - 500, 0), offset);
  if (/\bawait\s+$/.test(before)) return "await is only valid in async functions and at the top level";
  const token = /^(?:[\p{ID_Start}$_][\p{ID_Continue}$]*|\d+|=>|\.\.\.|[\s\S])/u.exec(
    text.slice(offset),
  )?.[0];
  if (token === undefined) return "Unexpected end of input";
  if (/^["'`]/.test(token)) return "Unexpected string";
  if (/^\d/.test(token)) return "Unexpected number";
  if (/^[:,]$/.test(token) && /(?:^|[;}\n])\s*\{[^{}()]*$/.test(before))
    return `Unexpected token '${token}': a statement that starts with an object literal needs parentheses around it`;
  return `Unexpected ${/^[\p{ID_Start}$_]/u.test(token) ? "identifier" : "token"} '${token}'`;
}

/** Understood and not supported. */
export function refusal(message: string, offset: number): SourceError {
  return new SourceError(message, offset, { isRefusal: true });
}

export const usingRefusal: string =
  "`using` declarations are not supported here; call the cleanup in `finally { ... }` instead";
export const decoratorRefusal: string =
  "Decorators are not supported here; call the decorating function yourself, or leave it out";

function tooDeep(offset: number): SourceError {
  return new SourceError("The source is nested too deeply; build deep data with a loop instead", offset, {
    code: "STACK",
    isRefusal: true,
  });
}

/** A fast upper bound first: brackets in strings and comments are only told apart when the bound is exceeded. */
function refuseDeepNesting(text: string): void {
  if (text.length <= maxNesting) return;
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 40 || unit === 91 || unit === 123) depth++;
    else if ((unit === 41 || unit === 93 || unit === 125) && depth > 0) depth--;
    if (depth > maxNesting) break;
  }
  if (depth <= maxNesting) return;
  depth = 0;
  try {
    for (const token of tokenizer(text, scriptOptions)) {
      const label = token.type.label;
      if (label === "(" || label === "[" || label === "{" || label === "${") depth++;
      else if (label === ")" || label === "]" || label === "}") depth--;
      if (depth > maxNesting) throw tooDeep(token.start);
    }
  } catch (error) {
    // A text that cannot be cut into tokens gets a better message from the parser, if it is flat enough so far.
    if (error instanceof SourceError) throw error;
  }
}

/** Left operands do not count: the engine reads `a + b + c` and `a.b().c()` in a loop. */
const leftOperand: ReadonlySet<string> = new Set(["left", "object", "callee", "tag"]);

function refuseDeepTree(program: Program): void {
  const pending: { node: AnyNode; depth: number }[] = [{ node: program, depth: 0 }];
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    if (item.depth > maxTreeDepth) throw tooDeep(item.node.start);
    const { node, depth } = item;
    eachChild(node, (child, key) => {
      pending.push({ node: child, depth: depth + (leftOperand.has(key) ? 0 : 1) });
    });
  }
}

/** Visits every node directly below a node, with the name of the field that holds it. */
export function eachChild(node: AnyNode, visit: (child: AnyNode, key: string) => void): void {
  for (const key in node) {
    const value: unknown = node[key as keyof AnyNode];
    if (typeof value !== "object" || value === null) continue;
    if (!Array.isArray(value)) {
      if (isNode(value)) visit(value, key);
      continue;
    }
    for (const item of value) if (isNode(item)) visit(item, key);
  }
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
