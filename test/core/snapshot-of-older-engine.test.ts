import { beforeAll, expect, test } from "vitest";
import { createInterpreter, type Interpreter } from "../../src/interpreter.js";
import type { Session } from "../../src/session/session.js";
import { inspectSnapshot } from "../../src/snapshot/inspect.js";
import { ENGINE_SNAPSHOT_1 } from "../fixtures/engine-snapshot-1.js";

const bytes = Uint8Array.from(atob(ENGINE_SNAPSHOT_1), (character) => character.charCodeAt(0));
let interpreter: Interpreter;
beforeAll(async () => {
  interpreter = await createInterpreter();
});

async function value(session: Session, code: string): Promise<unknown> {
  const result = await session.eval(code);
  if (result.status !== "completed") throw new Error(JSON.stringify(result));
  return result.value;
}

test("the data of a snapshot of format 1 by an older engine is restored, shared references and cycles too", async () => {
  const session = await interpreter.restore(bytes, { binding: "fixture session" });
  expect(await value(session, "[rows.length, rows[39].price, rows[5].tags, counter]")).toEqual([
    40,
    48.75,
    ["a", "b"],
    2,
  ]);
  const identities = "[first === rows[0], byId.get(7) === rows[7], loop.self === loop, loop.rows === rows]";
  expect(await value(session, identities)).toEqual([true, true, true, true]);
  expect(
    await value(
      session,
      `[kinds.big === 12345678901234567890n, kinds.when.getTime(), String(kinds.pattern), [...kinds.set].length, "none" in kinds,
        Object.is(kinds.zero, -0), kinds.nan, [...kinds.bytes], 1 in kinds.holes, kinds.error instanceof RangeError, kinds.error.cause.code,
        Object.getPrototypeOf(kinds.bare)]`,
    ),
  ).toEqual([true, 86400000, "/a+/gi", 3, true, true, Number.NaN, [1, 2, 255], false, true, 7, null]);
});

test("what is not data in it left tombstones that say so", async () => {
  const session = await interpreter.restore(bytes, { binding: "fixture session" });
  expect(session.tombstones).toEqual([
    { name: "next", type: "function" },
    { name: "total", type: "function" },
    { name: "Account", type: "function" },
    { name: "account", type: "object" },
    { name: "naturals", type: "function" },
    { name: "numbers", type: "object" },
    { name: "token", type: "symbol" },
    { name: "mixed", type: "object" },
  ]);
  const result = await session.eval("next()");
  expect(result.status === "failed" && result.error.message).toBe(
    "Value for 'next' was not restored because it is not serializable (type: function). Hint: this value is unavailable after snapshot restore.",
  );
  expect(await value(session, "typeof next")).toBe("undefined");
});

test("its bytes say what is in it without an engine", async () => {
  const { formatVersion, variables, meta, bound } = await inspectSnapshot(bytes);
  expect([formatVersion, bound, meta?.["evals"]]).toEqual([1, true, 1]);
  expect(variables?.find(({ name }) => name === "rows")).toMatchObject({ type: "array" });
});

test("it is refused for another session", async () => {
  await expect(interpreter.restore(bytes, { binding: "another session" })).rejects.toMatchObject({
    code: "SNAPSHOT_SIGNATURE",
  });
});
