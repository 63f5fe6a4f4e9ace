/**
 * The page's one IndexedDB database: one name, one version, one upgrade path for snapshots and checkpoints.
 *
 * Object stores:
 * - `snapshots`: key -> `{ version, size, order }`, index `order`
 * - `snapshot-bytes`: key -> bytes, apart from the former so that a list reads no values
 * - `checkpoints`: `RowKey` as an array -> `{ head, body }`, see src/langchain/savers/checkpoint-rows.ts
 *
 * The version changes only with this layout, never with what is in it: an upgrade needs every other tab to let go of
 * the database, and a third tab that waits gets no event at all (https://github.com/w3c/IndexedDB/issues/223). So a
 * connection closes itself when another one wants to upgrade, and an open has a time limit.
 */
import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from "idb";
import { explain, unavailable } from "./database-errors.js";

export interface DatabaseSchema extends DBSchema {
  snapshots: {
    key: string;
    value: { version: string; size: number; order: number };
    indexes: { order: number };
  };
  "snapshot-bytes": { key: string; value: Uint8Array };
  checkpoints: { key: (string | number)[]; value: { head: string; body: Uint8Array } };
}

const schemaVersion = 1;

export type Names = StoreNames<DatabaseSchema>;
export type DatabaseTransaction<Mode extends IDBTransactionMode> = IDBPTransaction<
  DatabaseSchema,
  Names[],
  Mode
>;

/** @throws {StoreError} `STORE_UNAVAILABLE`, also when it takes longer than `timeoutMs`. */
export function openWithin(
  name: string,
  timeoutMs: number,
  onClosed: () => void,
): Promise<IDBPDatabase<DatabaseSchema>> {
  return new Promise((resolve, reject) => {
    let blocked = false;
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      const why = blocked
        ? "another tab holds an older version of it open. Close that tab or reload it"
        : "the browser did not answer. Another tab may hold it";
      const cause = new DOMException(`The open took longer than ${timeoutMs} ms`, "TimeoutError");
      reject(unavailable(name, why, cause));
    }, timeoutMs);
    try {
      // Some browsers throw from the getter when storage is blocked for the site.
      if (globalThis.indexedDB === undefined) throw new Error("This runtime has no `indexedDB`.");
      const opening = openDB<DatabaseSchema>(name, schemaVersion, {
        upgrade,
        blocked: () => {
          blocked = true;
        },
        blocking: onClosed,
        terminated: onClosed,
      });
      opening.then(
        (open) => {
          clearTimeout(timer);
          if (late) open.close();
          else resolve(open);
        },
        (error: unknown) => {
          clearTimeout(timer);
          reject(unavailable(name, explain(error), error));
        },
      );
    } catch (error) {
      clearTimeout(timer);
      reject(unavailable(name, explain(error), error));
    }
  });
}

/** The one upgrade path. A step per version, each from the version before it; a released step is never changed. */
function upgrade(database: IDBPDatabase<DatabaseSchema>, oldVersion: number): void {
  if (oldVersion < 1) {
    database.createObjectStore("snapshots").createIndex("order", "order");
    database.createObjectStore("snapshot-bytes");
    database.createObjectStore("checkpoints");
  }
}
