/** `edge-interpreter/web`: what an agent in a browser tab needs beside the interpreter. */

export { BrowserDatabase, type DatabaseOptions } from "./database.js";
export type { Endpoint } from "./endpoint.js";
export { IndexedDBSaver, type IndexedDBSaverOptions } from "./indexeddb-saver.js";
export { type IndexedDBStoreOptions, indexedDBStore } from "./indexeddb-store.js";
export { type NodeWorker, nodeWorker, pageWorker, type SessionWorker } from "./session-worker-handle.js";
export { installSynchronousLocalStorage } from "./synchronous-local-storage.js";
export { type ThreadLockOptions, withThreadLock } from "./thread-lock.js";
export { type WorkerInterpreterOptions, workerInterpreter } from "./worker-interpreter.js";
