import { beforeAll, describe, expect, test } from "vitest";
import { createInterpreter, type Interpreter } from "../../src/interpreter.js";
import type { Session } from "../../src/session/session.js";
import { encodeSnapshot } from "../../src/snapshot/encode-snapshot.js";
import { inspectSnapshot } from "../../src/snapshot/inspect.js";
import { byOtherEngine } from "../support/other-engine.js";

let interpreter: Interpreter;
beforeAll(async () => {
  interpreter = await createInterpreter();
});

/** What the eval evaluates to, or the error it ends with. */
async function run(session: Session, code: string): Promise<unknown> {
  const result = await session.eval(code);
  if (result.status === "completed") return result.value;
  return result.status === "failed" ? `${result.error.name}: ${result.error.message}` : result.status;
}

async function afterUpgrade(code: string): Promise<Session> {
  const session = await interpreter.open();
  const made = await session.eval(code);
  if (made.status !== "completed") throw new Error(JSON.stringify(made));
  return interpreter.restore(byOtherEngine(await session.snapshot()));
}

const gone = (name: string, type: string) =>
  `Error: Value for '${name}' was not restored because it is not serializable (type: ${type}). Hint: this value is unavailable after snapshot restore.`;

describe("after an upgrade of the engine", () => {
  test("data of every kind is back", async () => {
    const session = await afterUpgrade(`
      var all = {
        text: "ünï\\ud800\\0", empty: "", yes: true, none: null, missing: undefined, zero: -0, nan: NaN, far: -Infinity,
        big: 12345678901234567890n, list: [1, , 3, undefined], date: new Date(86400000), never: new Date(NaN),
        pattern: /a+/gi, map: new Map([[{ k: 1 }, new Set([1, "x"])]]), bytes: new Uint8Array([1, 2, 255]),
        longs: new BigInt64Array([5n]), error: Object.assign(new RangeError("far", { cause: "deep" }), { code: 7 }),
        bare: Object.assign(Object.create(null), { __proto__: 1, constructor: 2 }), ["__proto__"]: "own",
      };
      all.pattern.lastIndex = 3; 0`);
    const checks = `({
      text: all.text === "ünï\\ud800\\0", empty: all.empty, missing: "missing" in all && all.missing === undefined,
      zero: Object.is(all.zero, -0), nan: all.nan, far: all.far, big: all.big === 12345678901234567890n,
      hole: !(1 in all.list) && all.list.length === 4 && 3 in all.list, date: all.date.getTime(), never: isNaN(all.never),
      pattern: [String(all.pattern), all.pattern.lastIndex], map: [...all.map.keys()][0].k + [...all.map.values()][0].size,
      bytes: [...all.bytes], longs: all.longs[0] === 5n, error: [all.error instanceof RangeError, all.error.message, all.error.cause, all.error.code],
      bare: [Object.getPrototypeOf(all.bare), all.bare.constructor], own: Object.hasOwn(all, "__proto__") && Object.getPrototypeOf(all) === Object.prototype,
    })`;
    expect(await run(session, checks)).toEqual({
      text: true,
      empty: "",
      missing: true,
      zero: true,
      nan: Number.NaN,
      far: Number.NEGATIVE_INFINITY,
      big: true,
      hole: true,
      date: 86400000,
      never: true,
      pattern: ["/a+/gi", 3],
      map: 3,
      bytes: [1, 2, 255],
      longs: true,
      error: [true, "far", "deep", 7],
      bare: [null, 2],
      own: true,
    });
  });

  test("references that variables share are shared again, and cycles are cycles", async () => {
    const session = await afterUpgrade(`
      const rows = [{ id: 1 }, { id: 2 }]; const first = rows[0]; const byId = new Map(rows.map((row) => [row.id, row]));
      const loop = { name: "loop", rows }; loop.self = loop; rows.owner = 1;
      const buffer = new ArrayBuffer(8); const whole = new Uint8Array(buffer); const part = new Uint8Array(buffer, 4, 2); 0`);
    expect(
      await run(
        session,
        "[first === rows[0], byId.get(2) === rows[1], loop.self === loop, loop.rows === rows]",
      ),
    ).toEqual([true, true, true, true]);
    expect(await run(session, "whole[4] = 9; [part[0], part.length, part.buffer === whole.buffer]")).toEqual([
      9,
      2,
      true,
    ]);
  });

  test("a long chain of objects needs no deep stack", async () => {
    const session = await afterUpgrade(
      "let list = null; for (let i = 0; i < 20000; i++) list = { next: list }; 0",
    );
    expect(await run(session, "let n = 0; for (let at = list; at; at = at.next) n++; n")).toBe(20000);
  });

  test("what is not data says so when it is touched, by name and through globalThis", async () => {
    const session = await afterUpgrade(`
      const fn = () => 1; class K {} const k = new K(); const sym = Symbol("s"); const mixed = [1, [() => 2]];
      const waiting = new Promise(() => {}); const lazy = { get x() { return 1; } }; const proxy = new Proxy({}, {});
      function* gen() {} const running = gen(); const url = new Map(); url.f = 1; const weak = new WeakMap(); const kept = 5; 0`);
    const types = {
      fn: "function",
      K: "function",
      k: "object",
      sym: "symbol",
      mixed: "array",
      waiting: "object",
    };
    const others = { lazy: "object", proxy: "object", gen: "function", running: "object", weak: "object" };
    for (const [name, type] of Object.entries({ ...types, ...others })) {
      expect(await run(session, name)).toBe(gone(name, type));
      expect(await run(session, `globalThis.${name}`)).toBe(gone(name, type));
      expect(await run(session, `globalThis["${name}"]`)).toBe(gone(name, type));
    }
    expect(await run(session, "kept")).toBe(5);
    expect(await run(session, "fn()")).toBe(gone("fn", "function"));
    expect(await run(session, "Object.keys(globalThis).includes('fn')")).toBe(true);
    expect(session.tombstones.map(({ name }) => name).sort()).toEqual(
      [...Object.keys(types), ...Object.keys(others)].sort(),
    );
  });

  test("typeof is safe for what is gone, wherever it stands", async () => {
    const session = await afterUpgrade("const fn = () => 1; const other = 2; 0");
    expect(await run(session, "typeof fn")).toBe("undefined");
    expect(await run(session, "const a = 1\ntypeof fn === 'function' ? 'yes' : typeof (other)")).toBe(
      "number",
    );
    expect(await run(session, "(() => [typeof fn, ((fn) => typeof fn)(1)])()")).toEqual([
      "undefined",
      "number",
    ]);
    expect(await run(session, "if (typeof fn === 'undefined') fn = () => 7; [typeof fn, fn()]")).toEqual([
      "function",
      7,
    ]);
    expect(await run(session, "typeof fn")).toBe("function");
  });

  test.each([
    ["const", "const fn = 1; fn"],
    ["let", "let fn = 1; fn"],
    ["var", "var fn = 1; fn"],
    ["function", "function fn() {} typeof fn === 'function' ? 1 : 0"],
    ["class", "class fn {} typeof fn === 'function' ? 1 : 0"],
    ["assignment", "fn = 1; fn"],
    ["strict assignment", "(() => { 'use strict'; fn = 1; })(); fn"],
    ["property", "globalThis.fn = 1; fn"],
    ["definition", "Object.defineProperty(globalThis, 'fn', { value: 1 }); fn"],
    ["destructuring", "const { fn } = { fn: 1 }; fn"],
  ])("what is gone can be replaced by %s", async (_, code) => {
    const session = await afterUpgrade("const fn = () => 1; 0");
    expect(await run(session, code)).toBe(1);
    expect(await run(session, "typeof fn === 'undefined'")).toBe(false);
    // And the replacement is an ordinary variable of the next snapshot.
    const again = await interpreter.restore(await session.snapshot());
    expect(await run(again, "typeof fn === 'undefined'")).toBe(false);
  });

  test("what was not replaced stays gone, with its type, through later snapshots of both kinds", async () => {
    const session = await afterUpgrade("const fn = () => 1; const n = 1; 0");
    for (const next of [
      await interpreter.restore(await session.snapshot()),
      await interpreter.restore(byOtherEngine(await session.snapshot())),
    ]) {
      expect(await run(next, "fn")).toBe(gone("fn", "function"));
      expect(await run(next, "typeof fn + n")).toBe("undefined1");
      expect((await next.variables()).find(({ name }) => name === "fn")).toEqual({
        name: "fn",
        type: "function",
        size: 0,
        preview: "[not restored]",
      });
    }
  });

  test("an image alone is refused by its code", async () => {
    const session = await interpreter.open();
    await session.eval("let n = 1");
    const image = byOtherEngine(await session.snapshot({ layers: "image" }));
    await expect(interpreter.restore(image)).rejects.toMatchObject({ code: "SNAPSHOT_ENGINE" });
  });
});

test("keeping data runs nothing of the guest: no getter, no trap, no toJSON", async () => {
  const session = await interpreter.open();
  await session.eval(`
    let calls = 0; const count = () => { calls++; return 1; };
    const spied = { get a() { return count(); }, toJSON: count, [Symbol.iterator]: count };
    const trapped = new Proxy({}, { get: count, ownKeys: count, getOwnPropertyDescriptor: count, getPrototypeOf: count });
    const inside = [1, trapped]; const list = [1]; Object.defineProperty(list, 0, { get: count, enumerable: true });
    Object.prototype.toJSON = count; Array.prototype.toJSON = count; String.prototype.toJSON = count;
    Object.defineProperty(globalThis, "live", { get: count, configurable: true, enumerable: true });
    Map.prototype.forEach = count; Array.prototype.push = count; 0`);
  await session.snapshot();
  await session.variables();
  expect(await run(session, "calls")).toBe(0);
});

test("data restores what the guest did to built-ins not at all, and works beside it", async () => {
  const session = await interpreter.open();
  await session.eval(
    "Object.prototype.evil = 1; Array.prototype[1] = 'ghost'; const list = [1, , 3]; const o = { a: 1 }; 0",
  );
  const restored = await interpreter.restore(await session.snapshot({ layers: "data" }));
  expect(await run(restored, "[1 in list, 'evil' in o, o.a]")).toEqual([false, false, 1]);
});

test("data from elsewhere cannot take the place of built-ins, and is refused when it is not ours", async () => {
  const encode = (data: string) => encodeSnapshot({ data }, { engineId: new Uint8Array(32) });
  const bindings = ["JSON", "tools", "console", "n"].map((name) => [name, 5]);
  const data = JSON.stringify({ format: 1, bindings, nodes: [], tombstones: [["Math", "function"]] });
  const session = await interpreter.restore(await encode(data));
  expect(await run(session, "[typeof JSON, typeof console, typeof Math, n]")).toEqual([
    "object",
    "object",
    "object",
    5,
  ]);
  for (const bad of [
    "",
    "null",
    "{}",
    "[]",
    '{"format":2}',
    '{"format":1,"bindings":[["n",[7]]],"nodes":[["t","Nope"]]}',
    '{"format":1,"bindings":[["n",[0]]],"nodes":[["B",0,4]],"tombstones":[]}',
  ])
    await expect(interpreter.restore(await encode(bad))).rejects.toMatchObject({ code: "SNAPSHOT_CORRUPT" });
});

test("buffers are read that are text in the data itself, as the first snapshots have them", async () => {
  const nodes = [
    ["A", "AQID"],
    ["t", "Uint8Array", [0], 1, 2],
  ];
  const data = JSON.stringify({ format: 1, bindings: [["part", [1]]], nodes, tombstones: [] });
  const session = await interpreter.restore(await encodeSnapshot({ data }, { engineId: new Uint8Array(32) }));
  expect(await run(session, "[...part, part.buffer.byteLength]")).toEqual([2, 3, 3]);
});

test("the layers are what was asked for, and the session goes on from the exact one", async () => {
  const session = await interpreter.open();
  await session.eval("const f = () => 41");
  const names = async (bytes: Uint8Array) => (await inspectSnapshot(bytes)).sections.map(({ name }) => name);
  const image = await session.snapshot({ layers: "image" });
  expect(await names(image)).toEqual(["meta", "index", "image"]);
  expect(await names(await session.snapshot({ layers: "data" }))).toEqual(["meta", "index", "data"]);
  expect(await session.snapshot({ layers: "image" })).toBe(image);
  expect(await names(await session.snapshot())).toEqual(["meta", "index", "data", "image"]);
  expect(await run(session, "f() + 1")).toBe(42);
});

test("a snapshot that was asked for under another name or key is not the one of before", async () => {
  const session = await interpreter.open();
  await session.eval("let n = 1");
  const mine = await session.snapshot({ binding: "mine" });
  const signed = await session.snapshot({ binding: "mine", signingKey: "key" });
  expect((await inspectSnapshot(signed)).signed).toBe(true);
  await expect(interpreter.restore(mine, { binding: "yours" })).rejects.toMatchObject({
    code: "SNAPSHOT_SIGNATURE",
  });
  await expect(interpreter.restore(mine, { binding: "mine", signingKey: "key" })).rejects.toMatchObject({
    code: "SNAPSHOT_SIGNATURE",
  });
});

test("two restores of a snapshot draw different random numbers, and the same ones with a seed", async () => {
  const draw = async (maker: Interpreter) => {
    const session = await maker.open();
    await session.eval("Math.random()");
    const bytes = await session.snapshot();
    const code = "[Math.random(), Math.random()].join()";
    return [await run(await maker.restore(bytes), code), await run(await maker.restore(bytes), code)];
  };
  const [a, b] = await draw(interpreter);
  expect(a).not.toBe(b);
  const [c, d] = await draw(await createInterpreter({ random: "seed" }));
  expect(c).toBe(d);
});

test("variables are listed with type and approximate size, also from the bytes alone", async () => {
  const session = await interpreter.open();
  await session.eval(`
    const rows = Array.from({ length: 5000 }, (_, id) => ({ id, name: "row " + id })); const text = "x".repeat(100000);
    const byId = new Map(rows.map((row) => [row.id, row])); const bytes = new Uint8Array(50000); const when = new Date(0);
    const f = () => 1; let nothing = null; const view = { rows }; 0`);
  const variables = await session.variables();
  const size = (name: string) => variables.find((each) => each.name === name)?.size ?? -1;
  expect(Object.fromEntries(variables.map(({ name, type }) => [name, type]))).toEqual({
    rows: "array",
    text: "string",
    byId: "Map",
    bytes: "Uint8Array",
    when: "Date",
    f: "function",
    nothing: "null",
    view: "object",
  });
  for (const name of ["rows", "byId", "view"]) {
    expect(size(name)).toBeGreaterThan(300_000);
    expect(size(name)).toBeLessThan(1_500_000);
  }
  expect(size("text")).toBeGreaterThan(100_000);
  expect(size("bytes")).toBeGreaterThan(50_000);
  expect((await inspectSnapshot(await session.snapshot())).variables).toEqual(variables);
  const sizes = variables.map((each) => each.size);
  expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
});
