/**
 * What the model is told about the interpreter. The text is a list of sentences with ids, so that a table of programs
 * can hold each one to what the interpreter does. Everything that could differ between two requests of one agent is
 * sorted or left out: a prompt that changes is a prompt cache that is paid for again.
 */
import type { ApprovalNeed } from "../approvals/approval-policy.js";
import { type SubagentType, subagentSection } from "./prompt-subagents.js";
import { type PromptTool, toolsSection } from "./prompt-tools.js";
import type { Sentence } from "./sentence.js";

/** How long what code declares stays: for the whole thread, for one turn, or not at all. */
export type InterpreterMode = "thread" | "turn" | "call";

export interface PromptOptions {
  readonly toolName: string;
  readonly mode: InterpreterMode;
  /** Globals beyond the language, as the engine has them. */
  readonly builtIns: readonly string[];
  /** `null`: no limit, and no sentence about it. */
  readonly executionTimeoutMs: number | null;
  readonly memoryLimitBytes: number;
  readonly maxResultChars: number;
  readonly maxPtcCalls: number | null;
  readonly captureConsole: boolean;
  /** The host gave the guest a clock. */
  readonly clock: boolean;
  /** Specifiers of modules that code may import, `null` where a loader decides; undefined where there are none. */
  readonly modules?: readonly string[] | null | undefined;
  /** Tools that code may call in this request; empty where `ptc` is off. */
  readonly tools: readonly PromptTool[];
  /** Undefined where code cannot call `task()`. */
  readonly subagents?: readonly SubagentType[] | undefined;
  /** Names in code (`deleteFile`, `task`) whose calls wait for a person's approval. */
  readonly approvals: ReadonlyMap<string, ApprovalNeed>;
  /** Sentences about helpers that the guest has for many calls. */
  readonly helpers?: readonly Sentence[];
  /** The app's own text in place of the built-in one; what is said about tools and subagents stays. */
  readonly systemPrompt?: string | null | undefined;
}

/** The whole text, sections apart by blank lines. */
export function systemPrompt(options: PromptOptions): string {
  return promptSections(options)
    .map((section) => section.map(({ text }) => text).join("\n"))
    .join("\n\n");
}

export function promptSections(options: PromptOptions): readonly (readonly Sentence[])[] {
  const sections: (readonly Sentence[])[] = [
    options.systemPrompt ? [{ id: "custom", text: options.systemPrompt }] : baseSection(options),
  ];
  if (options.tools.length > 0) sections.push(toolsSection(options));
  if (options.subagents !== undefined)
    sections.push(subagentSection(options.subagents, options.approvals.get("task")));
  const reachesOut = options.tools.length > 0 || options.subagents !== undefined;
  if (reachesOut && options.helpers && options.helpers.length > 0) sections.push(options.helpers);
  return sections;
}

function baseSection(options: PromptOptions): Sentence[] {
  const { toolName, executionTimeoutMs, captureConsole } = options;
  const reachesOut = options.tools.length > 0 || options.subagents !== undefined;
  const sentences: (Sentence | false)[] = [
    { id: "heading", text: `## Code interpreter (\`${toolName}\`)` },
    {
      id: "what",
      text: `\`${toolName}\` runs JavaScript or TypeScript in a sandbox and shows you the value of the last expression.`,
    },
    persistence(options.mode, toolName),
    { id: "await", text: "`await` works at the top level; a promise as the last value is awaited." },
    captureConsole && {
      id: "console",
      text: "What `console.log` prints is shown before the value.",
    },
    {
      id: "errors",
      text: "An error is shown with its line. What ran before it has happened and is not undone.",
    },
    options.builtIns.length > 0 && {
      id: "built-ins",
      text: `Besides the language itself there are: ${options.builtIns.join(", ")}.`,
    },
    ...outside(options.modules),
    !options.clock && {
      id: "no-clock",
      text: "There is no clock: `Date.now()` and `new Date()` fail. Dates made from a given time work, in UTC.",
    },
    !reachesOut && {
      id: "pure",
      text: "Code here only computes. Use your other tools for everything that touches the outside.",
    },
    executionTimeoutMs !== null && {
      id: "time-limit",
      text: `One call may compute for ${seconds(executionTimeoutMs)}.${reachesOut ? " Waiting for tools and subagents does not count." : ""}`,
    },
    { id: "memory-limit", text: `Memory is limited to ${megabytes(options.memoryLimitBytes)}.` },
    {
      id: "result-limit",
      text: `You see at most ${options.maxResultChars} characters of a call: ${
        options.mode === "call"
          ? "return only what you need."
          : "keep large data in variables and return only what you need."
      }`,
    },
    {
      id: "one-at-a-time",
      text: "Several calls run one after the other. For work in parallel use `Promise.all` inside one.",
    },
    {
      id: "when",
      text: `Use it to calculate, to filter, join and count data${
        reachesOut
          ? ", and for many steps whose results you need not read one by one. For a single step, or when you must read a result before you can decide, call the tool directly."
          : ". What you can answer without it needs no call."
      }`,
    },
  ];
  return sentences.filter((sentence) => sentence !== false);
}

const MAX_MODULES = 40;

function outside(modules: readonly string[] | null | undefined): Sentence[] {
  if (modules === undefined)
    return [
      { id: "no-io", text: "There is no file system, no network, no `require` and nothing to `import`." },
    ];
  const names = modules?.slice(0, MAX_MODULES).map((name) => `\`${name}\``);
  const more = (modules?.length ?? 0) - MAX_MODULES;
  const what = names
    ? `these modules: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`
    : "the modules of this app";
  return [
    { id: "no-io-but-modules", text: "There is no file system, no network and no `require`." },
    { id: "modules", text: `\`import\` finds ${what}.` },
  ];
}

/** What a mode means for the next call. */
export function persistence(mode: InterpreterMode, toolName: string): Sentence {
  const names = "Variables, functions and classes declared at the top level";
  switch (mode) {
    case "thread":
      return {
        id: "persist-thread",
        text: `${names} stay for later \`${toolName}\` calls of this conversation, also after the user's next message. A name may be declared again.`,
      };
    case "turn":
      return {
        id: "persist-turn",
        text: `${names} stay for later \`${toolName}\` calls until you have answered; after the user's next message they are gone. A name may be declared again.`,
      };
    case "call":
      return {
        id: "persist-call",
        text: `Every \`${toolName}\` call starts empty: nothing that an earlier call declared is there.`,
      };
  }
}

/** The description of the tool itself. */
export function evalToolDescription(options: {
  readonly mode: InterpreterMode;
  readonly toolName: string;
  /** Code may import modules. */
  readonly modules?: boolean;
}): string {
  return [
    "Runs JavaScript or TypeScript in a sandbox and returns what it printed and the value of its last expression.",
    persistence(options.mode, options.toolName).text,
    `No file system, no network${options.modules ? "" : ", no modules"}. Top-level \`await\` works.`,
  ].join(" ");
}

/** The description of the tool's one parameter. */
export function codeDescription(mode: InterpreterMode): string {
  const scope = mode === "call" ? "It sees nothing of earlier calls" : "It sees what earlier calls declared";
  return `JavaScript or TypeScript source, as it is, without a code fence. ${scope}; its last expression is the result.`;
}

function seconds(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${Number((milliseconds / 1000).toFixed(1))} s`;
}

function megabytes(bytes: number): string {
  return `${Number((bytes / 1024 / 1024).toFixed(1))} MB`;
}
