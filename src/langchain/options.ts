/** The options of `createCodeInterpreterMiddleware`, and what they are once every default is applied. */
import type { ToolMessage } from "@langchain/core/messages";
import type { Command } from "@langchain/langgraph";
import type { ToolCallHandler, ToolCallRequest } from "langchain";
import type { Capacity } from "../capacity.js";
import type { EngineSource } from "../engine/engine.js";
import type { Interpreter, InterpreterOptions } from "../interpreter.js";
import type { Limits } from "../limits.js";
import type { ModuleSource } from "../session/module-source.js";
import type { SnapshotLayers } from "../session/session-state.js";
import type { SnapshotStore } from "../store.js";
import type { ApprovalPolicy, InterruptOn } from "./approvals/approval-policy.js";
import type { ResolvedRetention, SnapshotRetention } from "./sessions/snapshot-retention.js";
import type { ToolErrorPolicy } from "./tools/tool-error.js";
import type { PtcEntry } from "./tools/tool-names.js";

export type PersistenceMode = "thread" | "turn" | "call";

/** Options of `createCodeInterpreterMiddleware`. */
export interface CodeInterpreterOptions {
  /** Hard cap on a session's whole WebAssembly memory, buffers included; at least 16 MiB. @default 64 MiB */
  readonly memoryLimitBytes?: number | undefined;
  /** The engine's stack. @default 320 KiB */
  readonly maxStackSizeBytes?: number | undefined;
  /**
   * Milliseconds the guest itself may run in one eval; waiting for tools and subagents is free. Negative, `null` or
   * `Infinity`: no limit. @default 5000
   */
  readonly executionTimeoutMs?: number | null | undefined;
  /**
   * Sessions with an instance of their own at a time; idle ones beyond it sleep compressed in memory and wake when they
   * are used. @default 256; 64 in a browser; 4 in a Worker
   */
  readonly maxLiveSessions?: number | undefined;
  /**
   * Memory of all live sessions together. Idle ones are put to sleep beyond it, and a running one cannot grow.
   * @default 4 GiB; 1 GiB in a browser; 80 MiB in a Worker
   */
  readonly maxTotalMemoryBytes?: number | undefined;
  /** Milliseconds of a whole eval, waiting included; `null`: no limit. @default 900 000 */
  readonly waitTimeoutMs?: number | null | undefined;
  /** Name of the tool the model sees. @default "eval" */
  readonly toolName?: string | undefined;
  /** `false`: `console` exists and is silent. @default true */
  readonly captureConsole?: boolean | undefined;
  /** One budget, in characters, for what the model reads: console, value, error. @default 4000 */
  readonly maxResultChars?: number | undefined;
  /** Replaces the built-in prompt; `null` keeps it. @default null */
  readonly systemPrompt?: string | null | undefined;
  /** Tools code may call as `tools.*`: names of the agent's tools, tools of its own, or both. @default none */
  readonly ptc?: readonly PtcEntry[] | undefined;
  /** `tools.*` calls per eval; `null`: no limit, for trusted environments only. @default 256 */
  readonly maxPtcCalls?: number | null | undefined;
  /** `tools.*` calls that run at the same time; the others queue. @default null, no limit */
  readonly maxConcurrentCalls?: number | null | undefined;
  /** `task()` when the agent has subagents. @default true */
  readonly subagents?: boolean | undefined;
  /** `task()` calls per eval. @default null, no limit */
  readonly maxSubagentCalls?: number | null | undefined;
  /** What lives on: across turns, across the evals of a turn, or nothing. @default "thread" */
  readonly mode?: PersistenceMode | undefined;
  /** A larger snapshot is not kept, and the model is told. @default memoryLimitBytes */
  readonly maxSnapshotBytes?: number | undefined;
  /**
   * `"image"`: exact, functions and classes included, and only for the engine build that wrote it. `"data"`: plain data,
   * readable by every later version; the rest is gone after a restore. `"both"`: the image after each eval, the data
   * when a turn ends. @default "both"
   */
  readonly snapshotFormat?: SnapshotLayers | undefined;
  /** Keeps snapshots in a store of its own instead of beside the graph's checkpoints. */
  readonly snapshots?: SnapshotStore | undefined;
  /** Which old snapshots the `snapshots` store keeps; `false`: all of them. @default { keep: 20, minAgeMs: 86 400 000 } */
  readonly snapshotRetention?: SnapshotRetention | false | undefined;
  /** Signs snapshots (HMAC, bound to the session); unsigned or altered ones are refused. */
  readonly snapshotSigningKey?: string | Uint8Array | undefined;
  /** Tools whose calls from code need an approval; the shape of `humanInTheLoopMiddleware`. */
  readonly interruptOn?: InterruptOn | undefined;
  /** Where the engine comes from. @default found by itself */
  readonly engine?: EngineSource | Promise<EngineSource> | undefined;
  /**
   * Modules that code may `import`: sources by specifier, or a function that answers the source for a specifier.
   * JavaScript and TypeScript; they run in the sandbox, once per session. @default none
   */
  readonly modules?: ModuleSource | undefined;
  /**
   * Makes the interpreter, from `engine`, `clock`, `random` and the limits; `workerInterpreter` of
   * `edge-interpreter/web` makes one whose sessions live in workers. @default createInterpreter
   */
  readonly interpreter?: ((options: InterpreterOptions) => Promise<Interpreter>) | undefined;
  /** A seed, for repeatable random numbers. @default entropy of the platform */
  readonly random?: string | number | undefined;
  /** Milliseconds since 1970 for the guest's `Date`. @default none: the guest has no clock */
  readonly clock?: (() => number) | undefined;
  /**
   * What of a tool's failure code may see: a text, or a name, a message and data; `undefined` keeps the default.
   * @default the tool's own message and data, without stack, files and passwords
   */
  readonly describeToolError?: ToolErrorPolicy | undefined;
  /**
   * Stands around every call from code, `task()` included, as `wrapToolCall` of a middleware stands around the model's
   * calls. Middleware listed after this one sees calls from code anyway; what stands before it sees only the eval.
   * @default none
   */
  readonly wrapToolCall?: WrapToolCall | undefined;
}

/** The `wrapToolCall` of LangChain's middleware. */
export type WrapToolCall = (
  request: ToolCallRequest,
  handler: ToolCallHandler,
) => Promise<ToolMessage | Command> | ToolMessage | Command;

export interface ResolvedOptions {
  readonly capacity: Capacity;
  readonly limits: Limits;
  readonly toolName: string;
  readonly captureConsole: boolean;
  readonly maxResultChars: number;
  readonly systemPrompt: string | null;
  readonly ptc: readonly PtcEntry[] | undefined;
  readonly subagents: boolean;
  readonly maxSubagentCalls: number | null;
  readonly mode: PersistenceMode;
  readonly maxSnapshotBytes: number;
  readonly snapshotFormat: SnapshotLayers;
  readonly snapshots: SnapshotStore | undefined;
  readonly snapshotRetention: ResolvedRetention | undefined;
  readonly snapshotSigningKey: string | Uint8Array | undefined;
  readonly interruptOn: ReadonlyMap<string, ApprovalPolicy>;
  readonly engine: EngineSource | Promise<EngineSource> | undefined;
  readonly modules: ModuleSource | undefined;
  readonly interpreter: (options: InterpreterOptions) => Promise<Interpreter>;
  readonly random: string | number | undefined;
  readonly clock: (() => number) | undefined;
  readonly describeToolError: ToolErrorPolicy | undefined;
  readonly wrapToolCall: WrapToolCall | undefined;
}
