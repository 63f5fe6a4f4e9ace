import { beforeAll, expect, test } from "vitest";
import { createInterpreter } from "../../src/interpreter.js";
import type { Session } from "../../src/session/session.js";
import { additions } from "../support/guest-surface/additions.js";
import { language } from "../support/guest-surface/language.js";
import { nameless } from "../support/guest-surface/nameless.js";
import { keysOf, words } from "../support/guest-surface/surface.js";
import { evalCode, evalValue, expectHealthy } from "../support/results.js";

const options = { tools: { echo: (input: unknown) => input }, globals: { task: async () => 1 } };

const byName = new Map([...keysOf(language), ...keysOf(additions)]);
const allKeys = new Map([...byName, ...keysOf(nameless)]);

/** Everything a program can name. What is not here cannot be reached. */
const globals = [
  ...words(
    "$called_tools $unawaited Infinity NaN globalThis task tools undefined Symbol(Symbol.toStringTag)",
  ),
  ...[...byName.keys()].filter((name) => !name.includes(".")),
].sort();

test("these are the guest's globals, and there are no others", async () => {
  const session = await (await createInterpreter()).open();
  expect(await evalValue(session, "Reflect.ownKeys(globalThis).map(String).sort()", options)).toEqual(
    globals,
  );
  expect(await evalValue(session, "Object.keys(globalThis)", options)).toEqual([]);
});

test("every global that has keys is in the list, with its prototype", async () => {
  const session = await (await createInterpreter()).open();
  const source = `Reflect.ownKeys(globalThis).filter((name) => typeof name === "string").flatMap((name) => {
    const value = globalThis[name];
    if ((typeof value !== "object" && typeof value !== "function") || value === null || value === globalThis) return [];
    return Object.hasOwn(value, "prototype") && typeof value.prototype === "object" ? [name, name + ".prototype"] : [name];
  })`;
  const names = (await evalValue(session, source, options)) as string[];
  expect(names.filter((name) => !allKeys.has(name))).toEqual([]);
});

let looked: Session;
beforeAll(async () => {
  looked = await (await createInterpreter()).open();
});

test.each([...allKeys])("%s has these keys of its own, and no others", async (expression, expected) => {
  const keys = await evalValue(looked, `Reflect.ownKeys(${expression}).map(String).sort()`, options);
  expect(keys).toEqual(expected);
});

test("no object leads to a host function, the control function or a name of the host's", async () => {
  const session = await (await createInterpreter()).open();
  const source = `
    const seen = new Set(), found = [];
    const visit = (value, path) => {
      if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value)) return;
      seen.add(value);
      if (typeof value === "function" && /^(host|control|install|askHost)$/.test(value.name)) found.push(path);
      for (const key of Reflect.ownKeys(value)) {
        let d; try { d = Reflect.getOwnPropertyDescriptor(value, key) } catch { continue }
        if (d && "value" in d) visit(d.value, path + "." + String(key));
        else if (d) { visit(d.get, path + ".get " + String(key)); visit(d.set, path + ".set " + String(key)) }
      }
      visit(Reflect.getPrototypeOf(value), path + ".__proto__");
    };
    visit(globalThis, "globalThis");
    [found, seen.size > 500, new Error().stack.includes("/"), Function.prototype.toString.call(console.log)]`;
  expect(await evalValue(session, source, options)).toEqual([
    [],
    true,
    false,
    expect.not.stringContaining("askHost"),
  ]);
});

test("what the session gives cannot be taken away, replaced, frozen into something else or declared away", async () => {
  const session = await (await createInterpreter()).open();
  const attacks = [
    "delete globalThis.tools; delete globalThis.console; delete globalThis.task",
    "tools = 1; console = 2; task = 3",
    "'use strict'; globalThis.tools = 1",
    "for (const name of ['tools', 'console', 'task']) { try { Object.defineProperty(globalThis, name, { value: 1, configurable: false }) } catch {} }",
    "for (const name of ['tools', 'console', 'task']) Reflect.deleteProperty(globalThis, name)",
    "var tools = 1, console = 2, task = 3",
    "function console() {} class task {} let tools = 1",
    "tools.echo = 1; delete tools.echo; Object.defineProperty(tools, 'echo', { value: 1 })",
    "Object.setPrototypeOf(globalThis, null)",
    "globalThis.__defineGetter__('tools', () => 1)",
    "Object.freeze(globalThis)",
  ];
  for (const attack of attacks) {
    expect(["completed", "GUEST_THROW", "GUEST_SYNTAX"]).toContain(await evalCode(session, attack, options));
    expect(await evalValue(session, "await task({})", options)).toBe(1);
    await expectHealthy(session);
  }
});

test("names that objects have by nature are names of tools like others", async () => {
  const session = await (await createInterpreter()).open();
  const names = ["constructor", "__proto__", "toString", "valueOf", "hasOwnProperty", "then"];
  const source = `${JSON.stringify(names)}.map((name) => name + ":" + typeof tools[name] + ":" + (name in tools))`;
  expect(await evalValue(session, source, options)).toEqual(names.map((name) => `${name}:undefined:false`));
  const tools = Object.fromEntries(
    names.filter((name) => name !== "then").map((name) => [name, () => `ran ${name}`]),
  );
  Object.defineProperty(tools, "__proto__", { value: () => "ran __proto__", enumerable: true });
  for (const name of Object.keys(tools))
    expect(await evalValue(session, `await tools[${JSON.stringify(name)}]({})`, { tools })).toBe(
      `ran ${name}`,
    );
});

test("eval and Function run in the same sandbox", async () => {
  const session = await (await createInterpreter()).open();
  expect(
    await evalValue(session, "[eval('1 + 1'), new Function('return typeof process + typeof require')()]"),
  ).toEqual([2, "undefinedundefined"]);
});
