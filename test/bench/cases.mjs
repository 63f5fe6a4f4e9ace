/** The programs. `body` is the body of a function that returns its result; nothing in them needs a clock or a host. */

export const compute = {
  loop: `let s = 0; for (let i = 0; i < 400000; i++) s = (s + i * 3) % 1000003; return s;`,
  recursion: `const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2)); let s = 0; for (let i = 0; i < 8; i++) s += fib(17); return s;`,
  sort: `const a = []; let x = 1; for (let i = 0; i < 20000; i++) { x = (x * 16807) % 2147483647; a.push(x); } a.sort((p, q) => p - q); return a[100];`,
  JSON: `const rows = []; for (let i = 0; i < 2000; i++) rows.push({ id: i, name: "row " + i, tags: ["a", "b"], score: i * 1.5 }); let n = 0; for (let i = 0; i < 4; i++) n += JSON.parse(JSON.stringify(rows)).length; return n;`,
  objects: `const rows = []; for (let i = 0; i < 8000; i++) rows.push({ id: i, group: "g" + (i % 10), score: i % 97 }); const by = {}; for (const { group, score } of rows) (by[group] ??= []).push(score); return Object.entries(by).map(([k, v]) => ({ k, mean: v.reduce((a, b) => a + b, 0) / v.length })).length;`,
  strings: `let t = ""; for (let i = 0; i < 20000; i++) t += "item " + i + ", "; return t.split(", ").map((s) => s.toUpperCase().padStart(12)).join("\\n").length;`,
  "regular expressions": `const line = "2024-05-17 ERROR [worker-12] request 4711 from 10.0.0.42 took 183ms; "; const text = line.repeat(300); let n = 0; for (const m of text.matchAll(/(\\d{4})-(\\d\\d)-(\\d\\d) (\\w+) \\[([\\w-]+)\\].*?took (\\d+)ms/g)) n += Number(m[6]); return n + text.replace(/\\d+/g, (d) => d.length).length;`,
  "Map and Set": `const m = new Map(); for (let i = 0; i < 30000; i++) m.set("k" + (i % 3000), (m.get("k" + (i % 3000)) ?? 0) + 1); const s = new Set(); for (let i = 0; i < 30000; i++) s.add(i % 500); return m.size + s.size;`,
};

export const computeAsync = {
  "async chain": `let s = 0; const step = async (i) => i + 1; for (let i = 0; i < 8000; i++) s = await step(s); return s;`,
};

/** The cases of the goal: what design's measured facts name. */
export const goalCases = ["loop", "recursion", "sort", "JSON", "objects", "regular expressions"];

/** TypeScript of about `bytes`, as a model writes it: types, a class, an enum, template strings, then a value. */
export function typescript(bytes, variation) {
  const parts = [`// ${variation}\n`];
  for (let index = 0; parts.join("").length < bytes; index++) {
    parts.push(`
interface Row${index} { id: number; name: string; tags?: readonly string[]; score: number | null }
const load${index} = (count: number): Row${index}[] =>
  Array.from({ length: count }, (_, id) => ({ id, name: \`row \${id}\`, tags: id % 2 ? ["odd"] : undefined, score: id * 1.5 }));
class Summary${index}<T extends Row${index}> {
  #rows: T[] = [];
  label: string;
  constructor(label: string = "summary") { this.label = label; }
  add(...rows: T[]): this { this.#rows.push(...rows); return this; }
  get mean(): number { return this.#rows.reduce((sum, row) => sum + (row.score ?? 0), 0) / Math.max(1, this.#rows.length); }
  toString(): string { return \`\${this.label}: \${this.mean.toFixed(2)}\`; }
}
const result${index}: string = new Summary${index}<Row${index}>("part ${index}").add(...load${index}(3)).toString();
`);
  }
  parts.push("result0;");
  return parts.join("");
}

export const rows = (count) =>
  `globalThis.rows = []; for (let i = 0; i < ${count}; i++) rows.push({ id: i, name: "row" + i, score: i * 1.5 }); 0`;

/** Call shapes of the bridge; `n` calls of the tool `echo`. */
export const sequentialCalls = (n) =>
  `let s = 0; for (let i = 0; i < ${n}; i++) s += (await tools.echo({ text: "a" + i })).length; return s;`;
export const parallelCalls = (n) =>
  `const all = []; for (let i = 0; i < ${n}; i++) all.push(tools.echo({ text: "a" + i })); return (await Promise.all(all)).length;`;
export const largeCall = `const text = "abcdefghij".repeat(104858); return (await tools.echo({ text })).length;`;
