import "fake-indexeddb/auto";
import { BrowserDatabase } from "../../web/database.js";
import { IndexedDBSaver } from "../../web/indexeddb-saver.js";
import { describeSaverBehaviour } from "../contract/saver-behaviour.js";
import { describeStore } from "../contract/store.js";
import {
  failingRequests,
  freshDatabaseName,
  useIndexedDBStore,
} from "../support/indexeddb-store-under-test.js";

// The quick pass; test/web/indexeddb-store.test.ts runs the same and more in a browser.
describeStore("indexedDBStore (fake-indexeddb)", { reopen: true, failing: true }, useIndexedDBStore);

describeSaverBehaviour("IndexedDBSaver (fake-indexeddb)", async (run) => {
  const database = new BrowserDatabase({ databaseName: freshDatabaseName(), fallback: "error" });
  await run({
    open: (options) => new IndexedDBSaver({ ...options, database }),
    failing: (error, after) => failingRequests("write", error, after),
  });
  await database.close();
});
