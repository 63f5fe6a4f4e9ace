import type { AnyNode, Program } from "acorn";
import type { Edits } from "./edits.js";
import { countFences } from "./normalise.js";
import { eachChild } from "./parse.js";

/** Texts that are not code at all: one sentence that ends the guessing. */

const shellCommands =
  "apt|apt-get|awk|bash|brew|bun|cargo|cat|cd|chmod|chown|cp|curl|deno|df|docker|du|echo|env|find|git|go|grep|head|kill|ls|make|mkdir|mv|node|npm|npx|pip|pip3|pnpm|ps|pwd|python|python3|rm|rg|sed|sh|sort|ssh|sudo|tail|tar|touch|tree|unzip|uv|wc|wget|whoami|xargs|yarn";
const shellLine = new RegExp(`^\\s*(?:[$%]\\s+\\S|(${shellCommands})(?:\\s+[\\w./~"'*|&<>@-]|\\s*$))`);
const pythonLine =
  /^\s*(?:def \w+\s*\(.*:|class \w+.*:\s*$|from [\w.]+ import |import \w+(?: as \w+)?\s*$|for \w+ in .*:\s*$|(?:if|elif|while|with) [^(].*:\s*$|print [^(=])/;

/** Why a text that does not parse is no code, judged by its first line and the one the parser stopped at. */
export function describeNonCode(text: string, errorLine: string, hasTools: boolean): string | undefined {
  errorLine = errorLine.slice(0, 500);
  const fences = countFences(text);
  if (fences > 2)
    return `This tool runs one piece of JavaScript and got ${Math.ceil(fences / 2)} code blocks; send one, without fences`;
  if (fences > 0)
    return "This tool runs JavaScript and got prose mixed with code; send only the code, without a fence";
  if (shellLine.test(errorLine)) return shellRefusal(errorLine.trim(), hasTools);
  if (pythonLine.test(errorLine) || pythonLine.test(text.trimStart().split("\n", 1)[0]!))
    return "This tool runs JavaScript, not Python; write the same in JavaScript";
  if (isProse(errorLine))
    return "This tool runs JavaScript and got text that is not code; send only the code";
  return undefined;
}

function shellRefusal(command: string, hasTools: boolean): string {
  const reach = hasTools
    ? "what it can reach are the functions in `tools`"
    : "there is no shell and no file system behind it";
  return `This tool runs JavaScript, not shell commands such as \`${command}\`; ${reach}`;
}

function isProse(line: string): boolean {
  return /^\s*[A-Z][\w'’]*,?(?: [\w'’,-]+){2,}[.:!?]?\s*$/.test(line);
}

/** A template called as a function: what a fence looks like to the parser. */
export function findFence(text: string, program: Program): AnyNode | undefined {
  if (!text.includes("```")) return undefined;
  const pending: AnyNode[] = [program];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === "TaggedTemplateExpression" && node.tag.type === "TemplateLiteral") return node;
    eachChild(node, (child) => pending.push(child));
  }
  return undefined;
}

/** `ls -la` is also a subtraction: whether it is meant so only shows when it runs. */
export function guardBareCommand(text: string, program: Program, hasTools: boolean, edits: Edits): void {
  const command = shellLine.exec(text)?.[1];
  const [statement] = program.body;
  if (command === undefined || statement?.type !== "ExpressionStatement" || text.trim().includes("\n"))
    return;
  const message = JSON.stringify(`${command} is not defined. ${shellRefusal(text.trim(), hasTools)}`);
  edits.insert(statement.start, `if(typeof ${command}=="undefined")throw ReferenceError(${message});`);
}
