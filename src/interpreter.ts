/** The configured factory of sessions: one engine, one set of limits. */

import { type Capacity, resolveCapacity } from "./capacity.js";
import { platformTime, type Timekeeper } from "./clock.js";
import { ENGINE_ID, type EngineSource, loadEngine } from "./engine/engine.js";
import { usableStackBytes } from "./engine/stack-size.js";
import { invalidOption, SessionError } from "./errors.js";
import { answerHostService } from "./host-services/index.js";
import { type Limits, resolveLimits } from "./limits.js";
import { checkRepeatable } from "./repeatable.js";
import { type ModuleSource, moduleFinder } from "./session/module-source.js";
import { Session, type SessionContext } from "./session/session.js";
import { sharedPool } from "./session/session-pool.js";
import type { SnapshotOptions } from "./session/session-state.js";

export interface InterpreterOptions extends Partial<Capacity> {
  /** Where the engine comes from. @default the one inside this package */
  readonly engine?: EngineSource | Promise<EngineSource>;
  readonly limits?: Partial<Limits>;
  /** Milliseconds since 1970 for the guest's `Date`. Without it the guest has no clock. */
  readonly clock?: () => number;
  /** Makes the guest's random numbers repeatable. @default entropy of the platform */
  readonly random?: string | number;
  /**
   * Modules that code may `import`: sources by specifier, or a function that answers the source for a specifier.
   * JavaScript and TypeScript; each runs in the sandbox, once per session. @default none
   */
  readonly modules?: ModuleSource;
  /** Time for deadlines and timers. @default the platform's */
  readonly time?: Timekeeper;
}

export interface Interpreter {
  /** As given; `maxStackSizeBytes` is what of it this runtime's own stack can hold. */
  readonly limits: Limits;
  /** Sessions that have an instance now; the others sleep. */
  readonly liveSessions: number;
  /** A new, empty session. */
  open(): Promise<Session>;
  /**
   * A session in the state of a snapshot.
   *
   * @throws {SnapshotError} when the snapshot is refused; nothing of it was used.
   */
  restore(snapshot: Uint8Array, options?: SnapshotOptions): Promise<Session>;
  /** Disposes every session that is still open. */
  dispose(): void;
}

/**
 * Makes an interpreter. The engine is loaded once per process and shared.
 *
 * @throws {TypeError} naming the option that is wrong, its value and what is allowed.
 * @throws {EngineError} when the engine cannot be loaded.
 * @example
 * ```ts
 * const interpreter = await createInterpreter();
 * const session = await interpreter.open();
 * const result = await session.eval("const x = 20; x + 1");
 * ```
 */
export async function createInterpreter(options: InterpreterOptions = {}): Promise<Interpreter> {
  if (typeof options !== "object" || options === null) throw invalidOption("options", options, "an object");
  rejectUnknown(options);
  const asked = resolveLimits(options.limits);
  const { clock, random, time = platformTime } = options;
  checkRepeatable(options);
  checkTime(time);
  const modules = options.modules === undefined ? undefined : moduleFinder(options.modules);
  const pool = sharedPool(resolveCapacity(options));
  const engine = await loadEngine(options.engine);
  const maxStackSizeBytes = await usableStackBytes(engine.module, engine.base, asked.maxStackSizeBytes);
  const limits = { ...asked, maxStackSizeBytes };
  const sessions = new Set<Session>();
  const context: SessionContext = {
    engine,
    engineId: hexBytes(ENGINE_ID),
    limits,
    pool,
    owner: {},
    time,
    service: (operation, argument) => answerHostService(operation, argument, clock ? { clock } : {}),
    modules,
    seed: () => (random === undefined ? undefined : String(random)),
    onDispose: (session) => sessions.delete(session),
  };
  let disposed = false;
  const keep = (session: Session) => {
    sessions.add(session);
    if (disposed) {
      session.dispose();
      throw new SessionError("SESSION_DISPOSED", "The interpreter was disposed.");
    }
    return session;
  };
  return {
    limits,
    get liveSessions() {
      return [...sessions].filter((session) => session.memoryBytes > 0).length;
    },
    open: async () => keep(await Session.open(context)),
    restore: async (snapshot, snapshotOptions) =>
      keep(await Session.open(context, snapshot, snapshotOptions)),
    dispose: () => {
      disposed = true;
      for (const session of [...sessions]) session.dispose();
      pool.dropSpare(context.owner);
    },
  };
}

const known: readonly string[] = [
  "engine",
  "limits",
  "clock",
  "random",
  "modules",
  "time",
  "maxLiveSessions",
  "maxTotalMemoryBytes",
];

function rejectUnknown(options: object): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(`Unknown option \`${unknown}\`. Known: ${known.join(", ")}.`);
  }
}

function checkTime(time: Partial<Timekeeper> | null): void {
  if (typeof time?.now !== "function" || typeof time.after !== "function")
    throw invalidOption("time", time, "an object with `now()` and `after(ms, callback)`");
}

function hexBytes(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
