import { afterAll, describe, expect, test } from "vitest";
import { openRawGuest } from "../support/raw-engine.js";
import { poison, renderEntry } from "../support/render-entry.js";

const guest = await openRawGuest(renderEntry());
afterAll(() => guest.dispose());

const thrown = (source: string) => JSON.parse(guest.run(source)) as Record<string, unknown>;

describe("what is thrown", () => {
  test.each([
    ["throw 'str'", '"str"'],
    ["throw 42", "42"],
    ["throw { code: 5 }", '{"code": 5}'],
    ["throw null", "null"],
    ["throw undefined", "undefined"],
    ["throw 10n", "10n"],
    ["throw Symbol('s')", "Symbol(s)"],
    ["await Promise.reject('rs')", '"rs"'],
    ["throw () => 1", "[Function (anonymous)]"],
    ["throw [1, 2]", "[1, 2]"],
    ["throw { get message() { while (true) {} } }", '{"message": [Getter]}'],
    ["throw new Proxy({}, { get() { while (true) {} }, getPrototypeOf() { while (true) {} } })", "[Proxy]"],
    ["throw new Proxy(new Error('x'), { get() { while (true) {} } })", "[Proxy]"],
  ])("is rendered when it is no error: %s", (source, rendered) => {
    expect(thrown(source)).toEqual({ isError: false, name: "Thrown", message: "", stack: "", rendered });
  });

  test.each([
    ["throw new Error('m')", "Error", "m"],
    ["throw new Error()", "Error", ""],
    ["null.foo", "TypeError", "cannot read property 'foo' of null"],
    ["nope", "ReferenceError", "'nope' is not defined"],
    ["throw Object.assign(new Error('m'), { name: 'Custom' })", "Custom", "m"],
    ["class Mine extends Error {}; throw new Mine('m')", "Mine", "m"],
    ["class Also extends TypeError {}; throw new Also('m')", "Also", "m"],
    ["class Named extends Error { get name() { throw 1 } }; throw new Named('m')", "Named", "m"],
    ["class Proto extends Error {}; Proto.prototype.name = 'OfProto'; throw new Proto('m')", "OfProto", "m"],
    ["throw Object.defineProperty(new Error('m'), 'message', { get() { while (true) {} } })", "Error", ""],
    ["throw Object.defineProperty(new Error('m'), 'stack', { get() { while (true) {} } })", "Error", "m"],
    ["throw Object.assign(new Error('m'), { name: 5, message: {} })", "Error", ""],
    ["throw Object.create(Error.prototype)", "Error", ""],
    ["JSON.parse('{a')", "SyntaxError", "expecting property name"],
    ["const fixed = 1; fixed = 2", "TypeError", "'fixed' is read-only"],
  ])("has name and message as data: %s", (source, name, message) => {
    expect(thrown(source)).toMatchObject({ isError: true, name, message });
  });

  test("comes with cause, collected errors and own properties", () => {
    expect(
      thrown("throw new Error('outer', { cause: new TypeError('inner', { cause: 'root' }) })"),
    ).toMatchObject({
      message: "outer",
      cause: { name: "TypeError", message: "inner", cause: { isError: false, rendered: '"root"' } },
    });
    expect(thrown("await Promise.any([Promise.reject(new Error('a')), Promise.reject('b')])")).toMatchObject({
      name: "AggregateError",
      errors: [{ message: "a" }, { rendered: '"b"' }],
    });
    expect(thrown("throw Object.assign(new Error('m'), { code: 'E', nested: { a: 1 } })").properties).toBe(
      '{"code": "E", "nested": {"a": 1}}',
    );
    expect(thrown("throw new Error('m')").properties).toBeUndefined();
  });

  test("is bounded in depth and size", () => {
    const deep =
      "let e = new Error('0'); for (let i = 0; i < 50000; i++) e = new Error('x', { cause: e }); throw e";
    expect(guest.run(deep).length).toBeLessThan(4000);
    const loop = "const e9 = new Error('x'); e9.cause = e9; throw e9";
    expect(guest.run(loop).length).toBeLessThan(4000);
    expect(guest.run("throw new Error('m'.repeat(1e6))").length).toBeLessThan(30_000);
    const many = "throw new AggregateError(Array.from({ length: 1000 }, () => new Error('x'.repeat(100))))";
    expect((thrown(many).errors as unknown[]).length).toBe(10);
    const tree =
      "let t = new Error('x'); for (let i = 0; i < 20; i++) t = new AggregateError(Array(10).fill(t)); throw t";
    expect(guest.run(tree).length).toBeLessThan(100_000);
  });

  test("runs nothing of the guest's, whatever it replaced", async () => {
    const poisoned = await openRawGuest(renderEntry());
    poisoned.run(
      "globalThis.subject = Object.assign(new AggregateError([new Error('a'), 1], 'both', { cause: 2 }), { a: 1 })",
    );
    const before = poisoned.run("throw subject");
    expect(poisoned.run(`${poison} 1`)).toBe("1");
    expect(poisoned.run("throw subject")).toBe(before);
    expect(JSON.parse(poisoned.run("throw new Error('m')"))).toMatchObject({ name: "Error", message: "m" });
    expect(poisoned.run("globalThis.ran")).toBe("undefined");
    poisoned.dispose();
  });
});
