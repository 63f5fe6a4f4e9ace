/** Writes that name the version they replace: of several only one succeeds, and the others are told. */
import { assertBytes, assertCode, assertEqual, pattern } from "./assert.js";
import type { StoreCase } from "./store-under-test.js";

export const versionCases: readonly StoreCase[] = [
  {
    title: "replaces the version that is named",
    async run({ store }) {
      const first = await store.put("key", pattern(10, 1), { replaces: null });
      const second = await store.put("key", pattern(10, 2), { replaces: first });
      assertEqual((await store.get("key"))?.version, second, "version");
    },
  },
  {
    title: "refuses a stale write and keeps the value",
    async run({ store }) {
      const first = await store.put("key", pattern(10, 1));
      const second = await store.put("key", pattern(10, 2));
      await assertCode("STORE_CONFLICT", store.put("key", pattern(10, 3), { replaces: first }));
      const stored = await store.get("key");
      assertBytes(stored?.bytes, pattern(10, 2));
      assertEqual(stored?.version, second, "version");
    },
  },
  {
    title: "refuses to create a key that exists",
    async run({ store }) {
      await store.put("key", pattern(10, 1));
      await assertCode("STORE_CONFLICT", store.put("key", pattern(10, 2), { replaces: null }));
      assertBytes((await store.get("key"))?.bytes, pattern(10, 1));
    },
  },
  {
    title: "refuses to replace a version of a key that does not exist",
    async run({ store }) {
      const version = await store.put("key", pattern(10));
      await store.delete("key");
      await assertCode("STORE_CONFLICT", store.put("key", pattern(10), { replaces: version }));
      await assertCode("STORE_CONFLICT", store.put("other", pattern(10), { replaces: version }));
      assertEqual((await store.list()).length, 0, "number of entries");
    },
  },
  {
    title: "never gives one version twice, also not after a delete",
    async run({ store }) {
      const versions = new Set<string>();
      for (let round = 0; round < 5; round++) {
        versions.add(await store.put("key", pattern(10)));
        await store.delete("key");
      }
      assertEqual(versions.size, 5, "number of versions");
    },
  },
  {
    title: "lets exactly one of several concurrent writes replace a version",
    async run({ store }) {
      const first = await store.put("key", pattern(10));
      for (const replaces of [first, null] as const) {
        if (replaces === null) await store.delete("key");
        const writes = [1, 2, 3, 4, 5].map((seed) => store.put("key", pattern(70_000, seed), { replaces }));
        const settled = await Promise.allSettled(writes);
        const winners = settled.flatMap((result, index) =>
          result.status === "fulfilled" ? [index + 1] : [],
        );
        assertEqual(winners.length, 1, "number of writes that succeeded");
        for (const result of settled)
          if (result.status === "rejected") await assertCode("STORE_CONFLICT", Promise.reject(result.reason));
        assertBytes((await store.get("key"))?.bytes, pattern(70_000, winners[0] ?? 0));
      }
    },
  },
];
