import type { AnyNode } from "acorn";
import { lexicalNames, patternNames } from "./names.js";

/**
 * Names that statements bind in the function or script around them: `var`, functions, and in sloppy code the plain
 * functions in blocks too, unless a binding between them and the function is in the way.
 */
export function hoistedNames(statements: readonly AnyNode[], isStrict: boolean): string[] {
  const hoisting = new Hoisting(isStrict);
  for (let statement of statements) {
    while (statement.type === "LabeledStatement") statement = statement.body;
    if (statement.type === "FunctionDeclaration") {
      if (statement.id) hoisting.names.push(statement.id.name);
    } else hoisting.visit(statement, none);
  }
  return hoisting.names;
}

/** Whether a directive in front of the statements makes the code they are in strict. */
export function isStrictBody(statements: readonly AnyNode[]): boolean {
  for (const statement of statements) {
    if (statement.type !== "ExpressionStatement" || statement.directive === undefined) return false;
    if (statement.directive === "use strict") return true;
  }
  return false;
}

const none: ReadonlySet<string> = new Set();

class Hoisting {
  readonly names: string[] = [];
  readonly #isStrict: boolean;

  constructor(isStrict: boolean) {
    this.#isStrict = isStrict;
  }

  /** `taken`: names of the blocks around it, which no function in it can get past. */
  visit(node: AnyNode, taken: ReadonlySet<string>): void {
    switch (node.type) {
      case "VariableDeclaration":
        if (node.kind === "var")
          this.names.push(...node.declarations.flatMap((declarator) => patternNames(declarator.id)));
        return;
      case "BlockStatement":
        this.#block(node.body, taken);
        return;
      case "SwitchStatement":
        this.#block(
          node.cases.flatMap((each) => each.consequent),
          taken,
        );
        return;
      case "IfStatement":
        this.#clause(node.consequent, taken);
        if (node.alternate) this.#clause(node.alternate, taken);
        return;
      case "ForStatement":
        if (node.init) this.visit(node.init, taken);
        this.visit(node.body, node.init ? join(taken, lexicalNames([node.init])) : taken);
        return;
      case "ForInStatement":
      case "ForOfStatement":
        this.visit(node.left, taken);
        this.visit(node.body, join(taken, lexicalNames([node.left])));
        return;
      case "WhileStatement":
      case "DoWhileStatement":
      case "LabeledStatement":
      case "WithStatement":
        this.visit(node.body, taken);
        return;
      case "TryStatement":
        this.visit(node.block, taken);
        if (node.handler) {
          const { param, body } = node.handler;
          // A plain parameter is not in the way.
          const isPattern = param && param.type !== "Identifier";
          this.visit(body, isPattern ? join(taken, patternNames(param)) : taken);
        }
        if (node.finalizer) this.visit(node.finalizer, taken);
        return;
      default:
        return;
    }
  }

  #block(statements: readonly AnyNode[], taken: ReadonlySet<string>): void {
    for (const statement of statements) this.#function(statement, taken);
    const inner = join(taken, lexicalNames(statements));
    for (const statement of statements) this.visit(statement, inner);
  }

  /** `if (x) function f() {}` means a block with the function in it. */
  #clause(statement: AnyNode, taken: ReadonlySet<string>): void {
    this.#function(statement, taken);
    this.visit(statement, taken);
  }

  #function(statement: AnyNode, taken: ReadonlySet<string>): void {
    if (this.#isStrict || statement.type !== "FunctionDeclaration") return;
    const { id, async, generator } = statement;
    if (id && !async && !generator && !taken.has(id.name)) this.names.push(id.name);
  }
}

function join(names: ReadonlySet<string>, more: readonly string[]): ReadonlySet<string> {
  return more.length === 0 ? names : new Set([...names, ...more]);
}
