/** One end of a channel to another thread, whatever made the channel. */
export interface Endpoint {
  post(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  /** The one listener for what arrives. */
  listen(onMessage: (data: unknown) => void): void;
}

/** What a page's `Worker`, a `MessagePort` and a worker's own global scope have in common. */
export interface BrowserPort {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
}

export function browserEndpoint(port: BrowserPort): Endpoint {
  return {
    post: (message, transfer = []) => port.postMessage(message, [...transfer]),
    listen: (onMessage) => port.addEventListener("message", ({ data }) => onMessage(data)),
  };
}

/** What `Worker` and `parentPort` of Node's `worker_threads` have in common. */
export interface NodePort {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  on(type: "message", listener: (data: unknown) => void): unknown;
}

export function nodeEndpoint(port: NodePort): Endpoint {
  return {
    post: (message, transfer = []) => port.postMessage(message, transfer),
    listen: (onMessage) => void port.on("message", onMessage),
  };
}
