/** https://docs.claude.com/en/docs/build-with-claude/streaming */
import { type ModelWire, nextId, shortPieces, textOf } from "./model-wire.js";

export const anthropicMessages: ModelWire = {
  last(messages) {
    const content = messages.at(-1)?.content;
    const result = Array.isArray(content) ? content.find((block) => block.type === "tool_result") : undefined;
    return [textOf(result ? result.content : content), result !== undefined];
  },
  events({ pieces, code }) {
    const blocks: object[][] = [];
    if (pieces) blocks.push(textEvents(blocks.length, pieces));
    if (code !== undefined) blocks.push(callEvents(blocks.length, code));
    const delta = { stop_reason: stopReason(code), stop_sequence: null };
    return [
      { type: "message_start", message: message([], null) },
      ...blocks.flat(),
      { type: "message_delta", delta, usage: { output_tokens: 9 } },
      { type: "message_stop" },
    ].map((event) => `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`);
  },
  whole({ pieces, code }) {
    const content: object[] = [];
    if (pieces) content.push({ type: "text", text: pieces.join("") });
    if (code !== undefined)
      content.push({ type: "tool_use", id: nextId("toolu"), name: "eval", input: { code } });
    return message(content, stopReason(code));
  },
};

function message(content: readonly object[], stop_reason: string | null) {
  return {
    id: nextId("msg"),
    type: "message",
    role: "assistant",
    model: "test-model",
    content,
    stop_reason,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
}

function textEvents(index: number, pieces: readonly string[]): object[] {
  return blockEvents(
    index,
    { type: "text", text: "" },
    pieces.map((text) => ({ type: "text_delta", text })),
  );
}

function callEvents(index: number, code: string): object[] {
  return blockEvents(
    index,
    { type: "tool_use", id: nextId("toolu"), name: "eval", input: {} },
    shortPieces(JSON.stringify({ code })).map((partial_json) => ({ type: "input_json_delta", partial_json })),
  );
}

function blockEvents(index: number, content_block: object, deltas: readonly object[]): object[] {
  return [
    { type: "content_block_start", index, content_block },
    { type: "ping" },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

const stopReason = (code: string | undefined) => (code === undefined ? "end_turn" : "tool_use");
