import { openDB } from "idb";
import { afterEach, expect, test, vi } from "vitest";
import type { StoreError } from "../../src/errors.js";
import { assertBytes, pattern } from "../../src/testing/assert.js";
import { BrowserDatabase } from "../../web/database.js";
import { indexedDBStore } from "../../web/indexeddb-store.js";
import { describeStore } from "../contract/store.js";
import {
  failingRequests,
  freshDatabaseName,
  useIndexedDBStore,
} from "../support/indexeddb-store-under-test.js";

const MiB = 1024 * 1024;

afterEach(() => vi.unstubAllGlobals());

describeStore("indexedDBStore", { reopen: true, failing: true }, useIndexedDBStore);

/** A second connection to what another test page or tab would have open. */
function openElsewhere(name: string, version: number) {
  return openDB(name, version, { upgrade: (database) => void database.createObjectStore("unknown") });
}

test("keeps the value before, whichever request of a write fails", async () => {
  await useIndexedDBStore(async ({ store }) => {
    const version = await store.put("key", pattern(2 * MiB, 1));
    for (const after of [0, 1]) {
      const repair = failingRequests("write", new Error("disk"), after);
      await expect(store.put("key", pattern(MiB, 2))).rejects.toMatchObject({ code: "STORE_WRITE" });
      if (after === 1)
        await expect(store.delete("key").then(() => store.delete("key"))).rejects.toMatchObject({
          code: "STORE_WRITE",
        });
      repair();
      const stored = await store.get("key");
      expect(stored?.version).toBe(version);
      assertBytes(stored?.bytes, pattern(2 * MiB, 1));
    }
  });
});

test("keeps the value before when the transaction is aborted after its last request", async () => {
  await useIndexedDBStore(async ({ store }) => {
    const version = await store.put("key", pattern(MiB, 1));
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (...input) {
      const request = put.apply(this, input);
      if (this.name === "snapshots") request.addEventListener("success", () => this.transaction.abort());
      return request;
    };
    const failure = await store.put("key", pattern(MiB, 2)).catch((error) => error);
    IDBObjectStore.prototype.put = put;
    expect(failure).toMatchObject({ code: "STORE_WRITE" });
    expect((await store.get("key"))?.version).toBe(version);
  });
});

test("says STORE_FULL with the browser's error when the quota is used up", async () => {
  await useIndexedDBStore(async ({ store }) => {
    await store.put("key", pattern(10));
    const quota = new DOMException("no space", "QuotaExceededError");
    const repair = failingRequests("write", quota);
    const failure = await store.put("key", pattern(20)).catch((error) => error);
    repair();
    expect(failure).toMatchObject({ code: "STORE_FULL", cause: quota });
    assertBytes((await store.get("key"))?.bytes, pattern(10));
    expect(store.status).toEqual({});
  });
});

test("gives up with STORE_UNAVAILABLE when another tab holds an older version, and works once it lets go", async () => {
  const databaseName = freshDatabaseName();
  // An older page that ignores `versionchange`. IndexedDB has no version 0, so the reader is made to want a newer one.
  const older = await openElsewhere(databaseName, 1);
  const open = IDBFactory.prototype.open;
  IDBFactory.prototype.open = function (name) {
    return open.call(this, name, 2);
  };
  const store = indexedDBStore({ databaseName, openTimeoutMs: 50 });
  const failure = await store.get("key").catch((error) => error);
  IDBFactory.prototype.open = open;
  expect(failure).toMatchObject({
    code: "STORE_UNAVAILABLE",
    message: expect.stringContaining("Close that tab"),
  });
  expect(store.status).toEqual({});
  older.close();
  await new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(databaseName);
    request.onsuccess = resolve;
    request.onerror = reject;
  });
  await store.put("key", pattern(10));
  assertBytes((await store.get("key"))?.bytes, pattern(10));
});

test("lets go of the database for a newer page, and then says that the page must be reloaded", async () => {
  const databaseName = freshDatabaseName();
  const store = indexedDBStore({ databaseName });
  await store.put("key", pattern(10));
  const newer = await openElsewhere(databaseName, 99);
  await expect(store.get("key")).rejects.toMatchObject({
    code: "STORE_UNAVAILABLE",
    message: expect.stringContaining("Reload the page"),
  });
  expect(store.status).toEqual({});
  newer.close();
});

test("opens again after the database was deleted under it, and finds nothing", async () => {
  const databaseName = freshDatabaseName();
  const store = indexedDBStore({ databaseName });
  const version = await store.put("key", pattern(10));
  await new Promise((resolve) => {
    indexedDB.deleteDatabase(databaseName).onsuccess = resolve;
  });
  expect(await store.get("key")).toBeUndefined();
  await expect(store.put("key", pattern(10), { replaces: version })).rejects.toMatchObject({
    code: "STORE_CONFLICT",
  });
  expect(await store.put("key", pattern(10), { replaces: null })).not.toBe(version);
});

test("opens again once when the browser closed the connection", async () => {
  await useIndexedDBStore(async ({ store }) => {
    await store.put("key", pattern(10));
    const { transaction } = IDBDatabase.prototype;
    IDBDatabase.prototype.transaction = function (...input) {
      IDBDatabase.prototype.transaction = transaction;
      this.close();
      return transaction.apply(this, input);
    };
    assertBytes((await store.get("key"))?.bytes, pattern(10));
  });
});

const noDatabase: [string, () => void][] = [
  ["there is no IndexedDB", () => vi.stubGlobal("indexedDB", undefined)],
  [
    "reading `indexedDB` throws",
    () => {
      const own = Object.getOwnPropertyDescriptor(globalThis, "indexedDB")!;
      vi.stubGlobal("indexedDB", undefined);
      Object.defineProperty(globalThis, "indexedDB", {
        configurable: true,
        get: () => {
          throw new DOMException("denied", "SecurityError");
        },
      });
      restore = () => Object.defineProperty(globalThis, "indexedDB", own);
    },
  ],
  [
    "every open fails, as in a private window",
    () => {
      const { open } = IDBFactory.prototype;
      IDBFactory.prototype.open = () => {
        throw new DOMException("not allowed here", "InvalidStateError");
      };
      restore = () => {
        IDBFactory.prototype.open = open;
      };
    },
  ],
];
let restore = () => {};

test.each(noDatabase)("keeps everything in memory and says so when %s", async (_title, breakIt) => {
  const reasons: StoreError[] = [];
  const databaseName = freshDatabaseName();
  const store = indexedDBStore({ databaseName, onFallback: (reason) => reasons.push(reason) });
  const strict = indexedDBStore({ databaseName, fallback: "error" });
  breakIt();
  try {
    await Promise.all([store.put("key", pattern(10)), store.get("other"), store.list()]);
    await expect(strict.get("key")).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      cause: expect.anything(),
    });
  } finally {
    vi.unstubAllGlobals();
    restore();
  }
  assertBytes((await store.get("key"))?.bytes, pattern(10));
  expect(store.status).toEqual({ fallback: "memory", reason: reasons[0] });
  expect(store.supports).toEqual({ durable: false, shared: false });
  expect(reasons).toHaveLength(1);
  expect(reasons[0]).toMatchObject({ code: "STORE_UNAVAILABLE" });
  // A place that works again later must not hide what was written meanwhile.
  expect((await store.list()).length).toBe(1);
});

test("lets the store and another user share one connection", async () => {
  const database = new BrowserDatabase({ databaseName: freshDatabaseName() });
  await indexedDBStore({ database }).put("key", pattern(10));
  expect(await indexedDBStore({ database }).list()).toHaveLength(1);
  await database.close();
  expect(await indexedDBStore({ database }).list()).toHaveLength(1);
  await database.close();
});
