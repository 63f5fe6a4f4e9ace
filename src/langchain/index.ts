/** `edge-interpreter`: the interpreter as a middleware of `createAgent` and `createDeepAgent`. */
export type { EngineSource } from "../engine/engine.js";
export {
  EngineError,
  type ErrorCode,
  type FailureCode,
  InterpreterError,
  ProtocolError,
  SessionError,
  SnapshotError,
  StoreError,
} from "../errors.js";
export type { SnapshotLayers } from "../session/session-state.js";
export {
  type MemoryStoreOptions,
  memoryStore,
  type SnapshotStore,
  type StoredSnapshot,
  type StoreEntry,
  type StorePutOptions,
  type StoreStatus,
  type StoreSupport,
} from "../store.js";
export type {
  ApprovalCall,
  ApprovalDecision,
  InterruptOn,
  InterruptOnConfig,
} from "./approvals/approval-policy.js";
export {
  type CodeInterpreterMiddleware,
  createCodeInterpreterMiddleware,
  type EvalTool,
} from "./middleware.js";
export type { CodeInterpreterOptions, PersistenceMode, WrapToolCall } from "./options.js";
export type { InterpreterEvent } from "./progress.js";
export { deleteThreadSnapshots, type SnapshotRetention } from "./sessions/snapshot-retention.js";
export type { GuestError, ToolErrorPolicy } from "./tools/tool-error.js";
export type { PtcEntry } from "./tools/tool-names.js";
