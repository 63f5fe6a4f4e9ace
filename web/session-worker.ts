/**
 * The script of a Web Worker that hosts a session: `new Worker(new URL("edge-interpreter/web/session-worker",
 * import.meta.url), { type: "module" })`, or a script of your own that makes this one call.
 */
import { type BrowserPort, browserEndpoint } from "./endpoint.js";
import { hostSession } from "./session-host.js";

hostSession(browserEndpoint(globalThis as unknown as BrowserPort));
