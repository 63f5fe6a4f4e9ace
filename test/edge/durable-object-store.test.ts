import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { durableObjectStore } from "../../edge/durable-object-store.js";
import { assertBytes, pattern } from "../../src/testing/assert.js";
import { describeStore } from "../contract/store.js";
import { failingStorage, inObject, objectStub } from "./objects.js";

const MiB = 1024 * 1024;

describeStore("durableObjectStore", { reopen: true, failing: true }, (run) =>
  inObject(crypto.randomUUID(), async (storage) => {
    const failing = failingStorage(storage);
    await run({
      store: durableObjectStore(failing),
      reopen: async () => durableObjectStore(storage),
      failing: (operation, error) => failing.fail(operation, error),
    });
  }),
);

test("has the same value and version after the object is evicted", async () => {
  const version = await inObject("evicted", (storage) =>
    durableObjectStore(storage).put("key", pattern(3 * MiB)),
  );
  await abortAllDurableObjects();
  const stored = await inObject("evicted", (storage) => durableObjectStore(storage).get("key"));
  expect(stored?.version).toBe(version);
  assertBytes(stored?.bytes, pattern(3 * MiB));
});

test("keeps the value before, whichever statement of a write fails", async () => {
  await inObject("every statement", async (storage) => {
    const failing = failingStorage(storage);
    const store = durableObjectStore(failing);
    const version = await store.put("key", pattern(3 * MiB, 1));
    let failures = 0;
    for (; ; failures++) {
      const repair = failing.fail("write", new Error("disk"), failures);
      const written = await store
        .put("key", pattern(4 * MiB, 2), { replaces: version })
        .catch((error) => error);
      repair();
      if (typeof written === "string") break;
      expect(written).toMatchObject({ code: "STORE_WRITE" });
      const stored = await store.get("key");
      expect(stored?.version).toBe(version);
      assertBytes(stored?.bytes, pattern(3 * MiB, 1));
      expect(count(storage, "snapshot_chunks")).toBe(3);
    }
    // Two that remove the old value, one for the entry, four chunks; once also the two that create the tables.
    expect(failures).toBeGreaterThanOrEqual(7);
    expect(count(storage, "snapshot_chunks")).toBe(4);
  });
});

test("has what put confirmed although the object is lost right after it", async () => {
  const lost = runInDurableObject(objectStub("lost"), async (_object, state) => {
    await durableObjectStore(state.storage).put("key", pattern(MiB));
    state.abort("lost");
  });
  await expect(lost).rejects.toThrow("lost");
  const stored = await inObject("lost", (storage) => durableObjectStore(storage).get("key"));
  assertBytes(stored?.bytes, pattern(MiB));
});

test("keeps the value before when the object is aborted before a write is confirmed", async () => {
  const version = await inObject("aborted", (storage) =>
    durableObjectStore(storage).put("key", pattern(MiB, 1)),
  );
  await inObject("aborted", async (storage) => {
    const store = durableObjectStore(storage);
    expect(() =>
      storage.transactionSync(() => {
        void store.put("key", pattern(MiB, 2));
        throw new Error("the rest of the step failed");
      }),
    ).toThrow("the rest");
  });
  await abortAllDurableObjects();
  const stored = await inObject("aborted", (storage) => durableObjectStore(storage).get("key"));
  expect(stored?.version).toBe(version);
  assertBytes(stored?.bytes, pattern(MiB, 1));
});

test("refuses a value over maxValueBytes before anything is written", async () => {
  await inObject("over size", async (storage) => {
    const store = durableObjectStore(storage, { maxValueBytes: 2 * MiB });
    const version = await store.put("key", pattern(2 * MiB));
    await expect(store.put("key", pattern(2 * MiB + 1))).rejects.toMatchObject({
      code: "STORE_FULL",
      message: expect.stringContaining("2097152 bytes (`maxValueBytes`)"),
    });
    expect((await store.get("key"))?.version).toBe(version);
  });
});

test("leaves no chunk of an old value behind", async () => {
  await inObject("leftovers", async (storage) => {
    const store = durableObjectStore(storage);
    for (const size of [5 * MiB, MiB, 0, 3 * MiB + 1]) await store.put("key", pattern(size));
    expect(count(storage, "snapshot_chunks")).toBe(4);
    await store.delete("key");
    expect(count(storage, "snapshot_chunks")).toBe(0);
  });
});

test("keeps two prefixes of one object apart", async () => {
  await inObject("prefixes", async (storage) => {
    await durableObjectStore(storage, { tablePrefix: "one_" }).put("key", pattern(1));
    expect(await durableObjectStore(storage, { tablePrefix: "two_" }).get("key")).toBeUndefined();
  });
});

test("writes nothing to an object that only creates the store", async () => {
  await inObject("untouched", async (storage) => {
    durableObjectStore(storage);
    const tables = storage.sql.exec("SELECT name FROM sqlite_master WHERE name LIKE 'edge_%'").toArray();
    expect(tables).toEqual([]);
  });
});

test.each(["", "1a", "a b", "a;", "_cf_x", "sqlite_"])("refuses %j as tablePrefix", async (tablePrefix) => {
  await inObject("prefix", async (storage) => {
    expect(() => durableObjectStore(storage, { tablePrefix })).toThrow(/`tablePrefix` must be/);
  });
});

function count(storage: DurableObjectStorage, table: string): number {
  return storage.sql.exec<{ n: number }>(`SELECT COUNT(*) AS n FROM edge_interpreter_${table}`).one().n;
}
