import type { AnyNode, Class, Function as FunctionNode, Identifier, Pattern, Program } from "acorn";
import { hoistedNames, isStrictBody } from "./hoisting.js";
import { lexicalNames, patternNames } from "./names.js";
import { eachChild } from "./parse.js";

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
  /** Means a binding of a block outside of functions, whose name is one of `everywhere`. */
  readonly isBlockScoped: boolean;
}

export interface Visitor {
  /** Names of top-level bindings whose references are reported. */
  readonly names: ReadonlySet<string>;
  /** Of these names the bindings of blocks outside of functions are reported too. */
  readonly everywhere?: ReadonlySet<string>;
  reference?(reference: Reference): void;
  /** Every node that is not an identifier, before its children. */
  node?(node: AnyNode): void;
}

export function walkProgram(program: Program, visitor: Visitor): void {
  const walk = new Walk(visitor, isStrictBody(program.body));
  for (const statement of program.body) walk.visit(statement, none, 0);
}

/** Names that mean another binding than that of the top level, and whether a block outside of functions made it. */
type Hidden = ReadonlyMap<string, "in a block" | "elsewhere">;

const none: Hidden = new Map();

class Walk {
  readonly #visitor: Visitor;
  #isStrict: boolean;

  constructor(visitor: Visitor, isStrict: boolean) {
    this.#visitor = visitor;
    this.#isStrict = isStrict;
  }

  visit(node: AnyNode, hidden: Hidden, depth: number): void {
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
        const inner = this.#hide(hidden, lexicalNames([node.left]), depth);
        if (node.left.type === "VariableDeclaration") this.visit(node.left, inner, depth);
        else this.#pattern(node.left, "write", inner, depth);
        this.visit(node.right, inner, depth);
        this.visit(node.body, inner, depth);
        return;
      }
      case "ForStatement":
        this.#all(node, this.#hide(hidden, node.init ? lexicalNames([node.init]) : [], depth), depth);
        return;
      case "SwitchStatement": {
        const cases = node.cases.flatMap((each) => lexicalNames(each.consequent));
        this.#all(node, this.#hide(hidden, cases, depth), depth);
        return;
      }
      case "BlockStatement":
        this.#all(node, this.#hide(hidden, lexicalNames(node.body), depth), depth);
        return;
      case "StaticBlock":
        this.#all(
          node,
          this.#hide(hidden, [...lexicalNames(node.body), ...hoistedNames(node.body, true)], depth + 1),
          depth,
        );
        return;
      case "CatchClause": {
        const inner = this.#hide(hidden, node.param ? patternNames(node.param) : [], depth);
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

  #all(node: AnyNode, hidden: Hidden, depth: number): void {
    eachChild(node, (child) => this.visit(child, hidden, depth));
  }

  #function(node: FunctionNode, hidden: Hidden, depth: number): void {
    if ((node as AnyNode).type === "FunctionDeclaration" && node.id)
      this.#report(node.id, "declare", hidden, depth, false);
    const names = node.params.flatMap(patternNames);
    if ((node as AnyNode).type === "FunctionExpression" && node.id) names.push(node.id.name);
    const inner = this.#hide(hidden, names, depth + 1);
    for (const parameter of node.params) this.#pattern(parameter, "declare", inner, depth + 1);
    const isStrict = this.#isStrict;
    const statements = node.body.type === "BlockStatement" ? node.body.body : [];
    this.#isStrict ||= isStrictBody(statements);
    // What the body declares is not there for the defaults of the parameters; `let` is read with the block.
    const own = this.#hide(inner, hoistedNames(statements, this.#isStrict), depth + 1);
    this.visit(node.body, own, depth + 1);
    this.#isStrict = isStrict;
  }

  #class(node: Class, hidden: Hidden, depth: number): void {
    const isStrict = this.#isStrict;
    this.#isStrict = true;
    const { id } = node;
    const isInBlock = id && node.type === "ClassDeclaration" && hidden.get(id.name) === "in a block";
    if (isInBlock) this.#report(id, "declare", hidden, depth, false);
    const inner = id && !isInBlock ? this.#hide(hidden, [id.name], depth + 1) : hidden;
    if (node.superClass) this.visit(node.superClass, inner, depth);
    this.visit(node.body, inner, depth);
    this.#isStrict = isStrict;
  }

  #pattern(node: Pattern, role: "write" | "declare", hidden: Hidden, depth: number, shorthand = false): void {
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
    hidden: Hidden,
    depth: number,
    shorthand: boolean,
  ): void {
    const hiding = hidden.get(node.name);
    if (this.#visitor.names.has(node.name) && hiding !== "elsewhere")
      this.#visitor.reference?.({ node, role, depth, shorthand, isBlockScoped: hiding !== undefined });
  }

  #hide(hidden: Hidden, names: readonly string[], depth: number): Hidden {
    const { names: followed, everywhere } = this.#visitor;
    const more = names.flatMap((name) => {
      if (!followed.has(name) || hidden.get(name) === "elsewhere") return [];
      return [[name, depth === 0 && everywhere?.has(name) ? "in a block" : "elsewhere"] as const];
    });
    return more.length === 0 ? hidden : new Map([...hidden, ...more]);
  }
}
