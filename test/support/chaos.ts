/** Random programs, random limits, random trouble. Everything from one seed, so that a failure can be run again. */

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** mulberry32 */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }
}

const names = ["a", "b", "c", "data", "f", "tools", "console", "then", "x1"];
const values = [
  "1",
  "-0",
  "NaN",
  "'text\\u0000\\ud800'",
  "10n",
  "null",
  "undefined",
  "[1, , 3]",
  "{ then: 1, __proto__: null }",
  "new Map([[{}, new Set([1n])]])",
  "new Uint8Array(100)",
  "new Date(5)",
  "Symbol('s')",
  "() => 1",
  "class { #x = 1 }",
  "new Proxy({}, { get() { throw 1 }, ownKeys() { throw 2 } })",
  "{ get x() { throw new Error('getter') }, toJSON() { throw 3 } }",
  "Promise.resolve(1)",
  "Promise.reject(new Error('r'))",
  "/(a+)+$/",
  "new Error('e', { cause: { deep: [1] } })",
];
/** Programs that models and attackers write; mutated, cut and joined by the grammar. */
const seeds = [
  "const rows = Array.from({ length: 50 }, (_, i) => ({ id: i, name: 'n' + i })); rows.filter((r) => r.id % 2).map((r) => r.name)",
  "const results = await Promise.all([1, 2, 3].map((n) => tools.echo({ n }))); results.map((r) => r.n)",
  "for (const n of [1, 2, 3]) { try { console.log(await tools.fail({ n })) } catch (e) { console.error(e.message) } }",
  "await Promise.race([tools.slow({}), tools.never({})])",
  "tools.slow({}); tools.slow({}).then(console.log); 'not awaited'",
  "await new Promise(() => {})",
  "while (true) {}",
  "globalThis.hoard = []; for (;;) hoard.push(new Array(100).fill(0))",
  "function deep(n) { return deep(n + 1) + 1 } deep(0)",
  "JSON.parse('['.repeat(200000))",
  "let o = null; for (let i = 0; i < 100000; i++) o = { o }; JSON.stringify(o).length",
  "const f = () => Promise.resolve().then(f); f(); 1",
  "setInterval(() => console.log('tick'), 0); await tools.slow({})",
  "Object.prototype.then = function (r) { r('T') }; ({ a: 1 })",
  "JSON.stringify = () => { throw 1 }; Promise.prototype.then = null; Array.prototype.push = null; await tools.echo({ a: [1] })",
  "Object.freeze(globalThis); Object.freeze(Object.prototype)",
  "delete globalThis.Promise; delete globalThis.JSON; await tools.echo(1)",
  "for (let i = 0; i < 10; i++) Object.defineProperty(Array.prototype, i, { set() { throw 1 }, configurable: true })",
  "async function* g() { for (;;) yield await tools.echo(1) } for await (const x of g()) console.log(x)",
  "throw Object.assign(new Error('x'), { data: { a: 1 } })",
  "queueMicrotask(() => { throw new Error('micro') }); setTimeout(() => { throw new Error('timer') }, 0); await tools.slow({})",
  "const big = 'x'.repeat(1e6); await tools.echo({ big }); big.length",
  "class A { constructor() { return new Proxy(this, { get: () => { throw new TypeError('no') } }) } } new A()",
  "await Promise.allSettled(Array.from({ length: 300 }, (_, i) => tools.echo({ i })))",
];

function expression(random: Random, depth = 0): string {
  const kind = depth > 3 ? 0 : random.below(9);
  const inner = () => expression(random, depth + 1);
  switch (kind) {
    case 1:
      return `${random.pick(names)}`;
    case 2:
      return `[${inner()}, ${inner()}]`;
    case 3:
      return `({ ${random.pick(names)}: ${inner()} })`;
    case 4:
      return `await tools.${random.pick(["echo", "slow", "fail", "late", "twice", "huge"])}(${inner()})`;
    case 5:
      return `(${inner()}).${random.pick(["length", "then", "map", "constructor", "x"])}`;
    case 6:
      return `String(${inner()})`;
    case 7:
      return `(async () => { ${statement(random, depth + 1)} })()`;
    case 8:
      return `structuredClone(${inner()})`;
    default:
      return `(${random.pick(values)})`;
  }
}

function statement(random: Random, depth = 0): string {
  const e = () => expression(random, depth + 1);
  const name = random.pick(names);
  switch (depth > 3 ? 0 : random.below(11)) {
    case 1:
      return `${random.pick(["var", "let", "const"])} ${name} = ${e()};`;
    case 2:
      return `${name} = ${e()};`;
    case 3:
      return `if (${e()}) { ${statement(random, depth + 1)} } else { ${statement(random, depth + 1)} }`;
    case 4:
      return `for (let i = 0; i < ${random.pick(["3", "100", "1e6", "Infinity"])}; i++) { ${statement(random, depth + 1)} }`;
    case 5:
      return `try { ${statement(random, depth + 1)} } catch (e) { ${statement(random, depth + 1)} } finally { ${statement(random, depth + 1)} }`;
    case 6:
      return `throw ${e()};`;
    case 7:
      return `function ${name}() { ${statement(random, depth + 1)} return ${name}(); }`;
    case 8:
      return `console.${random.pick(["log", "error", "table"])}(${e()});`;
    case 9:
      return `setTimeout(() => { ${statement(random, depth + 1)} }, ${random.below(3)});`;
    case 10:
      return `(async () => { for await (const x of [${e()}]) { ${statement(random, depth + 1)} } })();`;
    default:
      return `${e()};`;
  }
}

/** A program: from the grammar, or a known one, whole, cut, doubled or with characters changed. */
export function randomProgram(random: Random): string {
  const kind = random.below(10);
  if (kind < 4) return Array.from({ length: 1 + random.below(5) }, () => statement(random)).join("\n");
  const seed = random.pick(seeds);
  if (kind < 7) return seed;
  if (kind === 7) return seed.slice(0, random.below(seed.length));
  if (kind === 8) return `${statement(random)}\n${seed}\n${random.pick(seeds)}`;
  const characters = [...seed];
  for (let i = 0; i < 3; i++)
    characters[random.below(characters.length)] = random.pick(["(", "}", "`", "\n", "await ", "0", ";"]);
  return characters.join("");
}

/** Tools that behave as badly as tools do. */
export function chaoticTools(random: Random): Record<string, (input: unknown) => unknown> {
  const later = () => new Promise((resolve) => setTimeout(() => resolve("late"), random.below(4)));
  return {
    echo: (input) => input,
    slow: later,
    fail: () => {
      throw random.pick<unknown>([new Error("tool"), "text", undefined, null, { code: 1 }]);
    },
    never: () => new Promise(() => {}),
    late: () => new Promise((_, reject) => setTimeout(() => reject(new Error("too late")), 30)),
    twice: () => ({
      // biome-ignore lint/suspicious/noThenProperty: a badly made thenable
      then(resolve: (value: unknown) => void, reject: (error: unknown) => void) {
        resolve(1);
        reject(2);
      },
    }),
    huge: () => "h".repeat(random.pick([10, 100_000, 3_000_000])),
  };
}
