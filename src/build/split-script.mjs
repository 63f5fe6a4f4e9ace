/**
 * Cuts the prelude's one script into parts that the engine compiles one after the other. While it compiles a script,
 * the engine holds its working data about every function in it, and what it makes lands behind and between that data:
 * half of the base image was gaps. A part is small, and the next one fills the gaps it leaves.
 *
 * A part is a function that takes the table of what the parts before it declared. Cuts lie only where nothing in
 * front needs anything behind, and no variable that changes is seen on both sides.
 */
import { parse } from "acorn";

/**
 * @param {string} code A module without imports whose top level is declarations, as esbuild writes it.
 * @param {number} partChars About how long a part is.
 * @returns {string[]} Scripts. Each evaluates to a function; what the last one answers is the module's export.
 */
export function splitScript(code, partChars) {
  const statements = parse(code, { ecmaVersion: 2022, sourceType: "module" }).body;
  const exported = statements.pop();
  if (exported?.type !== "ExportNamedDeclaration" || exported.specifiers.length !== 1)
    throw new Error("The prelude has to end with its one export.");
  const declared = statements.map(declaredNames);
  const place = new Map(declared.flatMap((names, at) => names.map((name) => [name, at])));
  const used = statements.map((statement) => usedNames(statement, place));
  const cuts = findCuts(statements, place, used, partChars);
  return cuts.slice(1).map((end, index) => {
    const start = cuts[index];
    const within = (name) => place.get(name) >= start && place.get(name) < end;
    const isNeededLater = (name) => used.slice(end).some(({ names }) => names.has(name));
    const needed = [...new Set(used.slice(start, end).flatMap(({ names }) => [...names]))];
    const taken = needed.filter((name) => !within(name));
    const given = declared.slice(start, end).flat().filter(isNeededLater);
    const body = code.slice(statements[start].start, statements[end - 1].end);
    const isLast = end === statements.length;
    return [
      `(scope)=>{"use strict";`,
      taken.length > 0 ? `var{${taken.join(",")}}=scope;` : "",
      body,
      ...given.map((name) => `;scope.${name}=${name}`),
      isLast ? `;return ${exported.specifiers[0].local.name}` : "",
      "}",
    ].join("");
  });
}

/** Where parts begin, and the end of the last one. */
function findCuts(statements, place, used, partChars) {
  const blocked = new Set();
  const changed = new Set(used.flatMap(({ assigned }) => [...assigned]));
  used.forEach(({ names }, at) => {
    for (const name of names) {
      const home = place.get(name);
      if (home <= at && !changed.has(name)) continue;
      for (let cut = Math.min(home, at) + 1; cut <= Math.max(home, at); cut++) blocked.add(cut);
    }
  });
  const cuts = [0];
  statements.forEach(({ start }, at) => {
    if (blocked.has(at) || start - statements[cuts.at(-1)].start < partChars) return;
    cuts.push(at);
  });
  return [...cuts, statements.length];
}

function declaredNames(statement) {
  if (statement.type === "VariableDeclaration")
    return statement.declarations.flatMap(({ id }) => boundNames(id));
  return statement.id ? [statement.id.name] : [];
}

/** Top-level names that a statement mentions, and those it assigns to. A name of its own counts too, to no harm. */
function usedNames(statement, place) {
  const names = new Set();
  const assigned = new Set();
  const visit = (node, key, parent) => {
    if (node.type === "Identifier") {
      const isKey = (key === "property" || key === "key") && !parent.computed && !parent.shorthand;
      if (!isKey && place.has(node.name)) names.add(node.name);
      return;
    }
    const target = node.type === "UpdateExpression" ? node.argument : node.left;
    if (/^(?:Assignment|Update)Expression$|^For(?:In|Of)Statement$/.test(node.type))
      for (const name of boundNames(target)) if (place.has(name)) assigned.add(name);
    for (const [inner, value] of Object.entries(node))
      for (const child of Array.isArray(value) ? value : [value])
        if (typeof child?.type === "string") visit(child, inner, node);
  };
  visit(statement, "", {});
  return { names, assigned };
}

function boundNames(pattern) {
  switch (pattern?.type) {
    case "Identifier":
      return [pattern.name];
    case "ObjectPattern":
      return pattern.properties.flatMap((property) => boundNames(property.value ?? property.argument));
    case "ArrayPattern":
      return pattern.elements.flatMap(boundNames);
    case "AssignmentPattern":
      return boundNames(pattern.left);
    case "RestElement":
      return boundNames(pattern.argument);
    default:
      return [];
  }
}
