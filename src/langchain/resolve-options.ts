/** The middleware's options, validated at construction: every default is applied here and nowhere else. */

import { resolveCapacity } from "../capacity.js";
import { checkEngineSource } from "../engine/engine.js";
import { invalidOption } from "../errors.js";
import { createInterpreter } from "../interpreter.js";
import { resolveLimits } from "../limits.js";
import { checkRepeatable } from "../repeatable.js";
import { moduleFinder } from "../session/module-source.js";
import type { SnapshotStore } from "../store.js";
import { validateInterruptOn } from "./approvals/approval-policy.js";
import type { CodeInterpreterOptions, ResolvedOptions } from "./options.js";
import { resolveRetention } from "./sessions/snapshot-retention.js";
import { validatePtcOption } from "./tools/tool-names.js";

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
