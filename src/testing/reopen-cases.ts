/** For a store that outlives its object: two of them on one place, one after the other and at the same time. */
import { assertBytes, assertCode, assertEqual, MiB, pattern } from "./assert.js";
import type { StoreCase } from "./store-under-test.js";

export const reopenCases: readonly StoreCase[] = [
  {
    title: "has the same values and versions after it is opened again",
    async run({ store, reopen }) {
      const version = await store.put("key", pattern(3 * MiB));
      await store.put("deleted", pattern(10));
      await store.delete("deleted");
      const again = await reopen!();
      const stored = await again.get("key");
      assertBytes(stored?.bytes, pattern(3 * MiB));
      assertEqual(stored?.version, version, "version");
      assertEqual((await again.list()).length, 1, "number of entries");
      await again.put("key", pattern(5), { replaces: version });
    },
  },
  {
    title: "lets one of two open stores replace a version and tells the other",
    async run({ store, reopen }) {
      const other = await reopen!();
      const version = await store.put("key", pattern(10, 1));
      const theirs = await other.put("key", pattern(10, 2), { replaces: version });
      await assertCode("STORE_CONFLICT", store.put("key", pattern(10, 3), { replaces: version }));
      assertEqual((await store.get("key"))?.version, theirs, "version");
      const both = [store, other].map((one) => one.put("key", pattern(10, 4), { replaces: theirs }));
      const settled = await Promise.allSettled(both);
      assertEqual(settled.filter((result) => result.status === "fulfilled").length, 1, "winners");
    },
  },
];
