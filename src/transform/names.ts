import type { AnyNode, Pattern } from "acorn";

/** Names that a binding pattern binds, in order. */
export function patternNames(pattern: Pattern): string[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name];
    case "ObjectPattern":
      return pattern.properties.flatMap((property) =>
        patternNames(property.type === "RestElement" ? property.argument : property.value),
      );
    case "ArrayPattern":
      return pattern.elements.flatMap((element) => (element ? patternNames(element) : []));
    case "RestElement":
      return patternNames(pattern.argument);
    case "AssignmentPattern":
      return patternNames(pattern.left);
    default:
      return [];
  }
}

/** Names that are bound to the block which holds these statements. */
export function lexicalNames(statements: readonly AnyNode[]): string[] {
  return statements.flatMap((statement) => {
    if (statement.type === "LabeledStatement") return lexicalNames([statement.body]);
    if (statement.type === "FunctionDeclaration" || statement.type === "ClassDeclaration")
      return statement.id ? [statement.id.name] : [];
    if (statement.type === "VariableDeclaration" && statement.kind !== "var")
      return statement.declarations.flatMap((declarator) => patternNames(declarator.id));
    return [];
  });
}

/** Calls back for a statement and the statements in it, but for none in a function and for no expression. */
export function walkStatements(node: AnyNode, callback: (statement: AnyNode) => void): void {
  callback(node);
  switch (node.type) {
    case "BlockStatement":
      for (const statement of node.body) walkStatements(statement, callback);
      return;
    case "IfStatement":
      walkStatements(node.consequent, callback);
      if (node.alternate) walkStatements(node.alternate, callback);
      return;
    case "ForStatement":
      if (node.init?.type === "VariableDeclaration") callback(node.init);
      walkStatements(node.body, callback);
      return;
    case "ForInStatement":
    case "ForOfStatement":
      if (node.left.type === "VariableDeclaration") callback(node.left);
      walkStatements(node.body, callback);
      return;
    case "WhileStatement":
    case "DoWhileStatement":
    case "LabeledStatement":
    case "WithStatement":
      walkStatements(node.body, callback);
      return;
    case "SwitchStatement":
      for (const each of node.cases)
        for (const statement of each.consequent) walkStatements(statement, callback);
      return;
    case "TryStatement":
      walkStatements(node.block, callback);
      if (node.handler) walkStatements(node.handler.body, callback);
      if (node.finalizer) walkStatements(node.finalizer, callback);
      return;
    default:
      return;
  }
}
