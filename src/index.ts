/** `edge-interpreter/core`: the interpreter without any agent framework. */

export type { Capacity } from "./capacity.js";
export type { Timekeeper } from "./clock.js";
export type { EngineSource, ResponseLike } from "./engine/engine.js";
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
export type { EvalOptions, ResumeOptions } from "./eval/eval-options.js";
export {
  CallHeld,
  type HostCallContext,
  type HostFunction,
  type HostFunctionSource,
  type HostFunctions,
} from "./eval/host-functions.js";
export type { CallDecision } from "./eval/program-outcome.js";
export type { CallEvent } from "./eval/running-call.js";
export { createInterpreter, type Interpreter, type InterpreterOptions } from "./interpreter.js";
export { DEFAULT_LIMITS, type Limits } from "./limits.js";
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
} from "./result/outcome.js";
export { formatResult, type ResultTextOptions } from "./result/result-text.js";
export type { ModuleLoader, ModuleSource } from "./session/module-source.js";
export type { Session } from "./session/session.js";
export type { SnapshotLayers, SnapshotOptions, Tombstone } from "./session/session-state.js";
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
