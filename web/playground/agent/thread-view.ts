/** A thread as the page shows it. */
import { CELL_PREFIX } from "../cell-prefix.js";
import type { GraphState, WireMessage } from "./graph-port.js";

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

export interface ApprovalView {
  /** Of the interrupt; a thread may wait for several at once. */
  readonly id: string;
  readonly requests: readonly ApprovalRequest[];
}

export interface ApprovalRequest {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly description: string;
  readonly allowed: readonly ("approve" | "edit" | "reject")[];
}

/** Which snapshot of which session the thread is at. */
export interface InterpreterView {
  readonly session: string;
  readonly version: number;
  readonly snapshot?: { readonly place: string; readonly key: string; readonly bytes: number };
}

export interface ThreadView {
  readonly messages: readonly MessageView[];
  readonly approvals: readonly ApprovalView[];
  readonly interpreter: InterpreterView | undefined;
  /** A run stopped in the middle, and nobody has to decide anything. */
  readonly isUnfinished: boolean;
}

export function toThreadView({
  values,
  interrupts,
  next = [],
}: Pick<GraphState, "values" | "interrupts"> & Partial<Pick<GraphState, "next">>): ThreadView {
  const messages = Array.isArray(values["messages"]) ? (values["messages"] as WireMessage[]) : [];
  const interpreter = values["_interpreter"] as InterpreterView | null | undefined;
  return {
    messages: messages.flatMap(toMessageView),
    approvals: interrupts.flatMap(toApprovalView),
    interpreter: interpreter ?? undefined,
    isUnfinished: next.length > 0 && interrupts.length === 0 && !endsWithCell(messages),
  };
}

/** The model is next and is not asked: a person's cell ends with its result. */
function endsWithCell(messages: readonly WireMessage[]): boolean {
  return messages.at(-1)?.tool_call_id?.startsWith(CELL_PREFIX) ?? false;
}

function toMessageView(message: WireMessage): MessageView[] {
  const { id = "", type } = message;
  const text = textOf(message.content);
  if (type === "human") return [{ id, kind: "human", text, calls: [] }];
  if (type === "tool") {
    const answers = message.tool_call_id ?? "";
    return [{ id, kind: "tool", text, calls: [], answers, failed: message.status === "error" }];
  }
  if (type !== "ai") return [];
  const calls = (message.tool_calls ?? []).map(({ id: callId = "", name, args }) => ({
    id: callId,
    name,
    args,
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

interface WireRequest {
  readonly actionRequests?: readonly { name: string; args?: Record<string, unknown>; description?: string }[];
  readonly reviewConfigs?: readonly { actionName: string; allowedDecisions?: ApprovalRequest["allowed"] }[];
}

function toApprovalView(interrupt: { id?: string; value?: unknown }): ApprovalView[] {
  const { actionRequests, reviewConfigs } = (interrupt.value ?? {}) as WireRequest;
  if (!Array.isArray(actionRequests)) return [];
  const requests = (actionRequests as NonNullable<WireRequest["actionRequests"]>).map((request, index) => ({
    name: request.name,
    args: request.args ?? {},
    description: request.description ?? "",
    allowed: reviewConfigs?.[index]?.allowedDecisions ?? (["approve", "edit", "reject"] as const),
  }));
  return [{ id: interrupt.id ?? "", requests }];
}

/** The calls of the last message of the model that nothing has answered. */
export function openCalls({ messages }: Pick<ThreadView, "messages">): readonly ToolCallView[] {
  const last = messages.findLastIndex(({ kind }) => kind === "ai");
  const answered = new Set(messages.slice(last + 1).map(({ answers }) => answers));
  return messages[last]?.calls.filter(({ id }) => !answered.has(id)) ?? [];
}
