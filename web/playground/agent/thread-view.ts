/** A thread as the page shows it, made from LangChain's objects (this tab) or from their JSON (the Worker). */

export interface ToolCallView {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface MessageView {
  readonly id: string;
  readonly kind: "human" | "ai" | "tool";
  readonly text: string;
  readonly calls: readonly ToolCallView[];
  /** Of a tool message: the call it answers, and whether that failed. */
  readonly answers?: string;
  readonly failed?: boolean;
}

export interface ThreadView {
  readonly messages: readonly MessageView[];
}

interface AnyMessage {
  readonly id?: string;
  readonly type: string;
  readonly content: unknown;
  readonly tool_calls?: readonly { id?: string; name: string; args: Record<string, unknown> }[];
  readonly tool_call_id?: string;
  readonly status?: string;
}

export function toThreadView(values: unknown): ThreadView {
  const messages = (values as { messages?: unknown } | null | undefined)?.messages;
  if (!Array.isArray(messages)) return { messages: [] };
  return { messages: messages.flatMap((message) => toMessageView(message as AnyMessage)) };
}

function toMessageView(message: AnyMessage): MessageView[] {
  const { id = "", type } = message;
  const text = textOf(message.content);
  if (type === "human") return [{ id, kind: "human", text, calls: [] }];
  if (type === "tool") {
    const answers = message.tool_call_id ?? "";
    return [{ id, kind: "tool", text, calls: [], answers, failed: message.status === "error" }];
  }
  if (type !== "ai" && type !== "AIMessageChunk") return [];
  const calls = (message.tool_calls ?? []).map((call) => ({
    id: call.id ?? "",
    name: call.name,
    args: call.args,
  }));
  return [{ id, kind: "ai", text, calls }];
}

export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return (content as { type?: string; text?: unknown }[])
    .map((block) => (block.type === "text" && typeof block.text === "string" ? block.text : ""))
    .join("");
}
