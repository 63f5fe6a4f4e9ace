import { BrowserDatabase } from "../../web/database.js";
import { IndexedDBSaver } from "../../web/indexeddb-saver.js";
import { describeCheckpointSaver } from "../contract/saver.js";
import { freshDatabaseName } from "../support/indexeddb-store-under-test.js";

const databases = new Map<object, BrowserDatabase>();

describeCheckpointSaver(
  "IndexedDBSaver",
  () => {
    const database = new BrowserDatabase({ databaseName: freshDatabaseName(), fallback: "error" });
    const saver = new IndexedDBSaver({ database });
    databases.set(saver, database);
    return saver;
  },
  async (saver) => {
    const database = databases.get(saver)!;
    await database.close();
    indexedDB.deleteDatabase(database.name);
  },
);
