import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { parseMessage, parseRequest } from "../../src/protocol.js";
import { nodeWorker, type SessionWorker } from "../../web/session-worker-handle.js";
import { workerInterpreter } from "../../web/worker-interpreter.js";
import { remoteSessionBehaviour } from "../contract/remote-session.js";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "edge-interpreter-thread-"));
const script = join(folder, "thread.mjs");
await build({
  entryPoints: [here("../support/node-session-thread.ts")],
  outfile: script,
  bundle: true,
  format: "esm",
  platform: "node",
  alias: { "#engine-wasm": here("../../src/engine-wasm/embedded.ts") },
  logLevel: "warning",
});

afterAll(() => rm(folder, { recursive: true, force: true }));

remoteSessionBehaviour(workerInterpreter(() => nodeWorker(new Worker(script)), { graceMs: 300 }));

test("a script that cannot be loaded is an error of the opening", async () => {
  const interpreter = await workerInterpreter(() => nodeWorker(new Worker(join(folder, "none.mjs"))))({});
  await expect(interpreter.open()).rejects.toThrow(/Cannot find module/);
});

test("messages are checked on both ends", async () => {
  expect(() => parseRequest({ kind: "eval", id: 1, source: 7 })).toThrowError(
    expect.objectContaining({ code: "MESSAGE_INVALID" }),
  );
  expect(() => parseRequest({ kind: "constructor", id: 1 })).toThrowError(/it has the kind "constructor"/);
  expect(() => parseMessage(null)).toThrowError(/it has no kind/);
  const broken = (): SessionWorker => ({
    endpoint: {
      post: () => {},
      listen: (onMessage) => queueMicrotask(() => onMessage({ kind: "done", id: 1 })),
    },
    terminate: () => {},
    onFailure: () => {},
  });
  const interpreter = await workerInterpreter(broken)({});
  await expect(interpreter.open()).rejects.toMatchObject({ code: "MESSAGE_INVALID" });
});
