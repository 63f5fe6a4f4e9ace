/**
 * Every error class and code. A guest that fails is a result (`EvalFailure`), a host that fails is an exception
 * with a code from this file, a caller that misuses the API gets a `TypeError` that names the option.
 */

/** Why an eval did not complete. Guest code cannot produce these codes; it only ever causes them. */
export type FailureCode =
  /** The guest threw, or a promise it awaited rejected. */
  | "GUEST_THROW"
  /** The source does not parse, or uses something that is refused before anything runs. */
  | "GUEST_SYNTAX"
  /** The eval waits for a promise that nothing pending can settle. */
  | "GUEST_UNSETTLED"
  /** The guest ran longer than `executionTimeoutMs`. */
  | "TIMEOUT"
  /** The whole eval, waiting included, took longer than `waitTimeoutMs`. */
  | "WAIT_TIMEOUT"
  /** The session's memory limit was reached. */
  | "MEMORY"
  /** The engine or the host stack overflowed. */
  | "STACK"
  /** The caller aborted the eval. */
  | "ABORTED"
  /** The engine instance was damaged; the session was rebuilt from its last snapshot. */
  | "SESSION_REBUILT";

export type ErrorCode =
  | "ENGINE_LOAD"
  | "ENGINE_MISMATCH"
  | "SESSION_DISPOSED"
  | "SESSION_BUSY"
  | "SESSION_NO_ROOM"
  | "SESSION_REBUILT"
  | "SNAPSHOT_CORRUPT"
  | "SNAPSHOT_VERSION"
  | "SNAPSHOT_ENGINE"
  | "SNAPSHOT_SIGNATURE"
  | "SNAPSHOT_TOO_LARGE"
  | "SNAPSHOT_MISSING"
  | "STORE_READ"
  | "STORE_WRITE"
  | "STORE_CONFLICT"
  | "STORE_FULL"
  | "STORE_UNAVAILABLE"
  | "HOST_FUNCTION"
  | "MESSAGE_INVALID"
  | "UNAUTHORIZED";

const brand = Symbol.for("edge-interpreter.error");

/** Base of every exception this package throws, `TypeError`s for misuse apart. Switch on `code`, not on the text. */
export class InterpreterError extends Error {
  readonly code: ErrorCode;
  /** @internal */
  readonly [brand] = true;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
    this.name = new.target.name;
  }

  /** True for errors of any copy of this package in the process. */
  static isInstance(error: unknown): error is InterpreterError {
    return typeof error === "object" && error !== null && brand in error;
  }
}

/** The engine could not be loaded or is not the build this package was made for. */
export class EngineError extends InterpreterError {}

/** The session cannot be used any more, or not now. */
export class SessionError extends InterpreterError {}

/** A snapshot was refused. Nothing of it was used. */
export class SnapshotError extends InterpreterError {}

/** A snapshot store failed; `cause` is the platform's error. `STORE_CONFLICT`: load again, then decide. */
export class StoreError extends InterpreterError {}

/** A message from another thread or machine was not of the protocol. */
export class ProtocolError extends InterpreterError {}

/** A `TypeError` that says which option was wrong, what it was and what is allowed. */
export function invalidOption(name: string, value: unknown, allowed: string): TypeError {
  return new TypeError(`\`${name}\` must be ${allowed}, but it is ${describeValue(value)}.`);
}

function describeValue(value: unknown): string {
  if (typeof value === "string")
    return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
  if (typeof value === "function") return `the function ${value.name || "(anonymous)"}`;
  if (typeof value === "bigint") return `${value}n`;
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === "object" && value !== null)
    return `an object (${value.constructor?.name ?? "no prototype"})`;
  return String(value);
}
