import { expect, test } from "vitest";
import { memoryStore } from "../../src/store.js";
import { describeStore } from "../contract/store.js";

describeStore("memoryStore", {}, (run) => run({ store: memoryStore() }));

test("refuses a value that would exceed maxBytes and keeps the one before", async () => {
  const store = memoryStore({ maxBytes: 100 });
  const version = await store.put("a", new Uint8Array(60));
  await store.put("b", new Uint8Array(40));
  await expect(store.put("a", new Uint8Array(61))).rejects.toMatchObject({ code: "STORE_FULL" });
  expect(await store.get("a")).toMatchObject({ version, bytes: new Uint8Array(60) });
});

test("counts what a put replaces and a delete frees", async () => {
  const store = memoryStore({ maxBytes: 100 });
  await store.put("a", new Uint8Array(100));
  await store.put("a", new Uint8Array(100));
  await store.delete("a");
  await store.delete("a");
  await store.put("b", new Uint8Array(100));
  await expect(store.put("c", new Uint8Array(1))).rejects.toMatchObject({ code: "STORE_FULL" });
});

test.each([-1, Number.NaN, "1"])("refuses %j as maxBytes", (maxBytes) => {
  expect(() => memoryStore({ maxBytes: maxBytes as number })).toThrow(/`maxBytes` must be a number/);
});
