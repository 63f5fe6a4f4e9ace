import type { AnyNode, Expression, Program } from "acorn";
import type { Edits } from "./edits.js";
import { eachChild } from "./parse.js";

/** The prelude's function that holds a promise until the eval ends (`guest/promises.ts`). */
export const KEEP_NAME = "$unawaited";

const chained = ["then", "catch", "finally"];

/**
 * Hands what a statement leaves behind to the prelude, where it looks like a promise: the engine frees a promise that
 * nobody refers to at once, and its rejection would be lost without a word. The last statement is the eval's value,
 * which is awaited.
 */
export function keepUnawaited(program: Program, edits: Edits): void {
  const last = program.body.at(-1);
  const statements: Expression[] = [];
  const asyncNames = new Set<string>();
  walk(program, (node) => {
    if (node.type === "ExpressionStatement" && node !== last) statements.push(node.expression);
    else if (node.type === "FunctionDeclaration" && node.async && node.id) asyncNames.add(node.id.name);
    else if (node.type === "VariableDeclarator" && node.id.type === "Identifier" && isAsync(node.init))
      asyncNames.add(node.id.name);
    else if (node.type === "CallExpression" && isMember(node.callee, ["forEach"])) {
      const [callback] = node.arguments;
      if (callback && isAsync(callback)) keep(callback, edits);
    }
  });
  for (const statement of statements) keepResults(statement, asyncNames, edits);
}

function keepResults(expression: Expression, asyncNames: ReadonlySet<string>, edits: Edits): void {
  switch (expression.type) {
    case "UnaryExpression":
      if (expression.operator === "void") keepResults(expression.argument, asyncNames, edits);
      break;
    case "LogicalExpression":
      keepResults(expression.right, asyncNames, edits);
      break;
    case "ConditionalExpression":
      keepResults(expression.consequent, asyncNames, edits);
      keepResults(expression.alternate, asyncNames, edits);
      break;
    case "NewExpression":
      if (isName(expression.callee, "Promise")) keep(expression, edits);
      break;
    case "CallExpression": {
      const { callee } = expression;
      const isKnown = callee.type === "Identifier" && asyncNames.has(callee.name);
      const isPromises = callee.type === "MemberExpression" && isName(callee.object, "Promise");
      if (isKnown || isPromises || isAsync(callee) || isMember(callee, chained)) keep(expression, edits);
    }
  }
}

function keep({ start, end }: AnyNode, edits: Edits): void {
  edits.insert(start, `${KEEP_NAME}(`);
  edits.insert(end, ")");
}

function isAsync(node: AnyNode | null | undefined): boolean {
  return (node?.type === "ArrowFunctionExpression" || node?.type === "FunctionExpression") && node.async;
}

const isName = (node: AnyNode, name: string): boolean => node.type === "Identifier" && node.name === name;

function isMember(node: AnyNode, names: readonly string[]): boolean {
  return (
    node.type === "MemberExpression" &&
    !node.computed &&
    node.property.type === "Identifier" &&
    names.includes(node.property.name)
  );
}

/** In the order of the text. */
function walk(root: AnyNode, visit: (node: AnyNode) => void): void {
  const stack: AnyNode[] = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    visit(node);
    const below: AnyNode[] = [];
    eachChild(node, (child) => below.push(child));
    for (let index = below.length - 1; index >= 0; index--) stack.push(below[index] as AnyNode);
  }
}
