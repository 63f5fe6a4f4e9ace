/** Guest code runs in workers of its own: whatever it does, the page keeps its frame rate. */
import { pageWorker } from "../../session-worker-handle.js";
import { workerInterpreter } from "../../worker-interpreter.js";

export const ENGINE: URL = new URL("quickjs.wasm", document.baseURI);

export const sessionsInWorkers = workerInterpreter(() =>
  pageWorker(new Worker(new URL("session-worker.js", document.baseURI), { type: "module" })),
);
