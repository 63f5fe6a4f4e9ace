/** The page's end of one worker: requests and their answers, calls of host functions, signs of life. */

import { EngineError, type ErrorCode, InterpreterError, SessionError, SnapshotError } from "../src/errors.js";
import type { EvalOptions } from "../src/eval/eval-options.js";
import { CallHeld, type HostFunctionSource, toSource } from "../src/eval/host-functions.js";
import { parseMessage, type SessionMessage, type SessionRequest, type WireState } from "../src/protocol.js";
import { describeHostError } from "../src/result/describe-host-error.js";
import type { LogLine } from "../src/result/outcome.js";
import { decodeValue } from "../src/values/decode-value.js";
import { encodeValue } from "../src/values/encode-value.js";
import type { SessionWorker } from "./session-worker-handle.js";

type Message<Kind extends SessionMessage["kind"]> = Extract<SessionMessage, { kind: Kind }>;
type Distributed<T> = T extends { readonly id: number } ? Omit<T, "id"> : never;
/** A request before it has its number. */
export type NewRequest = Distributed<SessionRequest>;

interface Pending {
  readonly resolve: (done: Message<"done">) => void;
  readonly reject: (error: unknown) => void;
  readonly options: EvalOptions;
  readonly onLog: (line: LogLine) => void;
}

export class SessionConnection {
  readonly #worker: SessionWorker;
  readonly #pending = new Map<number, Pending>();
  readonly #calls = new Map<number, AbortController>();
  /** Tells the worker while its guest runs; only where threads may share memory. */
  readonly #abortFlag: Int32Array<SharedArrayBuffer> | undefined =
    typeof SharedArrayBuffer === "undefined" ? undefined : new Int32Array(new SharedArrayBuffer(4));
  #requests = 0;
  #closed = false;
  /** When the worker last said anything, in milliseconds of `performance.now()`. */
  lastSign: number = performance.now();

  constructor(worker: SessionWorker) {
    this.#worker = worker;
    worker.endpoint.listen((data) => this.#receive(data));
    worker.onFailure((error) => this.close(error));
  }

  /** The request's number comes first, for `abort`. */
  request(
    request: NewRequest,
    options: EvalOptions = {},
    onLog: (line: LogLine) => void = () => {},
  ): { readonly id: number; readonly done: Promise<{ result: unknown; state: WireState }> } {
    const id = ++this.#requests;
    const done = new Promise<Message<"done">>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, options, onLog });
    });
    const shared = request.kind === "open" ? { abortFlag: this.#abortFlag?.buffer } : {};
    this.#post({ ...request, ...shared, id } as SessionRequest);
    return { id, done };
  }

  abort(id: number): void {
    if (this.#abortFlag) Atomics.store(this.#abortFlag, 0, id);
    this.#post({ kind: "abort", id });
  }

  /** Ends the worker; what was asked of it rejects. */
  close(reason: unknown): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#worker.terminate();
    for (const controller of this.#calls.values()) controller.abort(reason);
    for (const { reject } of this.#pending.values()) reject(reason);
    this.#pending.clear();
    this.#calls.clear();
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  #post(request: SessionRequest): void {
    if (!this.#closed) this.#worker.endpoint.post(request);
  }

  #receive(data: unknown): void {
    this.lastSign = performance.now();
    let message: SessionMessage;
    try {
      message = parseMessage(data);
    } catch (error) {
      this.close(error);
      return;
    }
    if (message.kind === "cancel") {
      this.#calls.get(message.call)?.abort(new DOMException("The eval is over.", "AbortError"));
      return;
    }
    const pending = this.#pending.get(message.id);
    if (!pending) return;
    if (message.kind === "done" || message.kind === "failed") {
      this.#pending.delete(message.id);
      if (message.kind === "done") pending.resolve(message);
      else pending.reject(toError(message.error));
    } else if (message.kind === "log") {
      const line = { level: message.level as LogLine["level"], text: message.text };
      pending.onLog(line);
      pending.options.onLog?.(line);
    } else if (message.kind === "progress") this.#progress(message, pending);
    else if (message.kind === "missed") toSource(pending.options.tools).get(message.name);
    else if (message.kind === "gate") void this.#gate(message, pending);
    else void this.#call(message, pending);
  }

  #progress({ event }: Message<"progress">, { options }: Pending): void {
    const input = event["input"];
    const shown = typeof input === "string" ? { ...event, input: decodeValue(input) } : event;
    options.onCall?.(shown as unknown as Parameters<NonNullable<EvalOptions["onCall"]>>[0]);
  }

  async #gate({ call, callId, name, input }: Message<"gate">, { options }: Pending): Promise<void> {
    try {
      const gated = (await options.isGated?.({ id: callId, name, input: decodeValue(input) })) ?? false;
      this.#post({ kind: "gated", call, gated });
    } catch (error) {
      this.#post({ kind: "gated", call, gated: false, error: encodeValue(shownError(error, name, options)) });
    }
  }

  async #call({ call, callId, name, input, scope }: Message<"call">, { options }: Pending): Promise<void> {
    const controller = new AbortController();
    this.#calls.set(call, controller);
    try {
      const target = (toSource(options[scope]) as HostFunctionSource).get(name);
      if (!target) throw new TypeError(`There is no tool named ${name} any more.`);
      const value = await target(decodeValue(input), { id: callId, name, signal: controller.signal });
      this.#post({ kind: "answer", call, outcome: "value", value: encodeValue(value) });
    } catch (error) {
      const isHeld = error instanceof CallHeld;
      const value = encodeValue(isHeld ? undefined : shownError(error, name, options));
      this.#post({ kind: "answer", call, outcome: isHeld ? "held" : "error", value });
    } finally {
      this.#calls.delete(call);
    }
  }
}

function shownError(error: unknown, name: string, options: EvalOptions): unknown {
  return options.describeError ? options.describeError(error, name) : describeHostError(error);
}

function toError({ code, name, message }: Message<"failed">["error"]): Error {
  if (name === "TypeError") return new TypeError(message);
  if (code === undefined) return Object.assign(new Error(message), { name });
  const known = code as ErrorCode;
  if (code.startsWith("SNAPSHOT_")) return new SnapshotError(known, message);
  if (code.startsWith("SESSION_")) return new SessionError(known, message);
  return code.startsWith("ENGINE_") ? new EngineError(known, message) : new InterpreterError(known, message);
}
