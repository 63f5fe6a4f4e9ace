/**
 * The session's side of `remote-session.ts`: one session in this thread, driven by messages. Host functions stay where
 * the messages come from; here are only their names.
 */

import type { EvalOptions } from "../src/eval/eval-options.js";
import { CallHeld, type HostFunction, type HostFunctionSource } from "../src/eval/host-functions.js";
import { createInterpreter, type InterpreterOptions } from "../src/interpreter.js";
import {
  parseRequest,
  type SessionMessage,
  type SessionRequest,
  type WireEvalOptions,
} from "../src/protocol.js";
import type { Session } from "../src/session/session.js";
import type { SnapshotOptions } from "../src/session/session-state.js";
import { decodeValue } from "../src/values/decode-value.js";
import { encodeValue } from "../src/values/encode-value.js";
import type { Endpoint } from "./endpoint.js";
import { fromWireDecisions, toWireResult, toWireState } from "./session-wire.js";

type Request<Kind extends SessionRequest["kind"]> = Extract<SessionRequest, { kind: Kind }>;
type Answer = Request<"answer"> | Request<"gated">;

export { browserEndpoint, type Endpoint, nodeEndpoint } from "./endpoint.js";

/** Hosts one session for the other end. Call it once, at the start of a worker. */
export function hostSession(endpoint: Endpoint): void {
  const host = new SessionHost(endpoint);
  endpoint.listen((data) => void host.receive(data));
}

class SessionHost {
  readonly #endpoint: Endpoint;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  readonly #running = new Map<number, AbortController>();
  #session: Promise<Session> | undefined;
  /** The number of the eval to be aborted. */
  #abortFlag: Int32Array | undefined;
  #calls = 0;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  async receive(data: unknown): Promise<void> {
    let request: SessionRequest;
    try {
      request = parseRequest(data);
    } catch (error) {
      this.#fail(Number((data as { id?: unknown } | null)?.id ?? 0) || 0, error);
      return;
    }
    if (request.kind === "answer" || request.kind === "gated") {
      this.#waiting.get(request.call)?.(request);
      this.#waiting.delete(request.call);
    } else if (request.kind === "abort") {
      this.#running.get(request.id)?.abort(new DOMException("The eval was aborted.", "AbortError"));
    } else {
      await this.#serve(request);
    }
  }

  async #serve(request: Exclude<SessionRequest, Answer | Request<"abort">>): Promise<void> {
    try {
      const result = await this.#perform(request);
      const session = await this.#session;
      if (!session) throw new TypeError("A session has to be opened first.");
      const transfer = result instanceof Uint8Array ? [result.buffer as ArrayBuffer] : [];
      this.#post({ kind: "done", id: request.id, result, state: toWireState(session) }, transfer);
    } catch (error) {
      this.#fail(request.id, error);
    }
  }

  async #perform(request: Exclude<SessionRequest, Answer | Request<"abort">>): Promise<unknown> {
    if (request.kind === "open") {
      this.#abortFlag = request.abortFlag && new Int32Array(request.abortFlag);
      this.#session = openSession(request);
      await this.#session;
      return undefined;
    }
    const session = await this.#session;
    switch (request.kind) {
      case "eval":
        return this.#evaluate(request, (options) => session!.eval(request.source, options));
      case "resume":
        return this.#evaluate(request, (options) =>
          session!.resume(fromWireDecisions(request.decisions), { ...options, source: request.source }),
        );
      case "snapshot":
        // A copy changes hands: the session keeps its last snapshot to fall back on.
        return (await session!.snapshot(request.options as SnapshotOptions)).slice();
      case "drop":
        return session!.drop();
      case "variables":
        return session!.variables();
      case "ping":
        return undefined;
    }
  }

  async #evaluate(
    { id, options }: Request<"eval"> | Request<"resume">,
    run: (options: EvalOptions) => ReturnType<Session["eval"]>,
  ): Promise<unknown> {
    const controller = new AbortController();
    this.#running.set(id, controller);
    try {
      return toWireResult(await run(this.#evalOptions(id, options, controller.signal)));
    } finally {
      this.#running.delete(id);
    }
  }

  #evalOptions(id: number, options: WireEvalOptions, signal: AbortSignal): EvalOptions {
    const { returns, captureConsole, limits, gates } = options;
    const flag = this.#abortFlag;
    return {
      tools: this.#functions(id, "tools", options),
      globals: this.#functions(id, "globals", options),
      signal,
      ...(flag ? { isAborted: () => Atomics.load(flag, 0) === id } : {}),
      returns,
      captureConsole,
      limits,
      // The other end has decided already what of an error the guest sees.
      describeError: (error) => error,
      onLog: ({ level, text }) => this.#post({ kind: "log", id, level, text }),
      onCall: (event) => {
        const shown = "input" in event ? { ...event, input: encodeValue(event.input) } : { ...event };
        this.#post({ kind: "progress", id, event: shown });
      },
      ...(gates
        ? {
            isGated: async ({ id: callId, name, input }) => {
              const answer = await this.#ask((call) => ({
                kind: "gate",
                id,
                call,
                callId,
                name,
                input: encodeValue(input),
              }));
              if (answer.kind !== "gated") throw new TypeError("A gate was answered like a call.");
              if (answer.error !== undefined) throw decodeValue(answer.error);
              return answer.gated;
            },
          }
        : {}),
    };
  }

  #functions(id: number, scope: "tools" | "globals", options: WireEvalOptions): HostFunctionSource {
    const { names, others } = options[scope];
    const known = new Set([...names, ...others]);
    return {
      names: () => names,
      get: (name) => {
        if (known.has(name)) return this.#forward(id, scope);
        if (scope === "tools") this.#post({ kind: "missed", id, name });
        return undefined;
      },
    };
  }

  #forward(id: number, scope: "tools" | "globals"): HostFunction {
    return async (input, { id: callId, name, signal }) => {
      let number = 0;
      const cancel = () => this.#post({ kind: "cancel", call: number });
      signal.addEventListener("abort", cancel, { once: true });
      const answer = await this.#ask((call) => {
        number = call;
        return { kind: "call", id, call, scope, name, callId, input: encodeValue(input) };
      });
      signal.removeEventListener("abort", cancel);
      if (answer.kind !== "answer") throw new TypeError("A call was answered like a gate.");
      if (answer.outcome === "held") throw new CallHeld();
      const value = decodeValue(answer.value);
      if (answer.outcome === "error") throw value;
      return value;
    };
  }

  #ask(message: (call: number) => SessionMessage): Promise<Answer> {
    const call = ++this.#calls;
    return new Promise((resolve) => {
      this.#waiting.set(call, resolve);
      this.#post(message(call));
    });
  }

  #post(message: SessionMessage, transfer: readonly ArrayBuffer[] = []): void {
    this.#endpoint.post(message, transfer);
  }

  #fail(id: number, error: unknown): void {
    const { code, name, message } = error as { code?: unknown; name?: unknown; message?: unknown };
    this.#post({
      kind: "failed",
      id,
      error: {
        ...(typeof code === "string" ? { code } : {}),
        name: String(name ?? "Error"),
        message: String(message ?? error),
      },
    });
  }
}

async function openSession({
  engine,
  limits,
  random,
  modules,
  snapshot,
  options,
}: Request<"open">): Promise<Session> {
  const interpreter = await createInterpreter({
    limits,
    ...(engine === undefined ? {} : { engine: engine as NonNullable<InterpreterOptions["engine"]> }),
    ...(random === undefined ? {} : { random }),
    ...(modules === undefined ? {} : { modules: new Map(modules) }),
  });
  return snapshot ? interpreter.restore(snapshot, options) : interpreter.open();
}
