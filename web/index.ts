/** `edge-interpreter/web`: what an agent in a browser tab needs beside the interpreter. */

export { BrowserDatabase, type DatabaseOptions } from "./database.js";
export { IndexedDBSaver, type IndexedDBSaverOptions } from "./indexeddb-saver.js";
export { type IndexedDBStoreOptions, indexedDBStore } from "./indexeddb-store.js";
export { installSynchronousLocalStorage } from "./local-storage.js";
export { type ThreadLockOptions, withThreadLock } from "./thread-lock.js";
