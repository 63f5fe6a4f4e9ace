/** What a program may look for that is not here, and what there is instead. Read when `X is not defined` is reported. */

export interface AvailableGlobals {
  /** Names under `tools`. */
  readonly tools: readonly string[];
  /** Modules that can be imported; `null` where an app's loader decides. */
  readonly modules?: readonly string[] | null | undefined;
  /** `task()` can start subagents. */
  readonly task: boolean;
}

type Kind =
  | "network"
  | "files"
  | "process"
  | "modules"
  | "output"
  | "input"
  | "page"
  | "storage"
  | "worker"
  | "binary"
  | "body"
  | "idle"
  | "wasm";

const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ["fetch", "network"],
  ["Request", "network"],
  ["Response", "network"],
  ["Headers", "network"],
  ["XMLHttpRequest", "network"],
  ["WebSocket", "network"],
  ["EventSource", "network"],
  ["axios", "network"],
  ["http", "network"],
  ["https", "network"],
  ["fs", "files"],
  ["path", "modules"],
  ["os", "process"],
  ["process", "process"],
  ["Deno", "process"],
  ["Bun", "process"],
  ["child_process", "process"],
  ["require", "modules"],
  ["module", "modules"],
  ["exports", "modules"],
  ["__dirname", "files"],
  ["__filename", "files"],
  ["print", "output"],
  ["alert", "output"],
  ["prompt", "input"],
  ["confirm", "input"],
  ["input", "input"],
  ["document", "page"],
  ["window", "page"],
  ["self", "page"],
  ["global", "page"],
  ["navigator", "page"],
  ["location", "page"],
  ["DOMParser", "page"],
  ["localStorage", "storage"],
  ["sessionStorage", "storage"],
  ["indexedDB", "storage"],
  ["caches", "storage"],
  ["Worker", "worker"],
  ["SharedWorker", "worker"],
  ["importScripts", "worker"],
  ["Buffer", "binary"],
  ["Blob", "body"],
  ["File", "body"],
  ["FormData", "body"],
  ["ReadableStream", "body"],
  ["requestAnimationFrame", "idle"],
  ["requestIdleCallback", "idle"],
  ["setImmediate", "idle"],
  ["WebAssembly", "wasm"],
]);

const MAX_TOOLS = 8;

/** One sentence about a global that does not exist here, or `undefined` for a name that means nothing special. */
export function describeMissingGlobal(name: string, available: AvailableGlobals): string | undefined {
  const kind = kinds.get(name);
  switch (kind) {
    case undefined:
      return undefined;
    case "network":
      return `There is no network here; ${whatReachesOut(available)}.`;
    case "files":
      return `There is no file system here; ${whatReachesOut(available)}.`;
    case "process":
      return "There is no process, environment or command line here; code only computes on values.";
    case "modules":
      return describeModules(available);
    case "output":
      return "Use console.log() to print; the value of the last expression is shown as well.";
    case "input":
      return "Nobody can be asked from here; ask in your answer, then pass what you learn in as a value.";
    case "page":
      return name === "global" || name === "window" || name === "self"
        ? "There is no page here; the global object is globalThis."
        : "There is no page and no browser here; work on text and values.";
    case "storage":
      return "There is no storage here; a variable on globalThis holds a value between the statements of a session.";
    case "worker":
      return "There are no threads here; Promise.all runs calls that wait at the same time.";
    case "binary":
      return "Use Uint8Array: TextEncoder and TextDecoder for text, toBase64(), toHex(), Uint8Array.fromBase64() and fromHex() for encodings.";
    case "body":
      return "There are no Blobs, forms or streams here; use strings, Uint8Array and plain objects.";
    case "idle":
      return "Use queueMicrotask() or await a promise.";
    case "wasm":
      return "There is no WebAssembly here; use JavaScript.";
  }
}

function describeModules({ modules }: AvailableGlobals): string {
  if (modules === null) return "There is no require() here; use import for the modules of this app.";
  if (modules === undefined || modules.length === 0)
    return "There is no require() and no package here; write what you need in the code itself.";
  const names = modules.slice(0, MAX_TOOLS).join(", ");
  const more = modules.length - MAX_TOOLS;
  return `There is no require() here; use import. There are: ${names}${more > 0 ? ` and ${more} more` : ""}.`;
}

function whatReachesOut({ tools, task }: AvailableGlobals): string {
  const names = tools.slice(0, MAX_TOOLS).map((name) => `tools.${name}`);
  if (tools.length > MAX_TOOLS) names.push(`${tools.length - MAX_TOOLS} more tools`);
  if (task) names.push("task()");
  if (names.length === 0) return "use your other tools for that and pass the result in as a value";
  return `what reaches outside is ${names.join(", ")}`;
}
