/** The middleware's options: documented, validated at construction, with every default in one place. */
import type { ToolMessage } from "@langchain/core/messages";
import type { Command } from "@langchain/langgraph";
import type { ToolCallHandler, ToolCallRequest } from "langchain";
import { type Capacity, resolveCapacity } from "../capacity.js";
import { checkEngineSource, type EngineSource } from "../engine.js";
import { invalidOption } from "../errors.js";
import { createInterpreter, type Interpreter, type InterpreterOptions } from "../interpreter.js";
import { type Limits, resolveLimits } from "../limits.js";
import { type ModuleSource, moduleFinder } from "../module-source.js";
import { checkRepeatable } from "../repeatable.js";
import type { SnapshotLayers } from "../session-memory.js";
import type { SnapshotStore } from "../store.js";

import { type ApprovalPolicy, type InterruptOn, validateInterruptOn } from "./approval-policy.js";
import { type ResolvedRetention, resolveRetention, type SnapshotRetention } from "./snapshot-retention.js";
import type { ToolErrorPolicy } from "./tool-error.js";
import { type PtcEntry, validatePtcOption } from "./tool-names.js";

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

const known: Readonly<Record<keyof CodeInterpreterOptions, true>> = {
  memoryLimitBytes: true,
  maxLiveSessions: true,
  maxTotalMemoryBytes: true,
  maxStackSizeBytes: true,
  executionTimeoutMs: true,
  waitTimeoutMs: true,
  toolName: true,
  captureConsole: true,
  maxResultChars: true,
  systemPrompt: true,
  ptc: true,
  maxPtcCalls: true,
  maxConcurrentCalls: true,
  subagents: true,
  maxSubagentCalls: true,
  mode: true,
  maxSnapshotBytes: true,
  snapshotFormat: true,
  snapshots: true,
  snapshotRetention: true,
  snapshotSigningKey: true,
  interruptOn: true,
  engine: true,
  modules: true,
  interpreter: true,
  random: true,
  clock: true,
  describeToolError: true,
  wrapToolCall: true,
};

/** What stands around a value in a result: the arrow, a note. A value that fits with it need not be cut a second time. */
const RESULT_FRAME_CHARS = 100;
const MIN_RENDER_CHARS = 1000;

/** @throws {TypeError} naming the option, its value and what is allowed. */
export function resolveOptions(options: CodeInterpreterOptions = {}): ResolvedOptions {
  if (typeof options !== "object" || options === null) throw invalidOption("options", options, "an object");
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(known, name)) {
      throw new TypeError(`Unknown option \`${name}\`. Known: ${Object.keys(known).join(", ")}.`);
    }
  }
  const { toolName = "eval", mode = "thread", snapshotFormat = "both" } = options;
  if (typeof toolName !== "string" || !/^[\w-]{1,64}$/.test(toolName)) {
    throw invalidOption("toolName", toolName, "1 to 64 letters, digits, `_` or `-`");
  }
  const limits = resolveLimits({
    memoryLimitBytes: options.memoryLimitBytes,
    maxStackSizeBytes: options.maxStackSizeBytes,
    executionTimeoutMs: options.executionTimeoutMs,
    waitTimeoutMs: options.waitTimeoutMs,
    maxConcurrentCalls: options.maxConcurrentCalls,
  });
  const maxResultChars = whole("maxResultChars", options.maxResultChars, 4000, 0);
  if (mode !== "thread" && mode !== "turn" && mode !== "call") {
    throw invalidOption("mode", mode, '"thread", "turn" or "call"');
  }
  if (snapshotFormat !== "image" && snapshotFormat !== "data" && snapshotFormat !== "both") {
    throw invalidOption("snapshotFormat", snapshotFormat, '"image", "data" or "both"');
  }
  const { systemPrompt = null, snapshots, snapshotSigningKey, random, clock } = options;
  const { describeToolError, wrapToolCall } = options;
  if (systemPrompt !== null && typeof systemPrompt !== "string") {
    throw invalidOption("systemPrompt", systemPrompt, "a string, or null for the built-in text");
  }
  if (snapshots !== undefined && !isStore(snapshots)) {
    throw invalidOption("snapshots", snapshots, "a SnapshotStore (get, put, delete, list)");
  }
  if (snapshotSigningKey !== undefined && !isKey(snapshotSigningKey)) {
    throw invalidOption("snapshotSigningKey", snapshotSigningKey, "a string or bytes that are not empty");
  }
  if (options.modules !== undefined) moduleFinder(options.modules);
  checkEngineSource(options.engine);
  checkRepeatable({ random, clock });
  const { interpreter } = options;
  for (const [name, value] of Object.entries({ describeToolError, wrapToolCall, interpreter })) {
    if (value !== undefined && typeof value !== "function") throw invalidOption(name, value, "a function");
  }
  return {
    capacity: resolveCapacity(options),
    limits: {
      ...limits,
      maxHostCalls: count("maxPtcCalls", options.maxPtcCalls, 256),
      maxRenderChars: Math.max(MIN_RENDER_CHARS, maxResultChars - RESULT_FRAME_CHARS),
    },
    toolName,
    captureConsole: flag("captureConsole", options.captureConsole, true),
    maxResultChars,
    systemPrompt,
    ptc: validatePtcOption(options.ptc, toolName),
    subagents: flag("subagents", options.subagents, true),
    maxSubagentCalls: count("maxSubagentCalls", options.maxSubagentCalls, null),
    mode,
    maxSnapshotBytes: whole("maxSnapshotBytes", options.maxSnapshotBytes, limits.memoryLimitBytes, 1),
    snapshotFormat,
    snapshots,
    snapshotRetention: resolveRetention(options.snapshotRetention),
    snapshotSigningKey,
    interruptOn: validateInterruptOn(options.interruptOn),
    engine: options.engine,
    modules: options.modules,
    interpreter: interpreter ?? createInterpreter,
    random,
    clock,
    describeToolError,
    wrapToolCall,
  };
}

function flag(name: string, value: unknown, fallback: boolean): boolean {
  if (value === undefined) return fallback;
  if (typeof value !== "boolean") throw invalidOption(name, value, "true or false");
  return value;
}

function whole(name: string, value: unknown, fallback: number, min: number): number {
  if (value === undefined) return fallback;
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < min) {
    throw invalidOption(name, value, `a whole number of at least ${min}`);
  }
  return value;
}

/** The text for 0 and below is the documented one. */
function count(name: string, value: unknown, fallback: number | null): number | null {
  if (value === undefined) return fallback;
  if (value === null) return null;
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 1) {
    throw new TypeError(`\`${name}\` must be >= 1 or null, a whole number, but it is ${String(value)}.`);
  }
  return value;
}

function isKey(value: unknown): boolean {
  return (typeof value === "string" || value instanceof Uint8Array) && value.length > 0;
}

function isStore(value: unknown): value is SnapshotStore {
  if (typeof value !== "object" || value === null) return false;
  return ["get", "put", "delete", "list"].every(
    (method) => typeof (value as Record<string, unknown>)[method] === "function",
  );
}
