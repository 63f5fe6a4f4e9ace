import { pageWorker, workerInterpreter } from "../../web/index.js";
import { remoteSessionBehaviour } from "../contract/remote-session.js";

remoteSessionBehaviour(
  workerInterpreter(
    () => pageWorker(new Worker(new URL("../../web/session-worker.ts", import.meta.url), { type: "module" })),
    { graceMs: 300 },
  ),
);
