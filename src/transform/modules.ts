import type {
  AnyNode,
  ExportDefaultDeclaration,
  ExportNamedDeclaration,
  ImportDeclaration,
  Literal,
  Program,
} from "acorn";
import { type Edits, lineBreaks } from "./edits.js";
import { refusal, usingRefusal } from "./parse.js";
import { walkProgram } from "./scope.js";

/** `import` and `export` in an eval: refused or handed to a function, transparent. */
export interface ModuleUse {
  /** Where an `import` has no module to come from. */
  readonly modules: boolean;
  readonly importFunction: string;
  /** Whether there are functions in `tools`, for the texts of refusals. */
  readonly tools: boolean;
}

const mayNeedWalk = /\b(?:import|export|using)\b/;

/** Refuses what cannot run, before anything runs, and redirects `import()`. */
export function rewriteDynamicImports(text: string, program: Program, use: ModuleUse, edits: Edits): void {
  if (!mayNeedWalk.test(text)) return;
  const topLevel = new Set<AnyNode>(program.body);
  walkProgram(program, {
    names: new Set(),
    node(node) {
      switch (node.type) {
        case "ImportExpression":
          if (!use.modules) throw refusal(noModules(literalText(node.source), use), node.start);
          edits.replace(node.start, node.start + "import".length, use.importFunction);
          return;
        case "MetaProperty":
          if (node.meta.name === "import")
            throw refusal("import.meta is not available here: an eval is not a module file", node.start);
          return;
        case "ImportDeclaration":
          if (!topLevel.has(node)) throw refusal("'import' may only stand at the top level", node.start);
          if (!use.modules) throw refusal(noModules(literalText(node.source), use), node.start);
          return;
        case "ExportNamedDeclaration":
        case "ExportAllDeclaration":
        case "ExportDefaultDeclaration":
          if (!topLevel.has(node)) throw refusal("'export' may only stand at the top level", node.start);
          if ("source" in node && node.source && !use.modules)
            throw refusal(noModules(literalText(node.source), use), node.start);
          return;
        case "VariableDeclaration":
          if (node.kind === "using" || node.kind === "await using") throw refusal(usingRefusal, node.start);
      }
    },
  });
}

function literalText(source: AnyNode): string {
  return source.type === "Literal" ? ` ${JSON.stringify(source.value)}` : " a module";
}

function noModules(what: string, { tools }: ModuleUse): string {
  const there = tools
    ? "The JavaScript built-ins and the functions in `tools` exist"
    : "The JavaScript built-ins exist";
  return `Cannot import${what}: there are no modules here. ${there}; write other helpers yourself`;
}

/** Static imports become `var` bindings that are filled before anything else runs. */
export function rewriteStaticImports(
  text: string,
  program: Program,
  use: ModuleUse,
  renamed: ReadonlyMap<string, string>,
  edits: Edits,
): string[] {
  const specifiers: string[] = [];
  const first = firstStatement(program);
  for (const node of program.body) {
    if (!("source" in node) || !node.source) continue;
    specifiers.push(String(node.source.value));
    const call = `await ${importCall(node, use.importFunction)}`;
    const code = node.type === "ImportDeclaration" ? bindImports(node, call, renamed) : `var {} = ${call};`;
    const isInPlace = first === undefined || node.start < first.start;
    edits.replace(
      node.start,
      node.end,
      (isInPlace ? code : ";") + lineBreaks(text.slice(node.start, node.end)),
    );
    if (!isInPlace) edits.insert(first.start, `${code} `);
  }
  return specifiers;
}

/** The first statement that is neither a directive nor an import. */
export function firstStatement(program: Program): Program["body"][number] | undefined {
  return program.body.find(
    (node) =>
      node.type !== "ImportDeclaration" &&
      (node.type !== "ExpressionStatement" || node.directive === undefined),
  );
}

export type Importing = Extract<AnyNode, { source?: Literal | null }>;

/** `f("specifier", ["names", "that must exist"], { attributes })` */
export function importCall(node: Importing, importFunction: string): string {
  const parts = [JSON.stringify(node.source!.value)];
  const names = importedNames(node);
  const attributes = "attributes" in node ? (node.attributes ?? []) : [];
  if (names.length > 0 || attributes.length > 0) parts.push(JSON.stringify(names));
  if (attributes.length > 0) {
    const pairs = attributes.map(({ key, value }) => [
      key.type === "Literal" ? key.value : key.name,
      value.value,
    ]);
    parts.push(JSON.stringify(Object.fromEntries(pairs)));
  }
  return `${importFunction}(${parts.join(", ")})`;
}

function importedNames(node: Importing): string[] {
  if (!("specifiers" in node)) return [];
  return node.specifiers.flatMap((specifier) => {
    if (specifier.type === "ImportDefaultSpecifier") return ["default"];
    if (specifier.type === "ImportSpecifier") return [exportedName(specifier.imported)];
    if (specifier.type === "ExportSpecifier") return [exportedName(specifier.local)];
    return [];
  });
}

export function exportedName(node: AnyNode): string {
  return node.type === "Identifier" ? node.name : String((node as Literal).value);
}

function bindImports(node: ImportDeclaration, call: string, renamed: ReadonlyMap<string, string>): string {
  const bound = ({ local }: { local: { name: string } }) => renamed.get(local.name) ?? local.name;
  const namespace = node.specifiers.find((specifier) => specifier.type === "ImportNamespaceSpecifier");
  const properties = node.specifiers.flatMap((specifier) => {
    if (specifier === namespace) return [];
    const imported = specifier.type === "ImportSpecifier" ? exportedName(specifier.imported) : "default";
    return [`${JSON.stringify(imported)}: ${bound(specifier)}`];
  });
  const pattern = `{${properties.join(", ")}}`;
  if (namespace === undefined) return `var ${pattern} = ${call};`;
  const name = bound(namespace);
  return `var ${name} = ${call}${properties.length > 0 ? `, ${pattern} = ${name}` : ""};`;
}

/** The declaration that `export` stands before, or the statement itself. */
export function declarationOf(statement: AnyNode): AnyNode {
  if (statement.type === "ExportNamedDeclaration") return statement.declaration ?? statement;
  if (statement.type === "ExportDefaultDeclaration") return statement.declaration;
  return statement;
}

/** `export` disappears, what it exports stays; the semicolon keeps the line above apart. */
export function blankExport(text: string, start: number, end: number, edits: Edits): void {
  edits.replace(start, end, `;${text.slice(start + 1, end).replace(/[^\n]/g, " ")}`);
}

export function rewriteNamedExport(text: string, node: ExportNamedDeclaration, edits: Edits): void {
  if (!node.source) blankExport(text, node.start, node.declaration?.start ?? node.end, edits);
}

/** `export default X` yields X. A named function or class is declared as well. */
export function rewriteDefaultExport(text: string, node: ExportDefaultDeclaration, edits: Edits): void {
  const { declaration } = node;
  const isNamed =
    (declaration.type === "FunctionDeclaration" || declaration.type === "ClassDeclaration") && declaration.id;
  if (isNamed) {
    blankExport(text, node.start, declaration.start, edits);
    return;
  }
  const isExpression = declaration.type !== "FunctionDeclaration" && declaration.type !== "ClassDeclaration";
  const hasSemicolon = isExpression && text[node.end - 1] === ";";
  const start = node.start + text.slice(node.start).indexOf("default") + "default".length;
  blankExport(text, node.start, start - 1, edits);
  edits.replace(start - 1, start, "(");
  edits.insert(hasSemicolon ? node.end - 1 : node.end, hasSemicolon ? ")" : ");");
}
