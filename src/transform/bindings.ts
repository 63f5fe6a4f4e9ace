import type { AnyNode, ClassDeclaration, Program, ReturnStatement, VariableDeclaration } from "acorn";
import type { Edits } from "./edits.js";
import { hoistedNames, isStrictBody } from "./hoisting.js";
import { declarationOf } from "./modules.js";
import { patternNames, walkStatements } from "./names.js";
import { type Reference, walkProgram } from "./scope.js";

/**
 * The top level of an eval as global `var` bindings: one binding per name, which every later eval and every
 * closure shares. What `let`, `const` and `class` promise beyond that within one eval - no use before the
 * declaration, no assignment to a constant - is put back at the places where it would be broken.
 */
export interface TopLevel {
  readonly declared: Set<string>;
  /** `let`, `const` and `class` of the top level, imports included. */
  readonly lexical: Map<string, Lexical>;
  readonly returns: ReturnStatement[];
}

export interface Lexical {
  readonly isConstant: boolean;
  /** The name is bound from here on ... */
  readonly boundAt: number;
  /** ... but not in the initialiser behind its pattern, which runs before it. */
  readonly initialiser?: { readonly start: number; readonly end: number };
}

export function readTopLevel(program: Program): TopLevel {
  const topLevel: TopLevel = { declared: new Set(), lexical: new Map(), returns: [] };
  const isStrict = isStrictBody(program.body);
  for (const statement of program.body) {
    const declaration = declarationOf(statement);
    if (declaration.type === "ImportDeclaration") {
      for (const { local } of declaration.specifiers) {
        topLevel.declared.add(local.name);
        topLevel.lexical.set(local.name, { isConstant: true, boundAt: 0 });
      }
    } else if (declaration.type === "ClassDeclaration") {
      if (!declaration.id) continue;
      topLevel.declared.add(declaration.id.name);
      topLevel.lexical.set(declaration.id.name, { isConstant: false, boundAt: declaration.end });
    } else if (declaration.type === "VariableDeclaration" && declaration.kind !== "var") {
      readLexical(declaration, topLevel);
    } else {
      for (const name of hoistedNames([declaration], isStrict)) topLevel.declared.add(name);
      walkStatements(declaration, (inner) => {
        if (inner.type === "ReturnStatement") topLevel.returns.push(inner);
      });
    }
  }
  return topLevel;
}

function readLexical(declaration: VariableDeclaration, topLevel: TopLevel): void {
  for (const { id, init, end } of declaration.declarations) {
    for (const name of patternNames(id)) {
      topLevel.declared.add(name);
      topLevel.lexical.set(name, {
        isConstant: declaration.kind === "const",
        boundAt: id.type === "Identifier" ? end : boundAt(id, name),
        ...(init && { initialiser: { start: id.end, end } }),
      });
    }
  }
}

/** Where in a pattern a name is bound: behind its own default value. */
function boundAt(pattern: AnyNode, name: string): number {
  switch (pattern.type) {
    case "ObjectPattern": {
      const property = pattern.properties.find((each) =>
        patternNames(each.type === "RestElement" ? each : each.value).includes(name),
      )!;
      return boundAt(property.type === "RestElement" ? property : property.value, name);
    }
    case "ArrayPattern":
      return boundAt(pattern.elements.find((each) => each && patternNames(each).includes(name))!, name);
    case "AssignmentPattern":
      return pattern.left.type === "Identifier" ? pattern.end : boundAt(pattern.left, name);
    case "RestElement":
      return boundAt(pattern.argument, name);
    default:
      return pattern.end;
  }
}

/** `let` and `const` become `var`, padded so that no column changes; `let x;` still resets `x`. */
export function rewriteVariables(declaration: VariableDeclaration, edits: Edits): void {
  if (declaration.kind === "var") return;
  const { start, kind } = declaration;
  edits.replace(start, start + kind.length, "var".padEnd(kind.length));
  for (const { id, init } of declaration.declarations) if (!init) edits.insert(id.end, " = void 0");
}

/** A class declaration becomes a named class expression; the semicolon keeps the next line apart from it. */
export function rewriteClass(declaration: ClassDeclaration, boundName: string, edits: Edits): void {
  edits.insert(declaration.start, `var ${boundName} = `);
  edits.insert(declaration.end, ";");
}

/**
 * A function in a block becomes a variable around it, except where that would collide with a `let` or `const`.
 * Those are `var` by now; a `let` directly around the block makes the collision again.
 */
export function shieldFromBlockFunctions(
  program: Program,
  lexical: ReadonlyMap<string, Lexical>,
  renamed: ReadonlyMap<string, string>,
  edits: Edits,
): void {
  if (lexical.size === 0) return;
  const shield = (statements: readonly AnyNode[], start: number, end: number, [open, close] = ["", ""]) => {
    const names = statements.flatMap((each) =>
      each.type === "FunctionDeclaration" && each.id && lexical.has(each.id.name) ? [each.id.name] : [],
    );
    if (names.length === 0) return;
    const bound = [...new Set(names.map((name) => renamed.get(name) ?? name))];
    edits.insert(start, `${open}let ${bound.join()};{`);
    edits.insert(end, `}${close}`);
  };
  for (const statement of program.body) {
    walkStatements(statement, (node) => {
      if (node.type === "BlockStatement") shield(node.body, node.start + 1, node.end - 1);
      else if (node.type === "SwitchStatement")
        shield(
          node.cases.flatMap((each) => each.consequent),
          node.start,
          node.end,
          ["{", "}"],
        );
      else if (node.type === "IfStatement")
        for (const clause of [node.consequent, node.alternate])
          if (clause) shield([clause], clause.start, clause.end, ["{", "}"]);
    });
  }
}

/** Renames references, and makes those throw that the language would make throw. */
export function rewriteReferences(
  program: Program,
  lexical: ReadonlyMap<string, Lexical>,
  renamed: ReadonlyMap<string, string>,
  edits: Edits,
): void {
  const names = new Set([...lexical.keys(), ...renamed.keys()]);
  if (names.size === 0) return;
  walkProgram(program, {
    names,
    // A name that is reserved is so in blocks as well, where functions become variables around them.
    everywhere: new Set(renamed.keys()),
    reference(reference) {
      const { node, shorthand, isBlockScoped } = reference;
      const target = renamed.get(node.name) ?? node.name;
      const guarded = isBlockScoped ? undefined : guard(reference, lexical.get(node.name), target);
      if (guarded === undefined && target === node.name) return;
      if (shorthand) edits.insert(node.start, `${node.name}: `);
      if (guarded) edits.insertHidden(node.start, guarded);
      edits.replace(node.start, node.end, guarded ? `().${target}` : target);
    },
  });
}

/** `typeof name` says "undefined" where reading the name throws, as it does for variables that a restore lost. */
export function shieldTypeof(program: Program, absent: readonly string[], edits: Edits): void {
  if (absent.length === 0) return;
  const operands = new Set<AnyNode>();
  walkProgram(program, {
    names: new Set(absent),
    node(node) {
      if (node.type === "UnaryExpression" && node.operator === "typeof") operands.add(node.argument);
    },
    reference({ node }) {
      if (operands.has(node))
        edits.replace(node.start, node.end, `(()=>{try{return ${node.name}}catch{}})()`);
    },
  });
}

function guard(
  { node, role, depth }: Reference,
  lexical: Lexical | undefined,
  target: string,
): string | undefined {
  if (lexical === undefined || role === "declare") return undefined;
  if (depth === 0 && isBefore(node.start, lexical)) {
    const failure = `throw ReferenceError("Cannot access '${node.name}' before initialization")`;
    return property(target, failure, failure);
  }
  if (role === "write" && lexical.isConstant)
    return property(
      target,
      `return ${target}`,
      `throw TypeError("Assignment to constant variable '${node.name}'.")`,
    );
  return undefined;
}

function isBefore(position: number, { boundAt, initialiser }: Lexical): boolean {
  if (initialiser && position >= initialiser.start) return position < initialiser.end;
  return position < boundAt;
}

/**
 * The start of an expression, up to `().name`, that can stand wherever a variable can, as a target of any assignment
 * too. It starts with a keyword on purpose: a bracket would join it to a line above that has no semicolon.
 */
function property(name: string, get: string, set: string): string {
  return `new class{get ${name}(){${get}}set ${name}(_){${set}}}`;
}
