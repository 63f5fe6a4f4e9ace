/** A server on loopback that speaks the APIs of model providers, streamed and whole, as the real clients expect them. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Record<string, unknown>;
}

/** What the model says next: text in pieces, or a call of `eval`. */
export type ModelAnswer = { readonly pieces: readonly string[] } | { readonly code: string };

export interface ModelEndpoint {
  readonly url: string;
  readonly seen: SeenRequest[];
  close(): void;
}

/** @param answer is given the text of the last message, and whether it is a tool's. A status refuses the request. */
export async function startModelEndpoint(
  answer: (last: string, isResult: boolean) => ModelAnswer | { readonly status: number },
): Promise<ModelEndpoint> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const body = JSON.parse(text) as Record<string, unknown>;
    const path = request.url ?? "";
    seen.push({ path, headers: request.headers, body });
    const messages = body["messages"] as WireMessage[];
    const provider = path.endsWith("/chat/completions") ? openAi : anthropic;
    const next = answer(...provider.last(messages));
    if ("status" in next) {
      response.writeHead(next.status, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: "refused by the endpoint", type: "invalid" } }));
    } else if (body["stream"] === true) stream(response, provider.events(next));
    else {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(provider.whole(next)));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url, seen, close };
}

function stream(response: ServerResponse, events: readonly string[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) response.write(event);
  response.end();
}

type Block = { type: string; text?: string; content?: string | Block[] };
type WireMessage = { role: string; content: string | Block[] | null };

interface Provider {
  last(messages: readonly WireMessage[]): [text: string, isResult: boolean];
  events(answer: ModelAnswer): string[];
  whole(answer: ModelAnswer): unknown;
}

const textOf = (content: WireMessage["content"] | undefined): string =>
  typeof content === "string" ? content : (content ?? []).map((block) => block.text ?? "").join("");

const halves = (text: string) => [text.slice(0, text.length >> 1), text.slice(text.length >> 1)];

/** Ids are unique at a provider, and LangGraph replaces a message by another one with its id. */
let ids = 0;
const nextId = (kind: string) => `${kind}_${++ids}`;

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

/** https://platform.openai.com/docs/api-reference/chat-streaming */
const openAi: Provider = {
  last(messages) {
    const message = messages.at(-1);
    return [textOf(message?.content), message?.role === "tool"];
  },
  events(answer) {
    const id = nextId("chatcmpl");
    const chunk = (delta: object, finish: string | null = null) => ({
      id,
      object: "chat.completion.chunk",
      created: 1,
      model: "test-model",
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    });
    const call = (fields: object) => ({ tool_calls: [{ index: 0, ...fields }] });
    const deltas =
      "code" in answer
        ? [
            call({ id: nextId("call"), type: "function", function: { name: "eval", arguments: "" } }),
            ...halves(JSON.stringify({ code: answer.code })).map((half) =>
              call({ function: { arguments: half } }),
            ),
          ]
        : answer.pieces.map((content) => ({ content }));
    const chunks = [
      chunk({ role: "assistant", content: "" }),
      ...deltas.map((delta) => chunk(delta)),
      chunk({}, "code" in answer ? "tool_calls" : "stop"),
    ];
    return [...chunks.map((data) => `data: ${JSON.stringify(data)}\n\n`), "data: [DONE]\n\n"];
  },
  whole(answer) {
    const call = (code: string) => ({
      id: nextId("call"),
      type: "function",
      function: { name: "eval", arguments: JSON.stringify({ code }) },
    });
    const message =
      "code" in answer
        ? { role: "assistant", content: null, tool_calls: [call(answer.code)] }
        : { role: "assistant", content: answer.pieces.join("") };
    const finish_reason = "code" in answer ? "tool_calls" : "stop";
    return {
      id: nextId("chatcmpl"),
      object: "chat.completion",
      created: 1,
      model: "test-model",
      choices: [{ index: 0, message, logprobs: null, finish_reason }],
      usage,
    };
  },
};

/** https://docs.claude.com/en/docs/build-with-claude/streaming */
const anthropic: Provider = {
  last(messages) {
    const content = messages.at(-1)?.content;
    const result = Array.isArray(content) ? content.find((block) => block.type === "tool_result") : undefined;
    return [textOf(result ? result.content : content), result !== undefined];
  },
  events(answer) {
    const message = {
      id: nextId("msg"),
      type: "message",
      role: "assistant",
      model: "test-model",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    const isCall = "code" in answer;
    const content_block = isCall
      ? { type: "tool_use", id: nextId("toolu"), name: "eval", input: {} }
      : { type: "text", text: "" };
    const deltas = isCall
      ? halves(JSON.stringify({ code: answer.code })).map((partial_json) => ({
          type: "input_json_delta",
          partial_json,
        }))
      : answer.pieces.map((text) => ({ type: "text_delta", text }));
    const stop_reason = isCall ? "tool_use" : "end_turn";
    return [
      { type: "message_start", message },
      { type: "content_block_start", index: 0, content_block },
      { type: "ping" },
      ...deltas.map((delta) => ({ type: "content_block_delta", index: 0, delta })),
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 9 } },
      { type: "message_stop" },
    ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  },
  whole(answer) {
    const isCall = "code" in answer;
    return {
      id: nextId("msg"),
      type: "message",
      role: "assistant",
      model: "test-model",
      content: isCall
        ? [{ type: "tool_use", id: nextId("toolu"), name: "eval", input: { code: answer.code } }]
        : [{ type: "text", text: answer.pieces.join("") }],
      stop_reason: isCall ? "tool_use" : "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    };
  },
};
