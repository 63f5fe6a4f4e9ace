import { expect, test, vi } from "vitest";
import { pattern } from "../../src/testing/assert.js";
import { BrowserDatabase } from "../../web/database.js";
import { IndexedDBSaver } from "../../web/indexeddb-saver.js";
import { indexedDBStore } from "../../web/indexeddb-store.js";
import { describeSaverBehaviour, step, thread } from "../contract/saver-behaviour.js";
import { failingRequests, freshDatabaseName } from "../support/indexeddb-store-under-test.js";

describeSaverBehaviour("IndexedDBSaver", async (run) => {
  const database = new BrowserDatabase({ databaseName: freshDatabaseName(), fallback: "error" });
  try {
    await run({
      open: (options) => new IndexedDBSaver({ ...options, database }),
      failing: (error, after) => failingRequests("write", error, after),
    });
  } finally {
    await database.close();
    indexedDB.deleteDatabase(database.name);
  }
});

test("shares one database, version and connection with the store", async () => {
  const databaseName = freshDatabaseName();
  const database = new BrowserDatabase({ databaseName });
  const config = await step(new IndexedDBSaver({ database }), thread(), { a: 1 });
  await indexedDBStore({ database }).put("key", pattern(10));
  await database.close();
  const reloaded = new BrowserDatabase({ databaseName });
  expect((await new IndexedDBSaver({ database: reloaded }).getTuple(thread()))?.config).toEqual(config);
  expect(await indexedDBStore({ database: reloaded }).list()).toHaveLength(1);
  await reloaded.close();
});

test("shows another tab what this one has written", async () => {
  const databaseName = freshDatabaseName();
  const [here, there] = [new IndexedDBSaver({ databaseName }), new IndexedDBSaver({ databaseName })];
  let config = await step(here, thread(), { a: 1 });
  expect((await there.getTuple(thread()))?.config).toEqual(config);
  config = await step(there, config, { a: 2 });
  expect((await here.getTuple(thread()))?.checkpoint.channel_values).toEqual({ a: 2 });
});

test("says STORE_FULL when the quota is used up, and keeps the checkpoint before", async () => {
  const saver = new IndexedDBSaver({ databaseName: freshDatabaseName() });
  const config = await step(saver, thread(), { a: 1 });
  const repair = failingRequests("write", new DOMException("no space", "QuotaExceededError"));
  await expect(step(saver, config, { a: 2 })).rejects.toMatchObject({ code: "STORE_FULL" });
  repair();
  expect((await saver.getTuple(thread()))?.config).toEqual(config);
});

test("keeps checkpoints in memory and says so where there is no IndexedDB", async () => {
  vi.stubGlobal("indexedDB", undefined);
  const onFallback = vi.fn();
  const saver = new IndexedDBSaver({ databaseName: freshDatabaseName(), onFallback });
  const config = await step(saver, thread(), { a: 1 });
  vi.unstubAllGlobals();
  expect((await saver.getTuple(thread()))?.config).toEqual(config);
  expect(saver.status).toMatchObject({ fallback: "memory", reason: { code: "STORE_UNAVAILABLE" } });
  expect(onFallback).toHaveBeenCalledOnce();
});
