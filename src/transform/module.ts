import type { AnyNode, ExportDefaultDeclaration, Program } from "acorn";
import { nameCalledTools } from "./called-tools.js";
import { Edits, lineBreaks } from "./edits.js";
import { escapeUnsafeUnits } from "./escapes.js";
import { hoistedNames } from "./hoisting.js";
import {
  blankExport,
  declarationOf,
  exportedName,
  type Importing,
  importCall,
  rewriteDynamicImports,
} from "./modules.js";
import { lexicalNames, patternNames } from "./names.js";
import type { Reading } from "./normalise.js";
import { offsetOfEnginePosition, type Position, positionAt } from "./positions.js";
import { unusedName } from "./returns.js";
import { walkProgram } from "./scope.js";

/**
 * The source of a module as an async function, because the engine's own modules could not be loaded while an eval
 * waits. Imports and exports stay live: they are read through the exporting module at each use.
 */
export interface TransformedModule {
  readonly ok: true;
  /**
   * An expression: `async function (exports, importFunction)`. It first calls `exports(bindings)` with an object of
   * getters, to be taken over property by property, and `exports(namespace, true)` for each `export * from`, of
   * which `default` and names it has itself do not count. Then it awaits `importFunction(specifier, names)` for
   * each import, where `names` are the exports that have to exist; `import()` calls it with its own arguments.
   */
  readonly code: string;
  /** Specifiers of static imports, in order, each once. */
  readonly imports: readonly string[];
  /** Names of the module's own exports, those of `export * from` apart. */
  readonly exports: readonly string[];
  mapPosition(line: number, column: number): Position | undefined;
}

/** Offsets of the errors it throws are in `reading.text`. */
export function compileModule(reading: Reading, program: Program): TransformedModule {
  const { text } = reading;
  const [exportsName, importName] = [unusedName(text, "$exports"), unusedName(text, "$import")];
  const module = new ModuleCompiler(text, importName);
  rewriteDynamicImports(
    text,
    program,
    { modules: true, importFunction: importName, tools: true },
    module.edits,
  );
  for (const statement of program.body) module.compile(statement);
  const getters = [...module.exports()].map(
    ([name, value]) => `get ${JSON.stringify(name)}(){return ${value}}`,
  );
  const prologue = [
    `(async function(${exportsName},${importName}){"use strict";`,
    `${exportsName}({${["__proto__:null", ...getters].join()}});`,
    ...module.loads,
    ...module.stars.map((namespace) => `${exportsName}(${namespace},true);`),
  ];
  // A hashbang is none behind the prologue; as a comment it stays where it was.
  if (text.startsWith("#!")) module.edits.replace(0, 2, "//");
  module.edits.prepend(prologue.join(""));
  module.rewriteReferences(program);
  if (!topLevelNames(program).includes("tools")) nameCalledTools(text, program, module.edits);
  escapeUnsafeUnits(text, program, module.edits);
  module.edits.insert(text.length, "\n})");
  const { code, toSource } = module.edits.apply(text);
  return {
    ok: true,
    code,
    imports: module.specifiers(),
    exports: [...module.exports().keys()],
    mapPosition: (line, column) =>
      positionAt(reading.written, reading.toWritten(toSource(offsetOfEnginePosition(code, line, column)))),
  };
}

function topLevelNames({ body }: Program): string[] {
  const statements = body.map(declarationOf);
  const imported = statements.flatMap((statement) =>
    statement.type === "ImportDeclaration" ? statement.specifiers.map(({ local }) => local.name) : [],
  );
  return [...imported, ...lexicalNames(statements), ...hoistedNames(statements, true)];
}

class ModuleCompiler {
  readonly edits = new Edits();
  /** Statements that fill the namespace variables. */
  readonly loads: string[] = [];
  /** Namespace variables of `export * from`. */
  readonly stars: string[] = [];
  readonly #text: string;
  readonly #importFunction: string;
  readonly #specifiers = new Set<string>();
  /** What a local name that was imported is read from. */
  readonly #imported = new Map<string, string>();
  /** Exported name to the expression for its value, or to the local name behind it. */
  readonly #exported = new Map<string, { readonly local?: string; readonly expression?: string }>();

  constructor(text: string, importFunction: string) {
    this.#text = text;
    this.#importFunction = importFunction;
  }

  specifiers(): string[] {
    return [...this.#specifiers];
  }

  exports(): Map<string, string> {
    return new Map(
      [...this.#exported].map(([name, { local = "", expression }]) => [
        name,
        expression ?? this.#imported.get(local) ?? local,
      ]),
    );
  }

  compile(statement: Program["body"][number]): void {
    switch (statement.type) {
      case "ImportDeclaration": {
        const namespace = this.#load(statement);
        for (const specifier of statement.specifiers) {
          if (specifier.type === "ImportNamespaceSpecifier")
            this.#imported.set(specifier.local.name, namespace);
          else {
            const name = specifier.type === "ImportSpecifier" ? exportedName(specifier.imported) : "default";
            this.#imported.set(specifier.local.name, member(namespace, name));
          }
        }
        return;
      }
      case "ExportAllDeclaration": {
        const namespace = this.#load(statement);
        if (statement.exported)
          this.#exported.set(exportedName(statement.exported), { expression: namespace });
        else this.stars.push(namespace);
        return;
      }
      case "ExportNamedDeclaration": {
        const { declaration, specifiers, start, end } = statement;
        if (statement.source) {
          const namespace = this.#load(statement);
          for (const { exported, local } of specifiers)
            this.#exported.set(exportedName(exported), {
              expression: member(namespace, exportedName(local)),
            });
          return;
        }
        for (const { exported, local } of specifiers)
          this.#exported.set(exportedName(exported), { local: exportedName(local) });
        for (const name of declaration ? declaredNames(declaration) : [])
          this.#exported.set(name, { local: name });
        blankExport(this.#text, start, declaration?.start ?? end, this.edits);
        return;
      }
      case "ExportDefaultDeclaration":
        this.#compileDefault(statement);
    }
  }

  #compileDefault({ declaration, start, end }: ExportDefaultDeclaration): void {
    const isFunction = declaration.type === "FunctionDeclaration";
    if ((isFunction || declaration.type === "ClassDeclaration") && declaration.id) {
      this.#exported.set("default", { local: declaration.id.name });
      blankExport(this.#text, start, declaration.start, this.edits);
      return;
    }
    const name = unusedName(this.#text, "$default");
    this.#exported.set("default", { expression: name });
    if (isFunction) {
      // Stays a declaration, because it is hoisted.
      blankExport(this.#text, start, declaration.start, this.edits);
      const keyword = /^(?:async\s+)?function\s*\*?/.exec(this.#text.slice(declaration.start))![0];
      this.edits.insert(declaration.start + keyword.length, ` ${name}`);
      return;
    }
    // The property gives an anonymous function or class the name `default`, as the language does.
    const keywords = this.#text.slice(start).indexOf("default") + "default".length;
    const breaks = lineBreaks(this.#text.slice(start, start + keywords));
    this.edits.replace(start, start + keywords, `const ${name} = {default:${breaks}`);
    const hasSemicolon = declaration.type !== "ClassDeclaration" && this.#text[end - 1] === ";";
    this.edits.replace(hasSemicolon ? end - 1 : end, end, "}.default;");
  }

  /** Removes a statement that names a module and answers the variable with that module's namespace. */
  #load(statement: Importing): string {
    this.#specifiers.add(String(statement.source!.value));
    const namespace = unusedName(this.#text, `$m${this.loads.length}`);
    this.loads.push(`const ${namespace} = await ${importCall(statement, this.#importFunction)};`);
    const { start, end } = statement;
    this.edits.replace(start, end, `;${lineBreaks(this.#text.slice(start, end))}`);
    return namespace;
  }

  rewriteReferences(program: Program): void {
    walkProgram(program, {
      names: new Set(this.#imported.keys()),
      reference: ({ node, shorthand }) => {
        const text = this.#imported.get(node.name)!;
        this.edits.replace(node.start, node.end, shorthand ? `${node.name}: ${text}` : text);
      },
    });
  }
}

function member(namespace: string, name: string): string {
  return /^[\w$]+$/.test(name) ? `${namespace}.${name}` : `${namespace}[${JSON.stringify(name)}]`;
}

function declaredNames(declaration: AnyNode): string[] {
  if (declaration.type !== "VariableDeclaration") return lexicalNames([declaration]);
  return declaration.declarations.flatMap(({ id }) => patternNames(id));
}
