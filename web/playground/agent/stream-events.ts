/** LangGraph's stream modes as the page's events; this tab and the Worker send the same payloads. */
import type { InterpreterEvent } from "../../../src/langchain/progress.js";
import type { RunEvent } from "./place.js";
import { textOf, toThreadView } from "./thread-view.js";

interface AnyChunk {
  readonly id?: string;
  readonly type: string;
  readonly content: unknown;
  readonly tool_call_chunks?: readonly { index?: number; id?: string; name?: string; args?: string }[];
}

export function* toRunEvents(mode: string, payload: unknown): Generator<RunEvent> {
  if (mode === "values") yield { type: "thread", thread: toThreadView(payload) };
  if (mode === "custom" && isProgress(payload)) yield { type: "progress", event: payload };
  if (mode !== "messages" || !Array.isArray(payload)) return;
  const [message, metadata] = payload as [AnyChunk, { langgraph_checkpoint_ns?: string } | undefined];
  // What subagents write is theirs; the page shows their calls, not their words.
  if (metadata?.langgraph_checkpoint_ns?.includes("|")) return;
  if (message.type !== "ai" && message.type !== "AIMessageChunk") return;
  const calls = (message.tool_call_chunks ?? []).map((call, position) => ({
    index: call.index ?? position,
    id: call.id,
    name: call.name,
    args: call.args ?? "",
  }));
  yield { type: "chunk", chunk: { id: message.id ?? "", text: textOf(message.content), calls } };
}

function isProgress(value: unknown): value is InterpreterEvent {
  const type = (value as { type?: unknown } | null)?.type;
  return type === "interpreter_call" || type === "interpreter_console";
}
