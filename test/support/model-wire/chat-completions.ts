/** https://platform.openai.com/docs/api-reference/chat-streaming */
import { type ModelWire, nextId, shortPieces, textOf } from "./model-wire.js";

export const chatCompletions: ModelWire = {
  last(messages) {
    const message = messages.at(-1);
    return [textOf(message?.content), message?.role === "tool"];
  },
  events({ pieces = [], code }) {
    const id = nextId("chatcmpl");
    const chunk = (delta: object, finish: string | null = null) => ({
      id,
      object: "chat.completion.chunk",
      created: 1,
      model: "test-model",
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    });
    const call = (fields: object) => ({ tool_calls: [{ index: 0, ...fields }] });
    const deltas: object[] = pieces.map((content) => ({ content }));
    if (code !== undefined) {
      deltas.push(
        call({ id: nextId("call"), type: "function", function: { name: "eval", arguments: "" } }),
        ...shortPieces(JSON.stringify({ code })).map((piece) => call({ function: { arguments: piece } })),
      );
    }
    const chunks = [
      chunk({ role: "assistant", content: "" }),
      ...deltas.map((delta) => chunk(delta)),
      chunk({}, finishReason(code)),
    ];
    return [...chunks.map((data) => `data: ${JSON.stringify(data)}\n\n`), "data: [DONE]\n\n"];
  },
  whole({ pieces, code }) {
    const call = {
      id: nextId("call"),
      type: "function",
      function: { name: "eval", arguments: JSON.stringify({ code }) },
    };
    const message = {
      role: "assistant",
      content: pieces?.join("") ?? null,
      ...(code === undefined ? {} : { tool_calls: [call] }),
    };
    return {
      id: nextId("chatcmpl"),
      object: "chat.completion",
      created: 1,
      model: "test-model",
      choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(code) }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    };
  },
};

const finishReason = (code: string | undefined) => (code === undefined ? "stop" : "tool_calls");
