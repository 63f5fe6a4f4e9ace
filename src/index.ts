/** `edge-interpreter/core`: the interpreter without any agent framework. */

export type { Capacity } from "./capacity.js";
export type { Timekeeper } from "./clock.js";
export type { EngineSource, ResponseLike } from "./engine.js";
export {
  EngineError,
  type ErrorCode,
  type FailureCode,
  InterpreterError,
  ProtocolError,
  SessionError,
  SnapshotError,
  StoreError,
} from "./errors.js";
export type { EvalOptions, ResumeOptions } from "./eval-options.js";
export {
  CallHeld,
  type HostCallContext,
  type HostFunction,
  type HostFunctionSource,
  type HostFunctions,
} from "./host-functions.js";
export { createInterpreter, type Interpreter, type InterpreterOptions } from "./interpreter.js";
export { DEFAULT_LIMITS, type Limits } from "./limits.js";
export type { ModuleLoader, ModuleSource } from "./module-source.js";
export type {
  EvalCompleted,
  EvalFailed,
  EvalFailure,
  EvalPaused,
  EvalResult,
  EvalStatistics,
  LogLine,
  PausedCall,
  SourceFrame,
} from "./outcome.js";
export type { CallDecision } from "./program-outcome.js";
export { formatResult, type ResultTextOptions } from "./result-text.js";
export type { CallEvent } from "./running-call.js";
export type { Session } from "./session.js";
export type { SnapshotLayers, SnapshotOptions, Tombstone } from "./session-state.js";
export type { SnapshotVariable } from "./snapshot/content.js";
export { inspectSnapshot, type SnapshotInspection } from "./snapshot/inspect.js";
export {
  type MemoryStoreOptions,
  memoryStore,
  type SnapshotStore,
  type StoredSnapshot,
  type StoreEntry,
  type StorePutOptions,
  type StoreStatus,
  type StoreSupport,
} from "./store.js";
