/**
 * Messages between a session in another thread and whoever uses it. Values of guest and host travel as the text of
 * `codec.ts`, as they do across the engine's own boundary; snapshots as bytes that change hands.
 *
 * Both ends check what arrives: a worker's messages are only as trustworthy as the code that runs there.
 */
import { ProtocolError } from "./errors.js";

/** To the session. `id` numbers requests; each gets exactly one `done`. */
export type SessionRequest =
  | {
      readonly kind: "open";
      readonly id: number;
      readonly engine?: unknown;
      readonly limits: Readonly<Record<string, unknown>>;
      readonly random?: string | number | undefined;
      /** Sources by specifier. */
      readonly modules?: readonly (readonly [string, string])[] | undefined;
      readonly snapshot?: Uint8Array | undefined;
      readonly options: Readonly<Record<string, unknown>>;
      /** An `Int32` that names the eval to be aborted: read while guest code runs and no message arrives. */
      readonly abortFlag?: SharedArrayBuffer | undefined;
    }
  | { readonly kind: "eval"; readonly id: number; readonly source: string; readonly options: WireEvalOptions }
  | {
      readonly kind: "resume";
      readonly id: number;
      readonly decisions: readonly WireDecision[];
      readonly source?: string | undefined;
      readonly options: WireEvalOptions;
    }
  | { readonly kind: "snapshot"; readonly id: number; readonly options: Readonly<Record<string, unknown>> }
  | { readonly kind: "drop" | "variables" | "ping"; readonly id: number }
  /** Ends the eval that is request `id`. */
  | { readonly kind: "abort"; readonly id: number }
  /** Answers a `call`. */
  | {
      readonly kind: "answer";
      readonly call: number;
      readonly outcome: "value" | "error" | "held";
      readonly value: string;
    }
  /** Answers a `gate`. */
  | {
      readonly kind: "gated";
      readonly call: number;
      readonly gated: boolean;
      readonly error?: string | undefined;
    };

export interface WireEvalOptions {
  readonly tools: WireFunctions;
  readonly globals: WireFunctions;
  readonly returns: "value" | "content" | "text";
  readonly captureConsole: boolean;
  readonly limits: Readonly<Record<string, unknown>>;
  /** The other end wants to be asked about each call before it runs. */
  readonly gates: boolean;
}

export interface WireFunctions {
  readonly names: readonly string[];
  /** Names that are answered without being listed. */
  readonly others: readonly string[];
}

export interface WireDecision {
  readonly call: number;
  readonly type: "run" | "resolve" | "reject" | "wait";
  readonly value: string;
}

/** From the session. */
export type SessionMessage =
  | { readonly kind: "done"; readonly id: number; readonly result: unknown; readonly state: WireState }
  | {
      readonly kind: "failed";
      readonly id: number;
      readonly error: { readonly code?: string | undefined; readonly name: string; readonly message: string };
    }
  | {
      readonly kind: "call";
      readonly id: number;
      readonly call: number;
      readonly scope: "tools" | "globals";
      readonly name: string;
      readonly callId: number;
      readonly input: string;
    }
  /** The eval ended before the call did. */
  | { readonly kind: "cancel"; readonly call: number }
  | {
      readonly kind: "gate";
      readonly id: number;
      readonly call: number;
      readonly name: string;
      readonly callId: number;
      readonly input: string;
    }
  | { readonly kind: "log"; readonly id: number; readonly level: string; readonly text: string }
  | { readonly kind: "progress"; readonly id: number; readonly event: Readonly<Record<string, unknown>> }
  /** Code looked a name up that nothing answers to. */
  | { readonly kind: "missed"; readonly id: number; readonly name: string };

/** What a session says of itself without being asked to run. */
export interface WireState {
  readonly evalCount: number;
  readonly isDirty: boolean;
  readonly isPaused: boolean;
  readonly pausedCalls: string;
  readonly attachment?: string | undefined;
  readonly memoryBytes: number;
  readonly tombstones: readonly { readonly name: string; readonly type: string }[];
  readonly hasNewTombstones: boolean;
}

type Check = (value: unknown) => boolean;

const isNumber: Check = (value) => typeof value === "number" && Number.isSafeInteger(value);
const isText: Check = (value) => typeof value === "string";
const isFlag: Check = (value) => typeof value === "boolean";
const isObject: Check = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isAnything: Check = () => true;
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const oneOf =
  (...allowed: readonly unknown[]): Check =>
  (value) =>
    allowed.includes(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const shape =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) &&
    Object.entries(fields).every(([name, check]) => check((value as Record<string, unknown>)[name]));

const functions = shape({ names: listOf(isText), others: listOf(isText) });
const evalOptions = shape({
  tools: functions,
  globals: functions,
  returns: oneOf("value", "content", "text"),
  captureConsole: isFlag,
  limits: isObject,
  gates: isFlag,
});
const state = shape({
  evalCount: isNumber,
  isDirty: isFlag,
  isPaused: isFlag,
  pausedCalls: isText,
  attachment: optional(isText),
  memoryBytes: isNumber,
  tombstones: listOf(shape({ name: isText, type: isText })),
  hasNewTombstones: isFlag,
});
const decision = shape({ call: isNumber, type: oneOf("run", "resolve", "reject", "wait"), value: isText });
const isBytes: Check = (value) => value instanceof Uint8Array;
/** A page that is not isolated from other origins has no such class. */
const isShared: Check = (value) =>
  typeof SharedArrayBuffer !== "undefined" && value instanceof SharedArrayBuffer;

const requests: Readonly<Record<SessionRequest["kind"], Check>> = {
  open: shape({
    id: isNumber,
    modules: optional(listOf(listOf(isText))),
    limits: isObject,
    snapshot: optional(isBytes),
    options: isObject,
    abortFlag: optional(isShared),
  }),
  eval: shape({ id: isNumber, source: isText, options: evalOptions }),
  resume: shape({
    id: isNumber,
    decisions: listOf(decision),
    source: optional(isText),
    options: evalOptions,
  }),
  snapshot: shape({ id: isNumber, options: isObject }),
  drop: shape({ id: isNumber }),
  variables: shape({ id: isNumber }),
  ping: shape({ id: isNumber }),
  abort: shape({ id: isNumber }),
  answer: shape({ call: isNumber, outcome: oneOf("value", "error", "held"), value: isText }),
  gated: shape({ call: isNumber, gated: isFlag, error: optional(isText) }),
};

const call = shape({ id: isNumber, call: isNumber, name: isText, callId: isNumber, input: isText });
const messages: Readonly<Record<SessionMessage["kind"], Check>> = {
  done: shape({ id: isNumber, result: isAnything, state }),
  failed: shape({ id: isNumber, error: shape({ code: optional(isText), name: isText, message: isText }) }),
  call: (value) => call(value) && shape({ scope: oneOf("tools", "globals") })(value),
  cancel: shape({ call: isNumber }),
  gate: call,
  log: shape({ id: isNumber, level: oneOf("log", "info", "warn", "error", "debug"), text: isText }),
  progress: shape({
    id: isNumber,
    event: shape({ type: oneOf("start", "end"), id: isNumber, name: isText }),
  }),
  missed: shape({ id: isNumber, name: isText }),
};

/** @throws {ProtocolError} `MESSAGE_INVALID` */
export function parseRequest(data: unknown): SessionRequest {
  return parse(data, requests, "a request to a session") as SessionRequest;
}

/** @throws {ProtocolError} `MESSAGE_INVALID` */
export function parseMessage(data: unknown): SessionMessage {
  return parse(data, messages, "a message of a session") as SessionMessage;
}

function parse(data: unknown, checks: Readonly<Record<string, Check>>, what: string): unknown {
  const kind = isObject(data) ? (data as { kind?: unknown }).kind : undefined;
  const check = typeof kind === "string" && Object.hasOwn(checks, kind) ? checks[kind] : undefined;
  if (check?.(data)) return data;
  const shown = typeof kind === "string" ? `the kind ${JSON.stringify(kind.slice(0, 40))}` : "no kind";
  throw new ProtocolError(
    "MESSAGE_INVALID",
    `Not ${what}: it has ${shown}${check ? ", but not its fields" : ""}.`,
  );
}
