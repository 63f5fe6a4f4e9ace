import "fake-indexeddb/auto";
import { describeStore } from "../contract/store.js";
import { useIndexedDBStore } from "../support/indexeddb-store-under-test.js";

// The quick pass; test/web/indexeddb-store.test.ts runs the same and more in a browser.
describeStore("indexedDBStore (fake-indexeddb)", { reopen: true, failing: true }, useIndexedDBStore);
