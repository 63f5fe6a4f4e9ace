/** The configured factory of sessions: one engine, one set of limits. */
import { platformTime, type Timekeeper } from "./clock.js";
import { ENGINE_ID, type EngineSource, loadEngine } from "./engine.js";
import { answerHostService } from "./host-services/index.js";
import { type Limits, resolveLimits } from "./limits.js";
import { Session, type SessionContext, type SnapshotOptions } from "./session.js";

export interface InterpreterOptions {
  /** Where the engine comes from. @default the one inside this package */
  readonly engine?: EngineSource | Promise<EngineSource>;
  readonly limits?: Partial<Limits>;
  /** Milliseconds since 1970 for the guest's `Date`. Without it the guest has no clock. */
  readonly clock?: () => number;
  /** Makes the guest's random numbers repeatable. @default entropy of the platform */
  readonly random?: string | number;
  /** Time for deadlines and timers. @default the platform's */
  readonly time?: Timekeeper;
}

export interface Interpreter {
  readonly limits: Limits;
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
  const limits = resolveLimits(options.limits);
  const { clock, random } = options;
  const engine = await loadEngine(options.engine);
  const sessions = new Set<Session>();
  const context: SessionContext = {
    engine,
    engineId: hexBytes(ENGINE_ID),
    limits,
    time: options.time ?? platformTime,
    service: (operation, argument) => answerHostService(operation, argument, clock ? { clock } : {}),
    seed: () => (random === undefined ? undefined : String(random)),
    onDispose: (session) => sessions.delete(session),
  };
  const keep = (session: Session) => {
    sessions.add(session);
    return session;
  };
  return {
    limits,
    open: async () => keep(await Session.open(context)),
    restore: async (snapshot, snapshotOptions) =>
      keep(await Session.open(context, snapshot, snapshotOptions)),
    dispose: () => {
      for (const session of [...sessions]) session.dispose();
    },
  };
}

function hexBytes(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
