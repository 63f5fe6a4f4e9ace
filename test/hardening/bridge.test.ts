import { beforeAll, describe, expect, test } from "vitest";
import { createInterpreter, type Interpreter } from "../../src/interpreter.js";
import { formatResult } from "../../src/result/result-text.js";
import type { Session } from "../../src/session/session.js";
import { valueFrom } from "../support/results.js";

let interpreter: Interpreter;
beforeAll(async () => {
  interpreter = await createInterpreter();
});

const seen: unknown[] = [];
const tools = {
  echo: (input: unknown) => {
    seen.push(input);
    return input;
  },
  fail: () => {
    throw new TypeError("refused");
  },
  rich: () => ({
    list: [1, [2, new Date(3)]],
    map: new Map([["k", new Set([1n])]]),
    bytes: new Uint8Array([1, 2]),
  }),
};
const task = async (input: unknown) => ({ ran: input });

/** Everything the bridge does for a program, in one value. */
const probe = `
  const args = { list: [1, [2, 3]], text: "a\\0b\\ud800", nested: { constructor: 1, then: 2, toJSON: "3" } };
  const echoed = await tools.echo(args);
  const rich = await tools.rich();
  let failure; try { await tools.fail({}) } catch (error) { failure = error.message }
  const ran = await task("x");
  console.log("line", { a: [1, { b: 2 }] });
  ({ same: echoed.text === args.text && echoed.nested.then === 2 && echoed.list[1][1] === 3, day: rich.list[1][1], bytes: rich.bytes, failure, ran })`;
const options = { tools, globals: { task } };

async function expectProbe(session: Session): Promise<void> {
  seen.length = 0;
  const result = await session.eval(
    `await (async () => { ${probe.replace(/\(\{ same/, "return ({ same")} })()`,
    options,
  );
  expect(valueFrom(result)).toEqual({
    same: true,
    day: new Date(3),
    bytes: new Uint8Array([1, 2]),
    failure: "refused",
    ran: { ran: "x" },
  });
  expect(result.logs).toEqual([{ level: "log", text: 'line {"a": [1, {"b": 2}]}' }]);
  expect(seen).toEqual([
    // biome-ignore lint/suspicious/noThenProperty: names of properties must not matter
    { list: [1, [2, 3]], text: "a\0b\ud800", nested: { constructor: 1, then: 2, toJSON: "3" } },
  ]);
  expect(formatResult(result, { maxResultChars: 2000 })).toContain("→ {");
}

/** What the first eval does to its realm. The bridge means the same in the next one. */
const sabotage: Record<string, string> = {
  "intrinsics replaced": `
    JSON.stringify = () => "{}"; JSON.parse = () => ({}); Promise.prototype.then = function () {};
    Array.prototype.map = Array.prototype.push = Array.prototype.join = () => "evil";
    Map.prototype.get = Map.prototype.set = Map.prototype.has = Map.prototype.delete = () => "evil";
    String.prototype.slice = String.prototype.indexOf = String.prototype.charCodeAt = () => "evil";
    Object.keys = Object.defineProperty = Object.getOwnPropertyDescriptor = () => ({}); Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => "evil";
    Reflect.apply = Reflect.ownKeys = () => []; 0`,
  "every intrinsic replaced": `
    const owners = [Object, Array, String, Number, Map, Set, Promise, JSON, Reflect, Function, Error, Date, Symbol, Proxy, Uint8Array, ArrayBuffer, RegExp, WeakMap, WeakSet];
    const evil = function () { throw new Error("evil") };
    const define = Object.defineProperty, own = Reflect.ownKeys;
    const all = owners.concat(owners.map((owner) => owner.prototype).filter(Boolean));
    for (const owner of all) for (const key of own(owner)) { if (key === "prototype" || key === "constructor") continue; try { define(owner, key, { value: evil, configurable: true, writable: true }) } catch {} } 0`,
  "globals deleted":
    "for (const name of ['JSON', 'Promise', 'Map', 'Set', 'Object', 'Array', 'String', 'console', 'tools', 'task', 'Proxy', 'Error', 'queueMicrotask']) delete globalThis[name]; 0",
  "globals replaced":
    "for (const name of ['JSON', 'Promise', 'Map', 'console', 'tools', 'task', 'Object', 'Array']) { try { globalThis[name] = { hacked: true } } catch {} } 0",
  "globals declared": "var JSON = 1, Promise = 2, Map = 3, Object = 4, Array = 5, Error = 6, Symbol = 7; 0",
  "globals made constant":
    "for (const name of ['JSON', 'Promise', 'Map', 'console']) Object.defineProperty(globalThis, name, { value: { mine: true }, writable: false }); Object.freeze(JSON); 0",
  "accessors instead of globals":
    "for (const name of ['JSON', 'Promise', 'Map', 'console', 'tools']) Object.defineProperty(globalThis, name, { get() { throw new Error('trap') }, set() { throw new Error('trap') }, configurable: true }); 0",
  "Object.prototype.then": "Object.prototype.then = function (resolve) { resolve('hijacked') }; 0",
  "Object.prototype.toJSON":
    "Object.prototype.toJSON = () => 'HACK'; Array.prototype.toJSON = () => 'HACK'; String.prototype.toJSON = () => 'HACK'; 0",
  "Object.prototype.value, get and set":
    "for (const name of ['value', 'get', 'set', 'writable', 'configurable', 'enumerable', 'prototype', 'id', 'name', 'promise', 'resolve', 'kind', 'text', 'cause']) Object.defineProperty(Object.prototype, name, { get() { return 'HACK' }, set() { throw new Error('set ' + name) }, configurable: true }); 0",
  "index setters on Array.prototype":
    "for (let i = 0; i < 10; i++) Object.defineProperty(Array.prototype, i, { get() { return 'HACK' }, set() {}, configurable: true }); 0",
  "index setters on Object.prototype":
    "for (let i = 0; i < 10; i++) Object.defineProperty(Object.prototype, i, { get() { return 'HACK' }, set() {}, configurable: true }); 0",
  "Symbol.species":
    "for (const C of [Array, Promise, Map, Set, RegExp, ArrayBuffer]) Object.defineProperty(C, Symbol.species, { get() { throw new Error('species') } }); 0",
  "Promise.prototype.constructor":
    "Promise.prototype.constructor = class { constructor() { throw new Error('constructed') } }; 0",
  "Symbol.iterator":
    "Array.prototype[Symbol.iterator] = function* () { yield 'evil' }; String.prototype[Symbol.iterator] = Map.prototype[Symbol.iterator] = null; 0",
  "Symbol.toPrimitive":
    "Object.prototype[Symbol.toPrimitive] = () => 'evil'; Number.prototype.toString = String.prototype.toString = () => 'evil'; 0",
  "prototypes swapped":
    "Object.setPrototypeOf(Array.prototype, { then() {}, toJSON() { return 1 } }); Object.setPrototypeOf(Promise.prototype, null); 0",
};

describe("the bridge keeps its meaning after", () => {
  test.each(Object.entries(sabotage))("%s", async (_, source) => {
    const session = await interpreter.open();
    const result = await session.eval(source, options);
    expect(["completed", "failed"]).toContain(result.status);
    await expectProbe(session);
    session.dispose();
  });
});

/** The engine's JSON keeps what it has open in an ordinary array, one item per level. */
test("a setter for any index of Array.prototype is given no part of an argument", async () => {
  const session = await interpreter.open();
  const source = `
    const taken = [];
    Object.defineProperty(Array.prototype, 12, { set(item) { taken[taken.length] = item }, configurable: true });
    let deep = { end: true };
    for (let level = 0; level < 20; level++) deep = { deep };
    await tools.echo(deep);
    delete Array.prototype[12];
    taken.length`;
  expect(valueFrom(await session.eval(source, options))).toBe(0);
  session.dispose();
});

test("a toJSON of an array's own is not asked for what the array is", async () => {
  const session = await interpreter.open();
  const source = "globalThis.asked = 0; Object.assign([1, 2], { toJSON() { asked++; return 'evil' } })";
  expect(valueFrom(await session.eval(source))).toEqual([1, 2]);
  expect(valueFrom(await session.eval("asked"))).toBe(0);
  session.dispose();
});
