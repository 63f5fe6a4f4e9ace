/**
 * What every `SnapshotStore` keeps, as a list of named cases that throw when it does not. No test framework is
 * imported, so the list runs in any of them and inside any runtime (a Durable Object, a page):
 *
 * @example
 * for (const { title, run } of storeContract()) test(title, async () => run({ store: myStore() }));
 */
import { StoreError } from "../errors.js";
import type { SnapshotStore } from "../store.js";
import { assertBytes, assertCode, assertEqual, assertThat, pattern } from "./assert.js";

/** A fresh and empty store, and what the suite may do to it. */
export interface StoreUnderTest {
  readonly store: SnapshotStore;
  /** Another store object on the same place, as after a restart. Leaves out the cases that need it when absent. */
  readonly reopen?: () => Promise<SnapshotStore>;
  /**
   * Makes the place fail the next reads or writes until the returned function is called. The error it fails with must
   * be the `cause` of what the store throws. Leaves out the cases that need it when absent.
   */
  readonly failing?: (operation: "read" | "write", error: Error) => () => void;
}

export interface StoreCase {
  /** The behaviour as a sentence. */
  readonly title: string;
  /** Throws when the store does not behave so. */
  run(subject: StoreUnderTest): Promise<void>;
}

export interface StoreContractOptions {
  /**
   * `StoreUnderTest.reopen` is given.
   *
   * @default false
   */
  readonly reopen?: boolean;
  /**
   * `StoreUnderTest.failing` is given.
   *
   * @default false
   */
  readonly failing?: boolean;
}

/** The cases for a store; those that need more than the store only when it is said to be there. */
export function storeContract(options: StoreContractOptions = {}): readonly StoreCase[] {
  return [...basics, ...(options.reopen ? reopening : []), ...(options.failing ? failures : [])];
}

const MiB = 1024 * 1024;
const sizes = [0, 1, MiB - 1, MiB, MiB + 1, 5 * MiB];

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

const basics: readonly StoreCase[] = [
  {
    title: "gives undefined for a key that was never written",
    async run({ store }) {
      assertEqual(await store.get("nothing"), undefined, "get");
      assertEqual((await store.list()).length, 0, "number of entries");
    },
  },
  {
    title: "gives back what was written, with the version that put returned",
    async run({ store }) {
      const version = await store.put("key", pattern(100));
      const stored = await store.get("key");
      assertBytes(stored?.bytes, pattern(100));
      assertEqual(stored?.version, version, "version");
    },
  },
  {
    title: "overwrites unconditionally when no version is named",
    async run({ store }) {
      const first = await store.put("key", pattern(100, 1));
      const second = await store.put("key", pattern(50, 2));
      assertThat(first !== second, "both puts gave the same version");
      assertBytes((await store.get("key"))?.bytes, pattern(50, 2));
      assertEqual((await store.list()).length, 1, "number of entries");
    },
  },
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
  ...sizes.map((size) => ({
    title: `keeps a value of ${size} bytes`,
    async run({ store }: StoreUnderTest) {
      await store.put("key", pattern(size, 1));
      assertBytes((await store.get("key"))?.bytes, pattern(size, 1));
      assertEqual((await store.list())[0]?.size, size, "listed size");
      // A second value of another size finds leftovers of the first one.
      await store.put("key", pattern(Math.floor(size / 2), 2));
      assertBytes((await store.get("key"))?.bytes, pattern(Math.floor(size / 2), 2));
    },
  })),
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
    title: "copies bytes on the way in, before put returns",
    async run({ store }) {
      const bytes = pattern(2000);
      const written = store.put("key", bytes);
      bytes.fill(0);
      await written;
      assertBytes((await store.get("key"))?.bytes, pattern(2000));
    },
  },
  {
    title: "copies bytes on the way out",
    async run({ store }) {
      await store.put("key", pattern(2000));
      (await store.get("key"))?.bytes.fill(0);
      assertBytes((await store.get("key"))?.bytes, pattern(2000));
    },
  },
  {
    title: "stores only the view it is given, not the buffer behind it",
    async run({ store }) {
      await store.put("key", pattern(5000).subarray(1000, 1100));
      const stored = await store.get("key");
      assertBytes(stored?.bytes, pattern(5000).subarray(1000, 1100));
      assertEqual(stored?.bytes.buffer.byteLength, 100, "size of the returned buffer");
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

const reopening: readonly StoreCase[] = [
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

const failures: readonly StoreCase[] = [
  {
    title: "turns a failed read into STORE_READ with its cause, and reads again afterwards",
    async run({ store, failing }) {
      await store.put("key", pattern(10));
      const cause = new Error("the place cannot be read");
      const repair = failing!("read", cause);
      const errors = await Promise.all([rejection(store.get("key")), rejection(store.list())]);
      repair();
      for (const error of errors) assertFailure(error, "STORE_READ", cause);
      assertBytes((await store.get("key"))?.bytes, pattern(10));
    },
  },
  {
    title: "turns a failed write into STORE_WRITE with its cause, and keeps the value before it",
    async run({ store, failing }) {
      const version = await store.put("key", pattern(2 * MiB, 1));
      const cause = new Error("the place cannot be written");
      const repair = failing!("write", cause);
      const errors = [
        await rejection(store.put("key", pattern(3 * MiB, 2), { replaces: version })),
        await rejection(store.put("new", pattern(3 * MiB, 2))),
        await rejection(store.delete("key")),
      ];
      repair();
      for (const error of errors) assertFailure(error, "STORE_WRITE", cause);
      const stored = await store.get("key");
      assertBytes(stored?.bytes, pattern(2 * MiB, 1));
      assertEqual(stored?.version, version, "version");
      assertEqual((await store.list()).length, 1, "number of entries");
      await store.put("key", pattern(10, 3), { replaces: version });
    },
  },
];

async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("Nothing was thrown.");
}

function assertFailure(error: unknown, code: string, cause: Error): void {
  assertThat(StoreError.isInstance(error), `${String(error)} is not a StoreError`);
  assertEqual(error.code, code, "code");
  assertEqual(error.cause, cause, "cause");
}
