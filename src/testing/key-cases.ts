/** Keys are texts without a meaning: kept apart, found by their beginning, and gone when they are deleted. */
import { assertBytes, assertEqual, pattern } from "./assert.js";
import type { StoreCase } from "./store-under-test.js";

const hostileKeys = [
  "",
  " ",
  "/",
  "..",
  "a/b/../c",
  "a/c",
  "__proto__",
  "constructor",
  "toString",
  "key",
  "key ",
  "key%",
  "key_",
  "KEY",
  "k",
  "nul\0",
  "nul\0nul",
  "ünïcode",
  "u\u0308",
  "\u00fc",
  "🦜🔗",
  "\ud83e",
  "\ufffd",
  '"quoted"',
  "'; DROP TABLE snapshots; --",
  "line\nbreak",
  "long ".repeat(2000),
];

export const keyCases: readonly StoreCase[] = [
  {
    title: "keeps every key apart, whatever it looks like",
    async run({ store }) {
      for (const [index, key] of hostileKeys.entries()) {
        assertEqual(
          await store.get(key),
          undefined,
          `get(${JSON.stringify(key.slice(0, 40))}) before its put`,
        );
        await store.put(key, pattern(20, index), { replaces: null });
      }
      for (const [index, key] of hostileKeys.entries())
        assertBytes((await store.get(key))?.bytes, pattern(20, index));
      const listed = (await store.list()).map((entry) => entry.key);
      assertEqual(JSON.stringify(listed), JSON.stringify(hostileKeys), "listed keys");
      for (const key of hostileKeys) await store.delete(key);
      assertEqual((await store.list()).length, 0, "number of entries");
      assertEqual(({} as Record<string, unknown>)["bytes"], undefined, "a property on every object");
    },
  },
  {
    title: "deletes a key once and does not mind a second time",
    async run({ store }) {
      await store.put("key", pattern(10));
      await store.put("other", pattern(10));
      await store.delete("key");
      await store.delete("key");
      assertEqual(await store.get("key"), undefined, "get");
      assertBytes((await store.get("other"))?.bytes, pattern(10));
    },
  },
  {
    title: "lists keys by prefix, the one written longest ago first",
    async run({ store }) {
      for (const key of ["b/1", "a/1", "a/2", "a", "ab", "A/1"]) await store.put(key, pattern(3));
      const version = await store.put("a/1", pattern(7));
      const listed = await store.list("a/");
      assertEqual(listed.map((entry) => entry.key).join(), "a/2,a/1", "keys");
      assertEqual(listed[1]?.version, version, "version");
      assertEqual(listed[1]?.size, 7, "size");
      assertEqual((await store.list("none")).length, 0, "entries of an unknown prefix");
      const all = (await store.list()).map((entry) => entry.key).join();
      assertEqual(all, "b/1,a/2,a,ab,A/1,a/1", "all keys");
    },
  },
];
