import type { AnyNode, Class, Function as FunctionNode, Identifier, Pattern, Program } from "acorn";
import { hoistedNames, lexicalNames, patternNames } from "./names.js";
import { children } from "./parse.js";

/**
 * Which identifiers mean a binding of the top level. Only the names that are asked for are followed, so that
 * nothing is built for the others.
 */
export interface Reference {
  readonly node: Identifier;
  readonly role: "read" | "write" | "declare";
  /** In `{ name }`: the replacement needs a key. */
  readonly shorthand: boolean;
  /** Functions around it; 0 runs in textual order. */
  readonly depth: number;
}

export interface Visitor {
  /** Names of top-level bindings whose references are reported. */
  readonly names: ReadonlySet<string>;
  reference?(reference: Reference): void;
  /** Every node that is not an identifier, before its children. */
  node?(node: AnyNode): void;
}

export function walkProgram(program: Program, visitor: Visitor): void {
  const walk = new Walk(visitor);
  for (const statement of program.body) walk.visit(statement, none, 0);
}

const none: ReadonlySet<string> = new Set();

class Walk {
  readonly #visitor: Visitor;

  constructor(visitor: Visitor) {
    this.#visitor = visitor;
  }

  visit(node: AnyNode, hidden: ReadonlySet<string>, depth: number): void {
    if (node.type === "Identifier") {
      this.#report(node, "read", hidden, depth, false);
      return;
    }
    this.#visitor.node?.(node);
    switch (node.type) {
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        this.#function(node, hidden, depth);
        return;
      case "ClassDeclaration":
      case "ClassExpression":
        this.#class(node, hidden, depth);
        return;
      case "VariableDeclarator":
        this.#pattern(node.id, "declare", hidden, depth);
        if (node.init) this.visit(node.init, hidden, depth);
        return;
      case "AssignmentExpression":
        this.#pattern(node.left, "write", hidden, depth);
        this.visit(node.right, hidden, depth);
        return;
      case "UpdateExpression":
        this.#pattern(node.argument as Pattern, "write", hidden, depth);
        return;
      case "MemberExpression":
        this.visit(node.object, hidden, depth);
        if (node.computed) this.visit(node.property, hidden, depth);
        return;
      case "Property":
        if (node.computed) this.visit(node.key, hidden, depth);
        if (node.shorthand && node.value.type === "Identifier")
          this.#report(node.value, "read", hidden, depth, true);
        else this.visit(node.value, hidden, depth);
        return;
      case "MethodDefinition":
      case "PropertyDefinition":
        if (node.computed) this.visit(node.key, hidden, depth);
        // A field's value is evaluated like the body of a method.
        if (node.value) this.visit(node.value, hidden, depth + 1);
        return;
      case "ForInStatement":
      case "ForOfStatement": {
        const inner = this.#hide(hidden, lexicalNames([node.left]));
        if (node.left.type === "VariableDeclaration") this.visit(node.left, inner, depth);
        else this.#pattern(node.left, "write", inner, depth);
        this.visit(node.right, inner, depth);
        this.visit(node.body, inner, depth);
        return;
      }
      case "ForStatement":
        this.#all(node, this.#hide(hidden, node.init ? lexicalNames([node.init]) : []), depth);
        return;
      case "SwitchStatement": {
        const cases = node.cases.flatMap((each) => lexicalNames(each.consequent));
        this.#all(node, this.#hide(hidden, cases), depth);
        return;
      }
      case "BlockStatement":
        this.#all(node, this.#hide(hidden, lexicalNames(node.body)), depth);
        return;
      case "StaticBlock":
        this.#all(node, this.#hide(hidden, [...lexicalNames(node.body), ...hoistedNames(node.body)]), depth);
        return;
      case "CatchClause": {
        const inner = this.#hide(hidden, node.param ? patternNames(node.param) : []);
        if (node.param) this.#pattern(node.param, "declare", inner, depth);
        this.visit(node.body, inner, depth);
        return;
      }
      case "LabeledStatement":
        this.visit(node.body, hidden, depth);
        return;
      case "ExportNamedDeclaration":
        if (node.declaration) this.visit(node.declaration, hidden, depth);
        return;
      case "BreakStatement":
      case "ContinueStatement":
      case "MetaProperty":
      case "ImportDeclaration":
      case "ExportAllDeclaration":
        return;
      default:
        this.#all(node, hidden, depth);
        return;
    }
  }

  #all(node: AnyNode, hidden: ReadonlySet<string>, depth: number): void {
    for (const [, child] of children(node)) this.visit(child, hidden, depth);
  }

  #function(node: FunctionNode, hidden: ReadonlySet<string>, depth: number): void {
    if ((node as AnyNode).type === "FunctionDeclaration" && node.id)
      this.#report(node.id, "declare", hidden, depth, false);
    const names = node.params.flatMap(patternNames);
    if ((node as AnyNode).type === "FunctionExpression" && node.id) names.push(node.id.name);
    if (node.body.type === "BlockStatement")
      names.push(...lexicalNames(node.body.body), ...hoistedNames(node.body.body));
    const inner = this.#hide(hidden, names);
    for (const parameter of node.params) this.#pattern(parameter, "declare", inner, depth + 1);
    this.visit(node.body, inner, depth + 1);
  }

  #class(node: Class, hidden: ReadonlySet<string>, depth: number): void {
    const inner = this.#hide(hidden, node.id ? [node.id.name] : []);
    if (node.superClass) this.visit(node.superClass, inner, depth);
    this.visit(node.body, inner, depth);
  }

  #pattern(
    node: Pattern,
    role: "write" | "declare",
    hidden: ReadonlySet<string>,
    depth: number,
    shorthand = false,
  ): void {
    switch (node.type) {
      case "Identifier":
        this.#report(node, role, hidden, depth, shorthand);
        return;
      case "ObjectPattern":
        for (const property of node.properties) {
          if (property.type === "RestElement") this.#pattern(property.argument, role, hidden, depth);
          else {
            if (property.computed) this.visit(property.key, hidden, depth);
            this.#pattern(property.value, role, hidden, depth, property.shorthand);
          }
        }
        return;
      case "ArrayPattern":
        for (const element of node.elements) if (element) this.#pattern(element, role, hidden, depth);
        return;
      case "RestElement":
        this.#pattern(node.argument, role, hidden, depth);
        return;
      case "AssignmentPattern":
        this.#pattern(node.left, role, hidden, depth, shorthand);
        this.visit(node.right, hidden, depth);
        return;
      default:
        this.visit(node, hidden, depth);
        return;
    }
  }

  #report(
    node: Identifier,
    role: Reference["role"],
    hidden: ReadonlySet<string>,
    depth: number,
    shorthand: boolean,
  ): void {
    if (this.#visitor.names.has(node.name) && !hidden.has(node.name))
      this.#visitor.reference?.({ node, role, depth, shorthand });
  }

  #hide(hidden: ReadonlySet<string>, names: readonly string[]): ReadonlySet<string> {
    const followed = names.filter((name) => this.#visitor.names.has(name) && !hidden.has(name));
    return followed.length === 0 ? hidden : new Set([...hidden, ...followed]);
  }
}
