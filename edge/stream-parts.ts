/** From LangGraph's chunks to the platform's events. One instance per attempt: the old `messages` mode has memory. */
import { type BaseMessage, BaseMessageChunk, isBaseMessage } from "@langchain/core/messages";
import type { RunRequest, StreamMode } from "./run-request.js";
import { toWireCheckpoint } from "./thread-state.js";

export interface StreamPart {
  readonly event: string;
  readonly data: unknown;
}

type Payload = Record<string, unknown>;

export class StreamParts {
  readonly #modes: ReadonlySet<StreamMode>;
  readonly #subgraphs: boolean;
  readonly #partial = new Map<string, BaseMessage>();
  readonly #complete = new Set<string>();

  constructor(request: Pick<RunRequest, "streamMode" | "subgraphs">) {
    this.#modes = new Set(request.streamMode);
    this.#subgraphs = request.subgraphs;
  }

  /** `[namespace, mode, payload]` where subgraphs stream too, `[mode, payload]` where they do not. */
  *fromChunk(chunk: unknown): Generator<StreamPart> {
    const [namespace, mode, payload] = (this.#subgraphs ? chunk : [[], ...(chunk as unknown[])]) as [
      string[],
      string,
      unknown,
    ];
    const suffix = namespace.length > 0 ? `|${namespace.join("|")}` : "";
    if (mode === "messages") {
      if (this.#modes.has("messages-tuple")) yield { event: `messages${suffix}`, data: payload };
      if (this.#modes.has("messages")) yield* this.#partialMessage(payload as [BaseMessage, Payload]);
      return;
    }
    if (mode === "values" && this.#modes.has("messages")) yield* this.#completeMessages(payload);
    if (this.#modes.has(mode as StreamMode)) yield { event: `${mode}${suffix}`, data: toWire(mode, payload) };
  }

  *#partialMessage([message, metadata]: [BaseMessage, Payload]): Generator<StreamPart> {
    if (!message.id || this.#complete.has(message.id)) return;
    const before = this.#partial.get(message.id);
    if (!before) yield { event: "messages/metadata", data: { [message.id]: { metadata } } };
    const joined =
      before instanceof BaseMessageChunk && message instanceof BaseMessageChunk
        ? before.concat(message)
        : message;
    this.#partial.set(message.id, joined);
    yield { event: "messages/partial", data: [joined] };
  }

  *#completeMessages(values: unknown): Generator<StreamPart> {
    const messages = (values as { messages?: unknown } | null)?.messages;
    if (!Array.isArray(messages)) return;
    const fresh = messages.filter(
      (message: unknown) => isBaseMessage(message) && message.id && !this.#complete.has(message.id),
    );
    for (const message of fresh as BaseMessage[]) {
      this.#complete.add(message.id!);
      this.#partial.delete(message.id!);
    }
    if (fresh.length > 0) yield { event: "messages/complete", data: fresh };
  }
}

function toWire(mode: string, payload: unknown): unknown {
  if (mode === "debug") {
    const debug = payload as { type: string; payload: Payload };
    if (debug.type === "checkpoint") return { ...debug, payload: toWireDebugCheckpoint(debug.payload) };
    if (debug.type === "task_result") return { ...debug, payload: toWireTask(debug.payload) };
  }
  if (mode === "checkpoints" && "config" in (payload as Payload))
    return toWireDebugCheckpoint(payload as Payload);
  if (mode === "tasks") return toWireTask(payload as Payload);
  return payload;
}

function toWireDebugCheckpoint(payload: Payload): Payload {
  const { parentConfig, config, tasks, ...rest } = payload;
  return {
    ...rest,
    config: withoutInternals(config),
    parent_config: withoutInternals(parentConfig),
    checkpoint: toWireCheckpoint(config as Payload | undefined),
    parent_checkpoint: toWireCheckpoint(parentConfig as Payload | undefined),
    tasks: ((tasks ?? []) as Payload[]).map(toWireTask),
  };
}

function toWireTask(task: Payload): Payload {
  const state = task["state"] as Payload | undefined;
  const checkpoint = state && "configurable" in state ? toWireCheckpoint(state) : null;
  if (!checkpoint) return task;
  const { state: _, ...rest } = task;
  return { ...rest, checkpoint };
}

/** `__pregel_*` keys hold live objects (checkpointer, streams), callbacks hold functions. */
function withoutInternals(config: unknown): unknown {
  const configurable = (config as { configurable?: Payload } | undefined)?.configurable;
  if (!configurable) return null;
  return {
    configurable: Object.fromEntries(Object.entries(configurable).filter(([key]) => !key.startsWith("__"))),
  };
}
