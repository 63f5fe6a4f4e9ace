/** The thread of `remote-session.test.ts`, bundled by it. */
import { parentPort } from "node:worker_threads";
import { nodeEndpoint } from "../../web/endpoint.js";
import { hostSession } from "../../web/session-host.js";

if (parentPort) hostSession(nodeEndpoint(parentPort));
