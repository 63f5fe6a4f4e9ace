/**
 * An eval that was paused and never gone on with has no result, and model providers refuse a conversation with a tool
 * call that has none. The model is told that it was cancelled; the conversation itself stays as it is.
 */
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";

const text =
  "Cancelled before it ended: another message came first. Variables are as they were then; calls that had not begun did not happen.";

/** The messages with an answer behind every call of that tool; the very same list when none is missing. */
export function answerCancelled(messages: readonly BaseMessage[], toolName: string): readonly BaseMessage[] {
  const answered = new Set(
    messages.filter((message) => ToolMessage.isInstance(message)).map(({ tool_call_id: id }) => id),
  );
  const missing = (message: BaseMessage) =>
    AIMessage.isInstance(message)
      ? (message.tool_calls ?? []).filter(({ name, id }) => name === toolName && id && !answered.has(id))
      : [];
  if (!messages.some((message) => missing(message).length > 0)) return messages;
  return messages.flatMap((message) => [
    message,
    ...missing(message).map(
      ({ id }) =>
        new ToolMessage({ content: text, tool_call_id: String(id), name: toolName, status: "error" }),
    ),
  ]);
}
