/**
 * How what crosses between a remote session and its worker is written and read: functions as names, values as the text
 * of the core's codec.
 */

import type { EvalOptions } from "../src/eval/eval-options.js";
import { type HostFunctions, toSource } from "../src/eval/host-functions.js";
import type { CallDecision } from "../src/eval/program-outcome.js";
import type { WireDecision, WireEvalOptions, WireFunctions, WireState } from "../src/protocol.js";
import type { EvalResult, PausedCall } from "../src/result/outcome.js";
import type { Session } from "../src/session/session.js";
import { decodeValue } from "../src/values/decode-value.js";
import { encodeValue } from "../src/values/encode-value.js";

export function toWireOptions(options: EvalOptions): WireEvalOptions {
  const { tools, globals, returns = "value", captureConsole = true, limits = {}, isGated } = options;
  return {
    tools: functionNames(tools),
    globals: functionNames(globals),
    returns,
    captureConsole,
    limits,
    gates: isGated !== undefined,
  };
}

function functionNames(functions: HostFunctions | undefined): WireFunctions {
  const source = toSource(functions);
  return { names: source.names(), others: source.others?.() ?? [] };
}

export function toWireDecisions(decisions: ReadonlyMap<number, CallDecision>): WireDecision[] {
  return Array.from(decisions, ([call, decision]) => ({
    call,
    type: decision.type,
    value: decided(decision),
  }));
}

function decided(decision: CallDecision): string {
  if (decision.type === "run") return encodeValue(decision.input);
  if (decision.type === "resolve") return encodeValue(decision.value);
  return encodeValue(decision.type === "reject" ? decision.error : undefined);
}

export function fromWireDecisions(decisions: readonly WireDecision[]): Map<number, CallDecision> {
  return new Map(decisions.map(({ call, type, value }) => [call, toDecision(type, value)]));
}

function toDecision(type: WireDecision["type"], value: string): CallDecision {
  if (type === "wait") return { type };
  const decoded = decodeValue(value);
  if (type === "run") return { type, input: decoded };
  return type === "resolve" ? { type, value: decoded } : { type, error: decoded };
}

export function toWireResult(result: EvalResult): unknown {
  if (result.status === "completed") return { ...result, value: encodeValue(result.value) };
  return result.status === "paused" ? { ...result, calls: encodeValue(result.calls) } : result;
}

export function fromWireResult(result: unknown): EvalResult {
  const wire = result as EvalResult;
  if (wire.status === "completed") return { ...wire, value: decodeValue(wire.value as string) };
  if (wire.status !== "paused") return wire;
  return { ...wire, calls: decodeValue(wire.calls as unknown as string) as PausedCall[] };
}

export function toWireState(session: Session): WireState {
  return {
    evalCount: session.evalCount,
    isDirty: session.isDirty,
    isPaused: session.isPaused,
    pausedCalls: encodeValue(session.pausedCalls),
    attachment: session.attachment,
    memoryBytes: session.memoryBytes,
    tombstones: session.tombstones.map(({ name, type }) => ({ name, type })),
    hasNewTombstones: session.hasNewTombstones,
  };
}
