/** What an entry of the packed package reaches, file by file, as its import statements say. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type Node, parse } from "acorn";

export interface PackageJson {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly imports: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface ModuleGraph {
  /** Paths in the package. */
  readonly files: ReadonlySet<string>;
  /** Specifiers of other packages and of the platform. */
  readonly external: ReadonlySet<string>;
  /** Imports of files that are not in the package. */
  readonly missing: readonly string[];
}

/** `start`: paths in the package, `.js` or `.d.ts`. */
export function moduleGraph(directory: string, start: readonly string[]): ModuleGraph {
  const { imports } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as PackageJson;
  const files = new Set<string>();
  const external = new Set<string>();
  const missing: string[] = [];
  const queue = [...start];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (files.has(file)) continue;
    if (!existsSync(join(directory, file))) {
      missing.push(file);
      continue;
    }
    files.add(file);
    if (!/\.(js|d\.ts)$/.test(file)) continue;
    const declarations = file.endsWith(".d.ts");
    const text = readFileSync(join(directory, file), "utf8");
    for (const specifier of declarations ? importsOfDeclarations(text) : importsOfCode(text)) {
      if (specifier.startsWith("#")) {
        const { types, ...runtimes } = imports[specifier] as Record<string, string>;
        const targets = declarations ? [types as string] : Object.values(runtimes);
        queue.push(...targets.map((path) => path.slice(2)));
      } else if (specifier.startsWith(".")) {
        const target = relative(directory, join(directory, dirname(file), specifier));
        queue.push(declarations ? target.replace(/\.js$/, ".d.ts") : target);
      } else external.add(specifier);
    }
  }
  return { files, external, missing };
}

function importsOfCode(text: string): string[] {
  const specifiers: string[] = [];
  for (const node of nodesOf(parse(text, { ecmaVersion: "latest", sourceType: "module" }))) {
    if (!/^(Import(Declaration|Expression)|Export(Named|All)Declaration)$/.test(node.type)) continue;
    const { source } = node as Node & { source?: { value?: unknown } | null };
    if (typeof source?.value === "string") specifiers.push(source.value);
  }
  return specifiers;
}

/** Doc comments hold examples, which import too. */
function importsOfDeclarations(text: string): string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, "");
  const statements = code.matchAll(/^(?:import|export)\b[^"';]*["']([^"']+)["']|\bimport\("([^"]+)"/gm);
  return [...statements].map(([, from, inline]) => (from ?? inline) as string);
}

/** Names that are neither properties nor bound in the file. */
export function globalNames(code: string): string[] {
  const names = new Set<string>();
  const bound = new Set<string>();
  const nodes = [...nodesOf(parse(code, { ecmaVersion: "latest", sourceType: "module" }))] as Anything[];
  const notNames = new Set<unknown>();
  for (const node of nodes) {
    if (node.type === "MemberExpression" && !node.computed) notNames.add(node.property);
    else if (node.key && !node.computed && !node.shorthand) notNames.add(node.key);
    for (const target of [node.id, node.local, ...(node.params ?? [])]) {
      if (target) for (const part of nodesOf(target)) bound.add((part as Anything).name);
    }
  }
  for (const node of nodes) if (node.type === "Identifier" && !notNames.has(node)) names.add(node.name);
  return [...names].filter((name) => !bound.has(name));
}

interface Anything extends Node {
  readonly name: string;
  readonly computed?: boolean;
  readonly shorthand?: boolean;
  readonly property?: Node;
  readonly key?: Node;
  readonly id?: Node | null;
  readonly local?: Node;
  readonly params?: readonly Node[];
}

function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === "string") yield* nodesOf(child);
    }
  }
}
