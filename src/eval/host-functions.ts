/** What the host offers to guest code: functions by name, looked up at the moment of the call. */

export interface HostCallContext {
  /** Number of the call, unique in its session. */
  readonly id: number;
  readonly name: string;
  /** Aborted when the eval ends before the call does. */
  readonly signal: AbortSignal;
}

/**
 * Answers a call from guest code. `input` is a value made from guest data: treat it as untrusted. What it returns or
 * throws reaches the guest as a value (see `codec.ts` for what survives).
 */
export type HostFunction = (input: unknown, context: HostCallContext) => unknown;

/**
 * Thrown by a host function that cannot answer before a person has: the guest does not see it, its call stays open as
 * a gated one does, and the eval pauses. `Session.resume` settles the call or runs the function again.
 */
export class CallHeld extends Error {
  constructor(options?: { cause?: unknown }) {
    super("The call waits for an answer from outside.", options);
    this.name = "CallHeld";
  }
}

/**
 * Functions whose set may change, or that answer to more names than they list. A name that starts with `$` is one to
 * look others up with: its calls count for no limit.
 */
export interface HostFunctionSource {
  /** The names `Object.keys(tools)` shows. */
  names(): readonly string[];
  get(name: string): HostFunction | undefined;
  /** What code is told that calls a name which is not there; the names, where this says nothing. */
  missing?(name: string): string;
  /** Names that `get` answers to without their being listed; only needed where the guest is in another thread. */
  others?(): readonly string[];
}

export type HostFunctions = Readonly<Record<string, HostFunction>> | HostFunctionSource;

const none: HostFunctionSource = { names: () => [], get: () => undefined };

const MAX_LISTED = 20;

export function missingToolText(name: string, names: readonly string[]): string {
  const more = names.length > MAX_LISTED ? `, ${names.length - MAX_LISTED} more; see Object.keys(tools)` : "";
  const list = names.length === 0 ? "none" : `${names.slice(0, MAX_LISTED).join(", ")}${more}`;
  return `There is no tool ${JSON.stringify(name.slice(0, 100))}. There are: ${list}.`;
}

export function toSource(functions: HostFunctions | undefined): HostFunctionSource {
  if (!functions) return none;
  if (typeof functions["get"] === "function" && typeof functions["names"] === "function") {
    return functions as HostFunctionSource;
  }
  const record = functions as Readonly<Record<string, HostFunction>>;
  const names = Object.keys(record);
  // A Map: guest names such as `constructor` must not find anything on a prototype.
  const table = new Map(names.map((name) => [name, record[name]]));
  return { names: () => names, get: (name) => table.get(name) };
}
