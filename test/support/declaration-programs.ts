import { runInNewContext } from "node:vm";
import fc from "fast-check";

/**
 * Programs over eight names, made of the declarations and assignments that models write. Node runs each program as
 * one script and is the judge.
 */
const names = ["a", "b", "c", "d", "e", "f", "g", "h"];

export interface Step {
  readonly shape: number;
  readonly target: number;
  readonly source: number;
  readonly value: number;
}

export const steps = fc.array(
  fc.record({
    shape: fc.nat(29),
    target: fc.nat(names.length - 1),
    source: fc.nat(names.length - 1),
    value: fc.nat(9),
  }),
  { minLength: 1, maxLength: 14 },
);

/** Which names exist so far, and how. */
class Scope {
  readonly lexical = new Set<string>();
  readonly constant = new Set<string>();
  readonly variable = new Set<string>();

  has(name: string): boolean {
    return this.lexical.has(name) || this.variable.has(name);
  }
}

/** A statement for a step, or nothing where it would not be allowed. */
function statement(
  { shape, target, source, value }: Step,
  scope: Scope,
  isWild: boolean,
): string | undefined {
  const name = names[target]!;
  const other = names[source]!;
  const read = isWild || scope.has(other) ? `(${other} + ${value})` : String(value);
  const declare = (kind: "let" | "const" | "class" | "var", text: string): string | undefined => {
    if (scope.lexical.has(name) || (kind !== "var" && scope.has(name))) return undefined;
    if (kind === "var") scope.variable.add(name);
    else scope.lexical.add(name);
    if (kind === "const") scope.constant.add(name);
    return text;
  };
  const mayAssign = isWild || (scope.has(name) && !scope.constant.has(name));
  const assign = (text: string): string | undefined => (mayAssign ? text : undefined);
  switch (shape) {
    case 0:
      return declare("let", `let ${name} = ${read};`);
    case 1:
      return declare("const", `const ${name} = ${read}`);
    case 2:
      return declare("var", `var ${name} = ${read}`);
    case 3:
      return declare("var", `var ${name};`);
    case 4:
      return declare("let", `let ${name}\n`);
    case 5:
      return declare("class", `class ${name} { static x = ${value} }`);
    case 6:
      // A function would be hoisted over what another eval assigned before.
      return scope.has(name) ? undefined : declare("var", `function ${name}() { return ${value} }`);
    case 7:
      return declare("let", `let { x: ${name} = ${value} } = { x: ${read} };`);
    case 8:
      return declare("const", `const [, ${name} = ${read}] = [1];`);
    case 9:
      return declare("var", `for (var ${name} = 0; ${name} < ${value}; ${name}++);`);
    case 10:
      return declare("var", `if (${value} > 4) { var ${name} = ${read} }`);
    case 11:
      return declare("var", `for (var ${name} of [${value}, ${read}]) {}`);
    case 12:
      return declare("const", `const ${name} = () => ${other};`);
    case 13:
      return declare("let", `let ${name} = function () { return typeof ${other} }`);
    case 14:
      return declare("const", `const { ...${name} } = { y: ${value} }`);
    case 15:
      return declare("const", `export const ${name} = ${read}`);
    case 16:
      return declare("let", `let ${name} = ${value}, ${name}_ = ${name} + ${read}`);
    case 17:
      return assign(`${name} = ${read};`);
    case 18:
      return assign(`${name} += ${value}`);
    case 19:
      return assign(`${name}++`);
    case 20:
      return assign(`;[${name}] = [${read}];`);
    case 21:
      return assign(`;({ ${name} } = { ${name}: ${value} })`);
    case 22:
      return assign(`for (${name} of [${value}]);`);
    case 23:
      return assign(`{ const ${other === name ? "z" : other} = ${value}; ${name} = ${value} }`);
    case 24:
      return `{ let ${name} = ${value}; ${name}++ }`;
    case 25:
      return `try { let ${name} = 1; throw ${name} } catch (${other}) { ${other} = 2 }`;
    case 26:
      return `;(function (${name}) { ${name} = ${value}; var ${other === name ? "z" : other}; return ${name} })();`;
    case 27:
      return `switch (${value}) { default: let ${name} = 3; ${name}-- }`;
    case 28:
      // Use before declaration is only found outside of functions.
      return mayAssign && scope.has(name) ? `;(() => { ${name} = ${value} })()` : undefined;
    default:
      return isWild || scope.has(name) ? `typeof ${name}` : undefined;
  }
}

export function build(program: readonly Step[], isWild: boolean): string[] {
  const scope = new Scope();
  return program.flatMap((step) => statement(step, scope, isWild) ?? []);
}

/** What there is to see of every name at the end. */
export const observation = `JSON.stringify([${names.map((name) => `(typeof ${name} === "undefined" ? null : typeof ${name} === "function" ? [${name}.name, ${name}.x, ${name}.x === undefined ? seen(() => ${name}()) : 0] : ${name})`)}])`;
export const observer =
  "function seen(look) { try { return String(look()) } catch (error) { return error.name } }";

export function runInNode(statements: readonly string[]): string {
  const program = statements.join("\n").replaceAll("export ", "");
  try {
    return runInNewContext(`${observer}\n${program}\n;${observation}`) as string;
  } catch (error) {
    return (error as Error).name;
  }
}

/** Neighbouring statements joined where the bits say so. */
export function split(statements: readonly string[], cuts: readonly boolean[]): string[] {
  const evals: string[] = [];
  statements.forEach((text, index) => {
    if (index === 0 || cuts[index % cuts.length]) evals.push(text);
    else evals.push(`${evals.pop()}\n${text}`);
  });
  return evals;
}

export const cuts = fc.array(fc.boolean(), { minLength: 1, maxLength: 14 });
