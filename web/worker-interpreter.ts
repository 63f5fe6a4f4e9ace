import type { EngineSource, ResponseLike } from "../src/engine/engine.js";
import { invalidOption } from "../src/errors.js";
import type { Interpreter, InterpreterOptions } from "../src/interpreter.js";
import { resolveLimits } from "../src/limits.js";
import type { Session } from "../src/session/session.js";
import { RemoteSession, type RemoteSessionOptions } from "./remote-session.js";
import type { SessionWorker } from "./session-worker-handle.js";

export interface WorkerInterpreterOptions {
  /**
   * What a worker may take beyond `executionTimeoutMs`, and after an abort, before it is ended.
   *
   * @default 1000
   */
  readonly graceMs?: number;
}

/**
 * Makes interpreters whose sessions live in workers, one each, so that guest code never holds up this thread. It is
 * what the `interpreter` option of the middleware takes.
 *
 * @example
 * ```ts
 * const start = () => pageWorker(new Worker(new URL("./session-worker.js", import.meta.url), { type: "module" }));
 * createCodeInterpreterMiddleware({ interpreter: workerInterpreter(start) });
 * ```
 */
export function workerInterpreter(
  start: () => SessionWorker,
  options: WorkerInterpreterOptions = {},
): (options: InterpreterOptions) => Promise<Interpreter> {
  const graceMs = checkGrace(options.graceMs ?? 1000);
  return async ({ engine, limits: given, clock, random, modules }) => {
    if (clock) throw invalidOption("clock", clock, "left out: a function cannot go into a worker");
    if (typeof modules === "function")
      throw invalidOption("modules", modules, "sources by specifier: a function cannot go into a worker");
    const sources = modules && [...(modules instanceof Map ? modules : Object.entries(modules))];
    const limits = resolveLimits(given);
    const sessions = new Set<RemoteSession>();
    const sent = engine === undefined ? undefined : await toSendable(await engine);
    const parts: RemoteSessionOptions = {
      start,
      open: { engine: sent, limits: { ...limits }, random, modules: sources },
      executionTimeoutMs: limits.executionTimeoutMs,
      graceMs,
      onDispose: (session) => sessions.delete(session),
    };
    const keep = (session: RemoteSession): Session => {
      sessions.add(session);
      // `Session` is a class; what it promises is its public part, which a remote one has.
      return session as unknown as Session;
    };
    return {
      limits,
      get liveSessions() {
        return sessions.size;
      },
      open: async () => keep(await RemoteSession.open(parts)),
      restore: async (snapshot, snapshotOptions) =>
        keep(await RemoteSession.open(parts, snapshot, snapshotOptions)),
      dispose: () => {
        for (const session of [...sessions]) session.dispose();
      },
    };
  };
}

/** What the worker's `engine` option gets: a module and bytes as they are, an address as text, a response's bytes. */
async function toSendable(engine: EngineSource): Promise<unknown> {
  if (engine instanceof URL) return engine.href;
  if (typeof engine === "object" && "arrayBuffer" in engine) {
    const response = engine as ResponseLike;
    if (!response.ok) throw new TypeError(`The engine's address answered with status ${response.status}.`);
    return new Uint8Array(await response.arrayBuffer());
  }
  return engine;
}

/** @throws {TypeError} for a grace period that is no number of milliseconds. */
function checkGrace(graceMs: unknown): number {
  if (typeof graceMs === "number" && graceMs > 0 && Number.isFinite(graceMs)) return graceMs;
  throw invalidOption("graceMs", graceMs, "a number of milliseconds above 0");
}
