/**
 * What the prompt says, as programs. Every sentence id has at least one row; the row's last program must give the
 * text. Rows with `needs` want the tools or subagents below; `options` are options of the middleware.
 */
import { tool } from "langchain";
import { z } from "zod";

export interface PromptClaim {
  /** Id of the sentence. */
  readonly id: string;
  readonly needs?: "tools" | "many-tools" | "approval" | "subagents" | "gated-subagents";
  readonly options?: Readonly<Record<string, unknown>>;
  /** Programs of one turn each; a string stands for one turn with one program. */
  readonly turns: readonly (string | readonly string[])[];
  /** The programs of a turn come as several tool calls of one message. */
  readonly together?: true;
  /** Result text of the last program. */
  readonly expect: string | RegExp;
}

/** Settles late by the event loop, not by a clock of its own. */
const slow = tool(
  async ({ ms }) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return "late";
  },
  { name: "slow_answer", description: "Answers late.", schema: z.object({ ms: z.number().default(5) }) },
);

export const claimTools = [
  tool(
    async ({ query, limit }) => ({
      query,
      rows: Array.from({ length: limit }, (_, n) => ({ url: `https://${query}.test/${n}`, rank: n })),
    }),
    {
      name: "web_search",
      description: "Searches the web.",
      schema: z.object({ query: z.string(), limit: z.number().default(3) }),
    },
  ),
  tool(
    async () => {
      throw Object.assign(new Error("rate limited"), { data: { retryAfter: 30 } });
    },
    { name: "broken", description: "Always fails.", schema: z.object({}) },
  ),
  slow,
];

/** Approved by the test that runs the claim. */
export const gatedTool = tool(async ({ path }) => `deleted ${path}`, {
  name: "delete_file",
  description: "Deletes a file.",
  schema: z.object({ path: z.string() }),
});

/** More than a prompt lists. */
export const manyTools = Array.from({ length: 30 }, (_, n) =>
  tool(async () => n, { name: `tool_nr_${n}`, description: `Gives the number ${n}.`, schema: z.object({}) }),
);

/**
 * The subagent of the claims answers `done: ` and its description. With a schema its answer is
 * `{ questions: ["why?"] }`, and the description `fail` makes it fail.
 */
export const claimSubagent = { name: "reviewer", description: "Reads one file and reports on it." };

const slowLimits = { executionTimeoutMs: 60 };
const schema = `{ type: "object", properties: { questions: { type: "array", items: { type: "string" } } }, required: ["questions"] }`;

export const promptClaims: readonly PromptClaim[] = [
  { id: "what", turns: ["const n: number = 20; 'ignored'; n + 1"], expect: "→ 21" },
  {
    id: "persist-thread",
    turns: [
      "const a = 1; let b = 2; class C { static d = 4 } function f() { return a }",
      "const b = 3; a + b + C.d + f()",
    ],
    expect: "→ 9",
  },
  {
    id: "persist-turn",
    options: { mode: "turn" },
    turns: [["const a = 1", "const a = 2; a"]],
    expect: "→ 2",
  },
  {
    id: "persist-turn",
    options: { mode: "turn" },
    turns: ["const a = 1", "typeof a"],
    expect: '→ "undefined"',
  },
  {
    id: "persist-call",
    options: { mode: "call" },
    turns: [["globalThis.a = 1; const b = 2", "typeof a + typeof b"]],
    expect: "→ undefinedundefined",
  },
  { id: "await", turns: ["const x = await Promise.resolve(20); Promise.resolve(x + 1)"], expect: "→ 21" },
  { id: "console", turns: ["console.log('first'); 'second'"], expect: "first\n→ second" },
  { id: "errors", turns: ["globalThis.done = 1;\nnull.x"], expect: /TypeError[\s\S]*2/ },
  { id: "errors", turns: [["globalThis.done = 1;\nnull.x", "done"]], expect: "→ 1" },
  {
    id: "no-io",
    turns: [
      "let refused = 0; try { await fetch('https://a.test') } catch { refused++ } try { require('fs') } catch { refused++ } refused",
    ],
    expect: "→ 2",
  },
  { id: "no-io", turns: ["import fs from 'fs'; fs"], expect: /import/ },
  {
    id: "no-io-but-modules",
    options: { modules: { maths: "export const two = 2" } },
    turns: [
      "let refused = 0; try { await fetch('x') } catch { refused++ } try { require('fs') } catch { refused++ } refused",
    ],
    expect: "→ 2",
  },
  {
    id: "modules",
    options: { modules: { maths: "export const two: number = 2" } },
    turns: ["import { two } from 'maths'; two", "two + (await import('maths')).two"],
    expect: "→ 4",
  },
  {
    id: "modules",
    options: { modules: async (name: string) => (name === "later" ? "export default 5" : undefined) },
    turns: ["import five from 'later'; five"],
    expect: "→ 5",
  },
  {
    id: "no-clock",
    turns: [
      "let refused = 0; try { Date.now() } catch { refused++ } try { new Date() } catch { refused++ } refused + new Date(0).toISOString()",
    ],
    expect: "→ 21970-01-01T00:00:00.000Z",
  },
  { id: "pure", turns: ["typeof tools === 'undefined' ? 0 : Object.keys(tools).length"], expect: "→ 0" },
  { id: "time-limit", options: slowLimits, turns: ["while (true) {}"], expect: /60 ms/ },
  {
    id: "time-limit",
    needs: "tools",
    // Far more than the code itself ever takes, also on a busy machine.
    options: { executionTimeoutMs: 1000 },
    turns: ["await tools.slowAnswer({ ms: 1050 })"],
    expect: "→ late",
  },
  {
    id: "memory-limit",
    options: { memoryLimitBytes: 24 * 1024 * 1024 },
    turns: ["const all = []; for (;;) all.push(new Uint8Array(1 << 20))"],
    expect: /memory/i,
  },
  {
    id: "result-limit",
    options: { maxResultChars: 200 },
    turns: ["const text = 'x'.repeat(5000); text"],
    expect: /^[\s\S]{100,200}$/,
  },
  {
    id: "result-limit",
    options: { maxResultChars: 200 },
    turns: [["const text = 'x'.repeat(5000); text", "text.length"]],
    expect: "→ 5000",
  },
  {
    id: "one-at-a-time",
    needs: "tools",
    together: true,
    turns: [["globalThis.seen = [1]; await tools.slowAnswer({}); seen.push(2)", "seen.push(3); seen.join()"]],
    expect: "→ 1,2,3",
  },
  {
    id: "when",
    turns: ["const rows = [{ n: 3 }, { n: 1 }]; rows.filter((row) => row.n > 1).length"],
    expect: "→ 1",
  },
  {
    id: "when",
    needs: "tools",
    turns: [
      "const found = await Promise.all(['a', 'b'].map((query) => tools.webSearch({ query, limit: 2 }))); found.flatMap((one) => one.rows).length",
    ],
    expect: "→ 4",
  },
  {
    id: "tools.values",
    needs: "tools",
    turns: ["const found = await tools.webSearch({ query: 'q', limit: 1 }); found.rows[0].rank + 1"],
    expect: "→ 1",
  },
  {
    id: "tools.names",
    needs: "tools",
    turns: ["(await tools['web_search']({ query: 'q' })).rows.length"],
    expect: "→ 3",
  },
  {
    id: "tools.parallel",
    needs: "tools",
    turns: ["(await Promise.all([tools.slowAnswer({}), tools.slowAnswer({})])).join()"],
    expect: "→ late,late",
  },
  {
    id: "tools.errors",
    needs: "tools",
    turns: ["try { await tools.broken({}) } catch (error) { error.message + ' ' + error.data.retryAfter }"],
    expect: /^→ .*rate limited 30$/,
  },
  {
    id: "tools.budget",
    needs: "tools",
    options: { maxPtcCalls: 2 },
    turns: [
      "const all = await Promise.allSettled([1, 2, 3].map(() => tools.webSearch({ query: 'q' }))); all.map((one) => one.status).join()",
    ],
    expect: "→ fulfilled,fulfilled,rejected",
  },
  {
    id: "tools.approval",
    needs: "approval",
    turns: [
      "const before = 'same'; const answer = await tools.deleteFile({ path: '/a' }); before + ' ' + answer",
    ],
    expect: "→ same deleted /a",
  },
  {
    id: "task.approval",
    needs: "gated-subagents",
    turns: [
      "const before = 'same'; const answer = await task({ description: 'x', subagentType: 'reviewer' }); before + ' ' + answer",
    ],
    expect: "→ same done: x",
  },
  {
    id: "tools.lookup",
    needs: "many-tools",
    turns: [
      "const found = await tools.$search('number 17'); found[0].name + ' ' + (await tools.$describe(found[0].name)).includes('toolNr_17(')",
    ],
    expect: "→ toolNr_17 true",
  },
  { id: "tools.list", needs: "many-tools", turns: ["Object.keys(tools).length"], expect: "→ 30" },
  {
    id: "tools.signatures",
    needs: "tools",
    turns: ["Object.keys(tools).sort().join()"],
    expect: "→ broken,slowAnswer,webSearch",
  },
  {
    id: "task.what",
    needs: "subagents",
    turns: ["await task({ description: 'read', subagentType: 'reviewer', label: 'first' })"],
    expect: "→ done: read",
  },
  {
    id: "task.types",
    needs: "subagents",
    turns: [
      "try { await task({ description: 'read', subagentType: 'revewer' }) } catch (error) { error.message }",
    ],
    expect: /reviewer/,
  },
  {
    id: "task.stateless",
    needs: "subagents",
    turns: ["const secret = 'not told'; await task({ description: 'alone', subagentType: 'reviewer' })"],
    expect: "→ done: alone",
  },
  {
    id: "task.schema",
    needs: "subagents",
    turns: [
      `(await task({ description: 'read', subagentType: 'reviewer', responseSchema: ${schema} })).questions[0]`,
    ],
    expect: "→ why?",
  },
  {
    id: "task.schema",
    needs: "subagents",
    turns: [
      "try { await task({ description: 'read', subagentType: 'reviewer', responseSchema: { type: 'array' } }) } catch (error) { error.message }",
    ],
    expect: /object at its root/,
  },
  {
    id: "task.parallel",
    needs: "subagents",
    turns: [
      "(await Promise.all(Array.from({ length: 40 }, (_, n) => task({ description: String(n), subagentType: 'reviewer' })))).length",
    ],
    expect: "→ 40",
  },
  {
    id: "task.errors",
    needs: "subagents",
    turns: [
      "(await Promise.allSettled(['fail', 'read'].map((description) => task({ description, subagentType: 'reviewer' })))).map((one) => one.status).join()",
    ],
    expect: "→ rejected,fulfilled",
  },
  {
    id: "task.state",
    needs: "subagents",
    turns: ["await task({ description: 'write /out.md', subagentType: 'reviewer' })"],
    expect: "→ done: write /out.md",
  },
  {
    id: "task.aliases",
    needs: "subagents",
    turns: [
      `(await task({ description: 'read', subagent_type: 'reviewer', response_schema: ${schema} })).questions.length`,
    ],
    expect: "→ 1",
  },
  {
    id: "task.when",
    needs: "subagents",
    turns: ["const paths = ['/a', '/b'].filter((path) => path !== '/b'); paths.length"],
    expect: "→ 1",
  },
  {
    id: "task.example",
    needs: "subagents",
    turns: [
      `const found = await Promise.all(["/notes/a.md", "/notes/b.md"].map((path) => task({ description: \`Read \${path}.\`, subagentType: "reviewer", responseSchema: ${schema} }))); found.flatMap(({ questions }) => questions).length`,
    ],
    expect: "→ 2",
  },
  {
    id: "helpers.map",
    needs: "tools",
    turns: [
      "const all = await mapSettled(['a', 'b', 'c'], async (query, index) => { if (query === 'b') await tools.broken({}); return (await tools.webSearch({ query, limit: 1 })).query + index }, { concurrency: 2 }); all.map((one) => one.value ?? one.status).join()",
    ],
    expect: "→ a0,rejected,c2",
  },
  {
    id: "helpers.map",
    needs: "tools",
    turns: [
      "let active = 0, most = 0; await mapSettled(Array.from({ length: 20 }), async () => { most = Math.max(most, ++active); await tools.slowAnswer({}); active-- }); most",
    ],
    expect: "→ 8",
  },
  {
    id: "helpers.map",
    needs: "subagents",
    turns: [
      "const tried = {}; const all = await mapSettled(['read', 'fail'], (description) => { tried[description] = (tried[description] ?? 0) + 1; return task({ description, subagentType: 'reviewer' }) }, { retries: 1, delayMs: 0 }); all.map((one) => one.status).join() + tried.read + tried.fail",
    ],
    expect: "→ fulfilled,rejected12",
  },
  {
    id: "helpers.retry",
    needs: "tools",
    turns: [
      "let tried = 0; await withRetries(async () => { if (++tried < 4) await tools.broken({}); return tried }, { delayMs: 0 })",
    ],
    expect: "→ 4",
  },
  {
    id: "helpers.retry",
    needs: "tools",
    turns: [
      "let tried = 0; await withRetries(async () => { tried++; await tools.broken({}) }, { retries: 2, delayMs: 1 }).catch((error) => tried + ' ' + error.data.retryAfter)",
    ],
    expect: "→ 3 30",
  },
];

/** The list of the prompt is the list of the engine. */
export function builtInsClaim(builtIns: readonly string[]): PromptClaim {
  return {
    id: "built-ins",
    turns: [
      `${JSON.stringify(builtIns)}.filter((name) => typeof name.split(".").reduce((value, key) => value?.[key], globalThis) === "undefined").join()`,
    ],
    expect: '→ ""',
  };
}
