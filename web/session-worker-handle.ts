import { browserEndpoint, type Endpoint, type NodePort, nodeEndpoint } from "./endpoint.js";

/** A worker that runs `hostSession`, for one session. */
export interface SessionWorker {
  readonly endpoint: Endpoint;
  /** Ends it at once, whatever it does. */
  terminate(): void;
  /** Tells when it could not be loaded or died by itself. */
  onFailure(listener: (error: unknown) => void): void;
}

/** The browser does not tell a page why. */
const NOT_LOADED =
  "The worker's script could not be loaded. Its address has to answer with JavaScript, and a Content-Security-Policy has to allow it in worker-src.";

/** A page's Web Worker. */
export function pageWorker(worker: Worker): SessionWorker {
  return {
    endpoint: browserEndpoint(worker),
    terminate: () => worker.terminate(),
    onFailure: (listener) => {
      worker.addEventListener("error", (event) => listener(new Error(event.message || NOT_LOADED)));
      worker.addEventListener("messageerror", () => listener(new Error("A message could not be read.")));
    },
  };
}

/** What `Worker` of Node's `worker_threads` offers, without naming Node. */
export interface NodeWorker extends NodePort {
  terminate(): unknown;
  on(type: "error" | "exit" | "message", listener: (value: unknown) => void): unknown;
}

/** A thread of Node's `worker_threads`. */
export function nodeWorker(worker: NodeWorker): SessionWorker {
  return {
    endpoint: nodeEndpoint(worker),
    terminate: () => void worker.terminate(),
    onFailure: (listener) => {
      worker.on("error", listener);
      worker.on("exit", () => listener(new Error("The thread ended.")));
    },
  };
}
