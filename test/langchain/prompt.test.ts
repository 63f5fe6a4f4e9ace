import { describe, expect, it } from "vitest";
import {
  codeDescription,
  evalToolDescription,
  type PromptOptions,
  promptSections,
  systemPrompt,
} from "../../src/langchain/prompt/prompt.js";
import { helperSentences } from "../../src/langchain/prompt/prompt-helpers.js";
import { subagentTypes } from "../../src/langchain/prompt/prompt-subagents.js";
import { signatureOf } from "../../src/langchain/prompt/signatures.js";
import { toGuestName } from "../../src/langchain/tools/tool-names.js";
import { typeScriptErrors } from "../support/typescript.js";
import {
  builtInsClaim,
  claimSubagent,
  claimTools,
  gatedTool,
  manyTools,
  promptClaims,
} from "./prompt-claims.js";

const promptTool = (tool: (typeof claimTools)[number] | (typeof manyTools)[number] | typeof gatedTool) => {
  const guestName = toGuestName(tool.name);
  return { name: tool.name, guestName, declaration: signatureOf(tool, guestName).declaration };
};

const bare: PromptOptions = {
  toolName: "eval",
  mode: "thread",
  builtIns: ["URL", "structuredClone", "setTimeout"],
  executionTimeoutMs: 5000,
  memoryLimitBytes: 64 * 1024 * 1024,
  maxResultChars: 4000,
  maxPtcCalls: 256,
  captureConsole: true,
  clock: false,
  tools: [],
  approvals: new Map(),
};
const full: PromptOptions = {
  ...bare,
  tools: [...claimTools, gatedTool].map(promptTool),
  subagents: [claimSubagent],
  approvals: new Map([
    ["deleteFile", "always"],
    ["task", "always"],
  ]),
  helpers: helperSentences,
};

const idsOf = (options: PromptOptions) =>
  promptSections(options).flatMap((section) => section.map(({ id }) => id));

describe("the system prompt", () => {
  it("reads like this without tools", () => {
    expect(systemPrompt(bare)).toMatchInlineSnapshot(`
      "## Code interpreter (\`eval\`)
      \`eval\` runs JavaScript or TypeScript in a sandbox and shows you the value of the last expression.
      Variables, functions and classes declared at the top level stay for later \`eval\` calls of this conversation, also after the user's next message. A name may be declared again.
      \`await\` works at the top level; a promise as the last value is awaited.
      What \`console.log\` prints is shown before the value.
      An error is shown with its line. What ran before it has happened and is not undone.
      Besides the language itself there are: URL, structuredClone, setTimeout.
      There is no file system, no network, no \`require\` and nothing to \`import\`.
      There is no clock: \`Date.now()\` and \`new Date()\` fail. Dates made from a given time work, in UTC.
      Code here only computes. Use your other tools for everything that touches the outside.
      One call may compute for 5 s.
      Memory is limited to 64 MB.
      You see at most 4000 characters of a call: keep large data in variables and return only what you need.
      Several calls run one after the other. For work in parallel use \`Promise.all\` inside one.
      Use it to calculate, to filter, join and count data. What you can answer without it needs no call."
    `);
  });

  it("reads like this with tools, approvals and subagents", () => {
    expect(systemPrompt(full)).toMatchInlineSnapshot(`
      "## Code interpreter (\`eval\`)
      \`eval\` runs JavaScript or TypeScript in a sandbox and shows you the value of the last expression.
      Variables, functions and classes declared at the top level stay for later \`eval\` calls of this conversation, also after the user's next message. A name may be declared again.
      \`await\` works at the top level; a promise as the last value is awaited.
      What \`console.log\` prints is shown before the value.
      An error is shown with its line. What ran before it has happened and is not undone.
      Besides the language itself there are: URL, structuredClone, setTimeout.
      There is no file system, no network, no \`require\` and nothing to \`import\`.
      There is no clock: \`Date.now()\` and \`new Date()\` fail. Dates made from a given time work, in UTC.
      One call may compute for 5 s. Waiting for tools and subagents does not count.
      Memory is limited to 64 MB.
      You see at most 4000 characters of a call: keep large data in variables and return only what you need.
      Several calls run one after the other. For work in parallel use \`Promise.all\` inside one.
      Use it to calculate, to filter, join and count data, and for many steps whose results you need not read one by one. For a single step, or when you must read a result before you can decide, call the tool directly.

      ### \`tools\`
      Code can call the functions of \`tools\`. Each takes one object and returns a promise of what the tool gives: objects stay objects, text stays text.
      The tool's own name works too: \`tools["delete_file"]\`.
      Start calls that do not depend on each other together, with \`Promise.all\`. You read only what you print or return, not every result.
      A call that fails rejects with the tool's message, and with its details as \`error.data\` when it gave any.
      At most 256 tool calls per run of code.
      A person must approve calls of \`tools.deleteFile\`: the code stops there and goes on from the same place after the answer. A call that is turned down rejects.
      \`\`\`ts
      declare const tools: {
        /** Always fails. */ broken(): Promise<unknown>;
        /** Deletes a file. */ deleteFile(input: { path: string }): Promise<unknown>;
        /** Answers late. */ slowAnswer(input?: { ms?: number /* default 5 */ }): Promise<unknown>;
        /** Searches the web. */ webSearch(input: { query: string; limit?: number /* default 3 */ }): Promise<unknown>;
      };
      \`\`\`

      ### \`task()\`
      \`task({ description, subagentType, responseSchema?, label? })\` starts a subagent and returns a promise of its final answer.
      Types:
      - \`reviewer\`: Reads one file and reports on it.
      A subagent knows only its \`description\`, unless its type says otherwise: put the whole assignment in it, where things are (paths and ids, not contents) and what to answer.
      With \`responseSchema\`, a JSON Schema of an object (at most 32 properties, 5 levels, 4096 characters), the answer is such an object; without, it is text. A type that was built as a ready graph takes no schema.
      Start independent ones together, with \`Promise.all\`; at most 32 run at once and the others wait.
      A subagent that fails rejects; with \`Promise.allSettled\` you keep the answers of the others.
      A person must approve every \`task()\`: the code stops there and goes on from the same place after the answer. One that is turned down rejects.
      Files that a subagent writes are there afterwards.
      \`subagent_type\` and \`response_schema\` are accepted too.
      Find out first what there is to do, with your own tools. Then give each subagent a share that needs judgement; a lookup or a calculation needs none.
      \`\`\`js
      const paths = ["/notes/a.md", "/notes/b.md"];
      const found = await Promise.all(paths.map((path) => task({
        description: \`Read \${path}. Name every open question in it.\`,
        subagentType: "reviewer",
        responseSchema: { type: "object", properties: { questions: { type: "array", items: { type: "string" } } }, required: ["questions"] },
      })));
      found.flatMap(({ questions }) => questions);
      \`\`\`

      ### Many calls
      \`await mapSettled(items, async (item, index) => ..., { concurrency: 8, retries: 0 })\` runs the function for every item, so many at a time, and gives what \`Promise.allSettled\` gives, in the order of the items: one that fails costs nothing of the others.
      \`await withRetries(async () => ..., { retries: 3, delayMs: 500 })\` tries again when the function fails, and waits twice as long each time."
    `);
  });

  it("stays short", () => {
    const manyTypes = Array.from({ length: 40 }, (_, n) => ({
      name: `type-${n}`,
      description: "word ".repeat(100),
    }));
    expect(systemPrompt(bare).length).toBeLessThan(1600);
    const subagents = (types: typeof manyTypes) =>
      systemPrompt({ ...bare, subagents: types }).length - systemPrompt(bare).length;
    // About four characters make a token.
    expect(subagents(manyTypes.slice(0, 5))).toBeLessThan(1500 * 4);
    expect(subagents(manyTypes)).toBeLessThan(1500 * 4);
  });

  it("is the same whatever order tools and subagents come in", () => {
    const approvals: [string, "always"][] = [
      ["webSearch", "always"],
      ["deleteFile", "always"],
    ];
    const turned = {
      ...full,
      tools: [...full.tools].reverse(),
      approvals: new Map([...approvals].reverse()),
      subagents: [{ name: "another", description: "" }, claimSubagent],
    };
    const straight = {
      ...full,
      approvals: new Map(approvals),
      subagents: [claimSubagent, { name: "another", description: "" }],
    };
    expect(systemPrompt(turned)).toBe(systemPrompt(straight));
  });

  it("keeps its base the same when a tool is added", () => {
    const [before] = promptSections({ ...full, tools: full.tools.slice(1) });
    expect(promptSections(full)[0]).toEqual(before);
  });

  it("says nothing about a limit that is off, a console that is silent, a clock that exists", () => {
    const ids = idsOf({
      ...full,
      executionTimeoutMs: null,
      maxPtcCalls: null,
      captureConsole: false,
      clock: true,
      builtIns: [],
      approvals: new Map(),
    });
    for (const id of [
      "time-limit",
      "tools.budget",
      "console",
      "no-clock",
      "built-ins",
      "tools.approval",
      "task.approval",
    ])
      expect(ids).not.toContain(id);
    expect(systemPrompt({ ...full, executionTimeoutMs: null })).not.toMatch(/Infinity|NaN|null|undefined/);
  });

  it("says where a person approves some calls only", () => {
    const text = systemPrompt({
      ...full,
      approvals: new Map([
        ["deleteFile", "sometimes"],
        ["webSearch", "always"],
        ["task", "sometimes"],
      ]),
    });
    expect(text).toContain("approve calls of `tools.deleteFile` (some of them), `tools.webSearch`:");
    expect(text).toContain("A person must approve some `task()`:");
  });

  it("puts the app's text in place of its own, and keeps tools and subagents", () => {
    const text = systemPrompt({ ...full, systemPrompt: "Mine." });
    expect(text.startsWith("Mine.\n\n### `tools`\n")).toBe(true);
    expect(text).toContain("### `task()`");
    expect(systemPrompt({ ...bare, systemPrompt: null })).toBe(systemPrompt(bare));
  });

  it("uses the tool's name everywhere", () => {
    const text = systemPrompt({ ...full, toolName: "js" });
    expect(text).toContain("`js` runs");
    expect(text).not.toContain("`eval`");
  });

  it("moves signatures behind a lookup beyond 20 tools or 8000 characters", () => {
    const many = { ...bare, tools: manyTools.map(promptTool) };
    expect(idsOf(many)).toContain("tools.lookup");
    expect(idsOf(many)).not.toContain("tools.signatures");
    expect(systemPrompt(many)).toContain("toolNr_0, toolNr_1, toolNr_10");
    const long = Array.from({ length: 7 }, (_, n) => ({
      name: `t${n}`,
      guestName: `t${n}`,
      declaration: "x".repeat(1200),
    }));
    expect(idsOf({ ...bare, tools: long })).toContain("tools.lookup");
    expect(idsOf({ ...bare, tools: long.slice(0, 6) })).toContain("tools.signatures");
  });

  it("declares its tools in TypeScript that compiles", () => {
    const odd = {
      name: "2 bad-name",
      guestName: "2 bad-name",
      declaration: '"2 bad-name"(): Promise<unknown>;',
    };
    const text = systemPrompt({ ...full, tools: [...full.tools, odd] });
    const block = /```ts\n([\s\S]+?)```/.exec(text)?.[1] ?? "";
    expect(block).toContain("webSearch(input: { query: string; limit?: number /* default 3 */ })");
    expect(typeScriptErrors(block)).toBe("");
  });
});

describe("claims", () => {
  const claimed = new Set([...promptClaims, builtInsClaim(["URL"])].map(({ id }) => id));

  it("has a program for every sentence", () => {
    const modes = (["thread", "turn", "call"] as const).map((mode) => ({ ...bare, mode }));
    const variants = [
      ...modes,
      full,
      { ...bare, modules: ["maths"] },
      { ...bare, tools: manyTools.map(promptTool) },
    ];
    const ids = new Set(variants.flatMap(idsOf).filter((id) => !id.endsWith("heading")));
    expect([...ids].filter((id) => !claimed.has(id))).toEqual([]);
    expect([...claimed].filter((id) => !ids.has(id))).toEqual([]);
  });
});

describe("modules in the prompt", () => {
  it("are named, counted when they are many, and left to the app where it loads them", () => {
    const sentence = (modules: readonly string[] | null) =>
      promptSections({ ...bare, modules })
        .flat()
        .find(({ id }) => id === "modules")?.text;
    expect(sentence(["maths", "./lib/a"])).toBe("`import` finds these modules: `maths`, `./lib/a`.");
    expect(sentence(Array.from({ length: 45 }, (_, i) => `m${i}`))).toMatch(/`m39` and 5 more\.$/);
    expect(sentence(null)).toBe("`import` finds the modules of this app.");
    expect(evalToolDescription({ mode: "thread", toolName: "eval", modules: true })).not.toContain(
      "no modules",
    );
  });
});

describe("the tool's own description", () => {
  it.each([
    ["thread", "also after the user's next message", "what earlier calls declared"],
    ["turn", "until you have answered", "what earlier calls declared"],
    ["call", "starts empty", "nothing of earlier calls"],
  ] as const)("says what stays in mode %s", (mode, persists, sees) => {
    const description = evalToolDescription({ mode, toolName: "eval" });
    expect(description).toContain(persists);
    expect(description.length).toBeLessThan(500);
    expect(codeDescription(mode)).toContain(sees);
  });
});

describe("subagent types of a task tool", () => {
  const taskTool = (description: string, schema: unknown) => ({
    name: "task",
    description,
    schema,
    invoke: async () => undefined,
  });

  it("come from the texts of deepagents' tool", () => {
    const schema = {
      type: "object",
      properties: {
        subagent_type: {
          type: "string",
          description: "Name of the agent to use. Available: general-purpose, code review",
        },
      },
    };
    const text =
      "Launch.\n\nAvailable agent types:\n- general-purpose: Does: all.\n- code review: Reads code\n\nUsage notes:\n- Launch multiple agents.";
    expect(subagentTypes(taskTool(text, schema))).toEqual([
      { name: "general-purpose", description: "Does: all." },
      { name: "code review", description: "Reads code" },
    ]);
  });

  it("are unknown where a tool does not say them", () => {
    expect(subagentTypes(taskTool("Runs something.", {}))).toEqual([]);
    expect(systemPrompt({ ...bare, subagents: [] })).toContain(
      "The description of the `task` tool lists the types.",
    );
  });
});
