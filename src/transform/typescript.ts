import type { AnyNode, Program } from "acorn";
import { eachChild, parseSource, refusal, SourceError, toSourceError } from "./parse.js";
import { offsetOfEnginePosition, positionAt } from "./positions.js";

/**
 * TypeScript to JavaScript. The compiler is loaded on first use and never for plain JavaScript. It keeps every
 * line where it is; what it would drop or let through without a word is refused here, by name.
 */
export interface Stripped {
  readonly code: string;
  toSource(offset: number): number;
}

export interface TypeScript {
  /** @throws {SourceError} Where the text is no TypeScript either, or uses what cannot be compiled away. */
  strip(text: string, options: { readonly keepUnusedImports: boolean }): Stripped;
  isJsx(text: string): boolean;
}

/** What `sucrase-entry.mjs` makes of the compiler. */
export interface Sucrase {
  /** @throws SyntaxError with `pos`, the offset. */
  parseTypeScript(text: string, options: { readonly isJsx: boolean }): SucraseProgram;
}

interface SucraseProgram {
  /** All but the text in template literals. */
  readonly tokens: readonly Token[];
  withoutTypes(options: { readonly keepUnusedImports: boolean }): {
    readonly code: string;
    /** In the order of both texts. */
    readonly places: readonly Place[];
  };
}

interface Token {
  readonly text: string;
  readonly start: number;
  readonly isType: boolean;
}

/** Where a token came out. */
interface Place {
  readonly inText: number;
  readonly inCode: number;
}

let loaded: TypeScript | undefined;

export function loadTypeScript(): TypeScript | Promise<TypeScript> {
  return (
    loaded ??
    import("./sucrase.generated.js").then(({ sucrase }) => {
      loaded = create(sucrase);
      return loaded;
    })
  );
}

function create({ parseTypeScript }: Sucrase): TypeScript {
  return {
    strip(text, { keepUnusedImports }) {
      refuseNestedTypeArguments(text);
      try {
        const program = parseTypeScript(text, { isJsx: false });
        refuseNamespaces(text, program);
        const { code, places } = program.withoutTypes({ keepUnusedImports });
        return { code, toSource: (offset) => toSource(text, code, places, offset) };
      } catch (error) {
        throw toSucraseError(text, error);
      }
    },
    isJsx(text) {
      try {
        parseTypeScript(text, { isJsx: true }).withoutTypes({ keepUnusedImports: false });
        return true;
      } catch {
        return false;
      }
    },
  };
}

function toSucraseError(text: string, error: unknown): SourceError {
  const { message, pos } = error as Error & { pos?: number };
  if (error instanceof RangeError || pos === undefined) return toSourceError(text, error);
  const plain = message.replace(/ \(\d+:\d+\)$/, "");
  return toSourceError(
    text,
    Object.assign(new SyntaxError(plain.replace(/^Unexpected token, .*/, "Unexpected token")), { pos }),
  );
}

/** The compiler tries each `<T>(` in two ways, so that nested ones take time to the power of their number. */
const maxNestedTypeArguments = 10;

function refuseNestedTypeArguments(text: string): void {
  const open: boolean[] = [];
  let depth = 0;
  for (const { 0: bracket, index } of text.matchAll(/(?<!=)>\s{0,20}\(|[()]/g)) {
    if (bracket === ")") {
      if (open.pop()) depth--;
      continue;
    }
    open.push(bracket !== "(");
    if (bracket !== "(" && ++depth > maxNestedTypeArguments)
      throw new SourceError("Type arguments are nested too deeply", index, {
        code: "STACK",
        isRefusal: true,
      });
  }
}

const valueKeywords: ReadonlySet<string> = new Set(["const", "let", "var", "function", "class", "enum"]);

/** The compiler deletes a namespace with everything in it, which is only right where it holds nothing but types. */
function refuseNamespaces(text: string, program: SucraseProgram): void {
  if (!/\b(?:namespace|module)\s+[\w$.]+\s*\{/.test(text)) return;
  const { tokens } = program;
  /** What each open brace belongs to: a namespace's token, something declared, or nothing of interest. */
  const open: (Token | "declared" | undefined)[] = [];
  let next: Token | "declared" | undefined;
  for (const [index, token] of tokens.entries()) {
    const isDeclared = tokens[index - 1]?.text === "declare" || open.at(-1) === "declared";
    if (token.isType && ["namespace", "module", "global"].includes(token.text)) {
      next = isDeclared ? "declared" : token;
    } else if (token.text === "{" || token.text === "${") {
      open.push(next);
      next = undefined;
    } else if (token.text === "}") open.pop();
    const around = open.at(-1);
    if (around && around !== "declared" && !isDeclared && valueKeywords.has(token.text))
      throw refusal(
        "TypeScript namespaces are not supported here; use an object or top-level functions instead",
        around.start,
      );
  }
}

/**
 * `new Set<string>(values)` is also JavaScript, a comparison of comparisons that nobody writes. Where the angle
 * brackets stand as close as that, around a name like that of a type, TypeScript's reading is taken, as TypeScript
 * itself does.
 */
const typeArguments =
  /(?<=[\w$])<(?:string|number|boolean|bigint|symbol|object|any|unknown|never|void|null|undefined|[A-Z][\w$.]*)[\w$.,<>[\]| ]{0,200}>\(/g;

/** Behind `<` these are types beyond doubt: as variables they would not exist. */
const certainType = /^<(?:string|number|boolean|bigint|symbol|object|any|unknown|never)\b/;

/** Whether what `hasTypeArguments` found could have been meant as comparisons. */
export function mayBeComparisons(text: string): boolean {
  return [...text.matchAll(typeArguments)].some(([found]) => !certainType.test(found));
}

export function hasTypeArguments(text: string, program: Program): boolean {
  const starts = new Set([...text.matchAll(typeArguments)].map(({ index }) => index));
  if (starts.size === 0) return false;
  const pending: AnyNode[] = [program];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === "BinaryExpression" && node.operator === "<" && starts.has(node.left.end)) return true;
    eachChild(node, (child) => pending.push(child));
  }
  return false;
}

/** Parses what the compiler made of a text. Offsets of errors are in the compiler's output. */
export function parseStripped(
  text: string,
  { code, toSource }: Stripped,
  dialect: "script" | "module",
): Program {
  const program = parseSource(code, dialect);
  refuseCommonJs(text, program, toSource);
  return program;
}

/** `import x = require()` and `export =` come out as code that has nothing to run on. */
function refuseCommonJs(text: string, program: Program, toSource: (offset: number) => number): void {
  if (!/\b(?:import\s+[\w$]+|export)\s*=/.test(text)) return;
  for (const { start } of program.body) {
    const found = /^(?:export\s+)?import\s+[\w$]+\s*=\s*require\b|^export\s*=/.exec(
      text.slice(toSource(start)),
    );
    if (found)
      throw refusal(
        /^export\s*=/.test(found[0])
          ? "`export =` is not supported here; use `export default`"
          : "`import x = require()` is not supported: there are no modules here",
        start,
      );
  }
}

/** Imports of which only types were used leave `import {} from`, which would still load the module. */
export function isTypeOnlyImport(code: string, node: Program["body"][number]): boolean {
  return (
    node.type === "ImportDeclaration" &&
    node.specifiers.length === 0 &&
    /^import\s*\{\s*\}/.test(code.slice(node.start, node.end))
  );
}

export interface EnumDeclaration {
  /** The variable has to start afresh here. */
  readonly isFirst: boolean;
  /** End of its declarator. */
  readonly end: number;
}

/**
 * Where the compiler declared an enum (`var E; (function (E) {...})(E || (E = {}))`) the variable has to start
 * afresh, or an enum of an earlier eval would be extended. Declarations of one enum in one eval do merge.
 */
export function enumDeclarations(program: Program): Map<Program["body"][number], EnumDeclaration> {
  const found = new Map<Program["body"][number], EnumDeclaration>();
  const names = new Set<string>();
  program.body.forEach((statement, index) => {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declaration?.type !== "VariableDeclaration" || declaration.kind !== "var") return;
    const { id, init, end } = declaration.declarations[0]!;
    const next = program.body[index + 1];
    if (id.type !== "Identifier" || init || next?.type !== "ExpressionStatement") return;
    const call = next.expression;
    const argument = call.type === "CallExpression" ? call.arguments[0] : undefined;
    if (argument?.type !== "LogicalExpression" || argument.left.type !== "Identifier") return;
    if (argument.left.name !== id.name) return;
    found.set(statement, { isFirst: !names.has(id.name), end });
    names.add(id.name);
  });
  return found;
}

function toSource(text: string, code: string, places: readonly Place[], offset: number): number {
  const { line, column } = positionAt(code, offset);
  const lineStart = offset - column + 1;
  let place = places.findLast(({ inCode }) => inCode <= offset);
  if (place === undefined || place.inCode < lineStart)
    place = { inCode: lineStart, inText: offsetOfEnginePosition(text, line, 1) };
  const lineEnd = text.indexOf("\n", place.inText);
  return Math.min(place.inText + offset - place.inCode, lineEnd === -1 ? text.length : lineEnd);
}
