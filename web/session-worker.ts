/**
 * The script of a Web Worker that hosts a session. A bundler wants a file of the app's own, which only imports this one:
 *
 * @example
 * ```ts
 * // session-worker.js: import "edge-interpreter/web/session-worker";
 * new Worker(new URL("./session-worker.js", import.meta.url), { type: "module" });
 * ```
 */
import { type BrowserPort, browserEndpoint } from "./endpoint.js";
import { hostSession } from "./session-host.js";

hostSession(browserEndpoint(globalThis as unknown as BrowserPort));
