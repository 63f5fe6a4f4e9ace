import type { AnyNode, Program } from "acorn";
import {
  readTopLevel,
  rewriteClass,
  rewriteReferences,
  rewriteVariables,
  shieldFromBlockFunctions,
  shieldTypeof,
  type TopLevel,
} from "./bindings.js";
import { nameCalledTools } from "./called-tools.js";
import { Edits, lineBreaks } from "./edits.js";
import { escapeUnsafeUnits } from "./escapes.js";
import {
  declarationOf,
  type ModuleUse,
  rewriteDefaultExport,
  rewriteDynamicImports,
  rewriteNamedExport,
  rewriteStaticImports,
} from "./modules.js";
import type { Reading } from "./normalise.js";
import { needsParentheses } from "./parse.js";
import { offsetOfEnginePosition, type Position, positionAt } from "./positions.js";
import { guardBareCommand } from "./refuse.js";
import { rewriteReturns, unusedName } from "./returns.js";
import { enumDeclarations, isTypeOnlyImport } from "./typescript.js";
import { keepUnawaited } from "./unawaited.js";

/**
 * - `empty`: nothing but white space, comments and types.
 * - `declarations`: nothing but declarations.
 * - `function`: one function that is not called.
 */
export type SourceKind = "empty" | "declarations" | "function" | "program";

export interface Transformed {
  readonly ok: true;
  readonly code: string;
  /** For the model: how its text was understood. */
  readonly notes: readonly string[];
  /** Global names the eval declares, in order. */
  readonly declared: readonly string[];
  readonly kind: SourceKind;
  /** The variable whose value is the eval's, when its last statement is nothing but that name. */
  readonly valueName?: string;
  /** Specifiers of static imports, in order; empty without `modules`. */
  readonly imports: readonly string[];
  /**
   * A place in `code` as the engine reports it to the place in the text the model wrote, both 1-based.
   * Undefined in code that was only put in; a frame there should not be shown.
   */
  mapPosition(line: number, column: number): Position | undefined;
}

export interface CompileOptions extends ModuleUse {
  readonly reserved: readonly string[];
  readonly absent: readonly string[];
  readonly isTypeScript: boolean;
}

/** Globals that are not writable, so that a `var` of that name would silently keep the old value. */
const unwritable = ["tools", "task", "console", "undefined", "NaN", "Infinity", "__proto__"];

/**
 * The edits that make a script of a parsed text. Offsets of the errors it throws are in `reading.text`.
 *
 * @throws {SourceError} Where the program uses what is not supported.
 */
export function compile(reading: Reading, program: Program, options: CompileOptions): Transformed {
  const { text } = reading;
  const edits = new Edits();
  const notes = reading.note === undefined ? [] : [reading.note];
  if (options.isTypeScript) dropTypeOnlyImports(text, program, edits);
  rewriteDynamicImports(text, program, options, edits);
  const topLevel = readTopLevel(program);
  const renamed = renameReserved(text, topLevel, options.reserved, notes);
  const imports = rewriteStaticImports(text, program, options, renamed, edits);
  const enums = options.isTypeScript ? enumDeclarations(program) : new Map<AnyNode, never>();

  const returns = rewriteReturns(text, program, topLevel.returns, edits);
  returns.open();
  if (needsParentheses(text, program)) edits.insert(program.start, "(");
  for (const { isFirst, end } of enums.values()) if (isFirst) edits.insert(end, " = void 0");
  for (const statement of program.body) rewriteStatement(text, statement, renamed, edits);
  shieldFromBlockFunctions(program, topLevel.lexical, renamed, edits);
  protectReserved(text, options.reserved, topLevel);
  rewriteReferences(program, topLevel.lexical, renamed, edits);
  shieldTypeof(
    program,
    options.absent.filter((name) => !topLevel.lexical.has(name) && !renamed.has(name)),
    edits,
  );
  if (needsParentheses(text, program)) edits.insert(program.end, ")");
  guardBareCommand(text, program, options.tools, edits);
  keepUnawaited(program, edits);
  // What is put in front of a call goes around its object as well, so the object comes last.
  if (options.tools && !topLevel.declared.has("tools")) nameCalledTools(text, program, edits);
  returns.close();
  escapeUnsafeUnits(text, program, edits);

  const { code, toSource, isHidden } = edits.apply(text);
  const kind = kindOf(program, enums);
  const valueName = valueNameOf(program, renamed);
  if (kind === "empty" && options.isTypeScript) notes.push("Only types, which leave nothing to run.");
  return {
    ok: true,
    code,
    notes,
    declared: [...topLevel.declared].filter((name) => !renamed.has(name)),
    kind,
    ...(valueName !== undefined && { valueName }),
    imports,
    mapPosition(line, column) {
      const offset = offsetOfEnginePosition(code, line, column);
      return isHidden(offset) ? undefined : positionAt(reading.written, reading.toWritten(toSource(offset)));
    },
  };
}

function rewriteStatement(
  text: string,
  statement: Program["body"][number],
  renamed: ReadonlyMap<string, string>,
  edits: Edits,
): void {
  if (statement.type === "ExportNamedDeclaration") rewriteNamedExport(text, statement, edits);
  else if (statement.type === "ExportDefaultDeclaration") rewriteDefaultExport(text, statement, edits);
  const declaration = declarationOf(statement);
  if (declaration.type === "VariableDeclaration") rewriteVariables(declaration, edits);
  else if (declaration.type === "ClassDeclaration" && declaration.id)
    rewriteClass(declaration, renamed.get(declaration.id.name) ?? declaration.id.name, edits);
  if (
    statement.type === "ExportDefaultDeclaration" &&
    (declaration.type === "ClassDeclaration" || declaration.type === "FunctionDeclaration") &&
    declaration.id
  )
    edits.insert(declaration.end, `;${renamed.get(declaration.id.name) ?? declaration.id.name};`);
}

/** A name that cannot be assigned gets another one in this eval. */
function renameReserved(
  text: string,
  topLevel: TopLevel,
  reserved: readonly string[],
  notes: string[],
): Map<string, string> {
  const renamed = new Map<string, string>();
  for (const name of topLevel.declared) {
    if (!unwritable.includes(name) && !reserved.includes(name)) continue;
    renamed.set(name, unusedName(text, `${name}_local`));
    notes.push(`\`${name}\` is reserved: your own \`${name}\` is local to this eval.`);
  }
  return renamed;
}

/** `tools = x` would be ignored without a word in sloppy mode; it fails like an assignment to a constant. */
function protectReserved(text: string, reserved: readonly string[], topLevel: TopLevel): void {
  for (const name of ["tools", "task", "console", ...reserved]) {
    if (topLevel.declared.has(name) || !text.includes(name)) continue;
    const assignment = new RegExp(`(?<![.\\w$])${name.replace(/\$/g, "\\$")}\\s*=(?![=>])`);
    if (assignment.test(text)) topLevel.lexical.set(name, { isConstant: true, boundAt: 0 });
  }
}

function dropTypeOnlyImports(text: string, program: Program, edits: Edits): void {
  program.body = program.body.filter((statement) => {
    if (!isTypeOnlyImport(text, statement)) return true;
    edits.replace(
      statement.start,
      statement.end,
      `;${lineBreaks(text.slice(statement.start, statement.end))}`,
    );
    return false;
  });
}

/** A name that a later eval can read the value by: one that is local to this eval is none. */
function valueNameOf(program: Program, renamed: ReadonlyMap<string, string>): string | undefined {
  const last = program.body.findLast((statement) => statement.type !== "EmptyStatement");
  if (last?.type !== "ExpressionStatement" || last.expression.type !== "Identifier") return undefined;
  const { name } = last.expression;
  return renamed.has(name) || name === "undefined" ? undefined : name;
}

function kindOf(program: Program, enums: ReadonlyMap<AnyNode, unknown>): SourceKind {
  const body = program.body.filter(
    (statement, index) => statement.type !== "EmptyStatement" && !enums.has(program.body[index - 1]!),
  );
  if (body.length === 0) return "empty";
  const only = body.length === 1 ? declarationOf(body[0]!) : undefined;
  const value = only?.type === "ExpressionStatement" ? only.expression : only;
  if (
    value?.type === "FunctionDeclaration" ||
    value?.type === "FunctionExpression" ||
    value?.type === "ArrowFunctionExpression"
  )
    return "function";
  return body.every(isDeclaration) ? "declarations" : "program";
}

function isDeclaration(statement: Program["body"][number]): boolean {
  switch (statement.type) {
    case "VariableDeclaration":
    case "FunctionDeclaration":
    case "ClassDeclaration":
    case "ImportDeclaration":
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
      return true;
    default:
      return false;
  }
}
