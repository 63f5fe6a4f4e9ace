/**
 * LangChain turns every result into a message: a number becomes text, an object becomes JSON text. Code wants the value.
 * This runs a tool through its whole pipeline (schema, callbacks, formatting) and keeps what its function returned.
 */

import { BaseMessage } from "@langchain/core/messages";
import { DynamicStructuredTool, DynamicTool, StructuredTool, Tool } from "@langchain/core/tools";
import { runWithConfig } from "../approvals/task-interrupts.js";
import type { CallableTool } from "./tool-names.js";
import { type GuestResult, toGuestValue } from "./tool-result.js";

export interface RecordedTool {
  /** To be passed on in place of the tool; one per call. */
  readonly tool: CallableTool;
  /**
   * The value of the call. When middleware put another message in place of the tool's own, that message counts: a
   * result that was redacted or replaced must not come back through the side door.
   */
  result(message: unknown): GuestResult;
  /** What the tool threw, where middleware put an error with nothing but text around what is no error. */
  failure(error: unknown): unknown;
}

/** The classes of LangChain whose `invoke` and `call` are known to end in `_call`. */
const known: ReadonlySet<unknown> = new Set(
  [StructuredTool, DynamicStructuredTool, Tool, DynamicTool].map(({ prototype }) => prototype),
);

interface Recordable extends CallableTool {
  _call(...parameters: unknown[]): unknown;
  readonly responseFormat?: string;
}

/**
 * @param adjust Changes the config of the call, whoever makes it: the state as it is now, callbacks under the eval's
 * run, the writer. LangChain's tool node builds its config itself and takes none from a request.
 */
export function recordResult(
  tool: CallableTool,
  adjust: (config: unknown) => unknown = (config) => config,
): RecordedTool {
  return isRecordable(tool) ? recordFunction(tool, adjust) : recordInvoke(tool, adjust);
}

/** Keeps what the tool's function returned. */
function recordFunction(tool: Recordable, adjust: (config: unknown) => unknown): RecordedTool {
  let raw: { readonly value: unknown } | undefined;
  let produced: unknown;
  const thrown = new ThrownValue();
  // For those LangChain itself sees to it that `interrupt()` and the like find the call's config.
  const isFunctionTool = tool instanceof DynamicStructuredTool || tool instanceof DynamicTool;
  // Inherits everything, so that whatever looks at the tool sees the tool; its private members are reached because
  // `_call` itself runs on the original.
  const recorder = Object.create(tool) as Recordable;
  recorder._call = async (...parameters) => {
    const run = () => tool._call(...parameters);
    const value = await (isFunctionTool ? run() : runWithConfig(parameters[2], run));
    if (isAsyncGenerator(value)) return keepLast(value, (last) => (raw = { value: last }));
    raw = { value };
    return value;
  };
  recorder.invoke = async (input, config) => {
    raw = undefined;
    produced = await thrown.of(() => tool.invoke.call(recorder, input, adjust(config)));
    return produced;
  };
  return {
    tool: recorder,
    result(message) {
      if (raw === undefined || message !== produced) return toGuestValue(message);
      if (tool.responseFormat !== "content_and_artifact") return toGuestValue(raw.value);
      const [content, artifact] = raw.value as [unknown, unknown];
      return toGuestValue(content, artifact);
    },
    failure: (error) => thrown.behind(error),
  };
}

/** Keeps what `invoke` returned, for tools that are no classes of LangChain; the tool node makes a message of it. */
function recordInvoke(tool: CallableTool, adjust: (config: unknown) => unknown): RecordedTool {
  let raw: { readonly value: unknown; readonly content: string } | undefined;
  const thrown = new ThrownValue();
  const recorder = Object.create(tool) as { -readonly [Key in keyof CallableTool]: CallableTool[Key] };
  recorder.invoke = async (input, config) => {
    raw = undefined;
    const value = await thrown.of(() => runWithConfig(adjust(config), (own) => tool.invoke(input, own)));
    if (!BaseMessage.isInstance(value)) raw = { value, content: contentOf(value) };
    return value;
  };
  return {
    tool: recorder,
    result(message) {
      const own = raw !== undefined && (message === raw.value || contentOf(message) === raw.content);
      return toGuestValue(own ? raw?.value : message);
    },
    failure: (error) => thrown.behind(error),
  };
}

/** LangChain's wrapper around what middleware threw keeps a cause only if that is an `Error`. */
class ThrownValue {
  #last: { readonly value: unknown } | undefined;

  async of<T>(work: () => Promise<T>): Promise<T> {
    this.#last = undefined;
    try {
      return await work();
    } catch (error) {
      this.#last = { value: error };
      throw error;
    }
  }

  behind(error: unknown): unknown {
    const { value } = this.#last ?? {};
    if (this.#last === undefined || value instanceof Error || !(error instanceof Error)) return error;
    return error.message === String(value) ? value : error;
  }
}

/** The text that LangChain's tool node makes of a result. */
function contentOf(value: unknown): string {
  const content = BaseMessage.isInstance(value) ? value.content : value;
  if (typeof content === "string") return content;
  try {
    return String(JSON.stringify(content));
  } catch {
    return "";
  }
}

function isRecordable(tool: CallableTool): tool is Recordable {
  if (!(tool instanceof StructuredTool)) return false;
  for (let level: unknown = tool; level !== null; level = Object.getPrototypeOf(level)) {
    if (known.has(level)) return true;
    // An override of the pipeline may use private members that an inheriting object has not, or not call `_call`.
    if (Object.hasOwn(level as object, "invoke") || Object.hasOwn(level as object, "call")) return false;
  }
  return false;
}

function isAsyncGenerator(value: unknown): value is AsyncGenerator<unknown, unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value && "next" in value;
}

async function* keepLast(
  generator: AsyncGenerator<unknown, unknown>,
  keep: (last: unknown) => void,
): AsyncGenerator<unknown, unknown> {
  const last = yield* generator;
  keep(last);
  return last;
}
