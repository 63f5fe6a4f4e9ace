/** For a store whose place can be made to fail: the failure has a code and its cause, and costs no value. */
import { StoreError } from "../errors.js";
import { assertBytes, assertEqual, assertThat, MiB, pattern } from "./assert.js";
import type { StoreCase } from "./store-under-test.js";

export const failureCases: readonly StoreCase[] = [
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
