/** A local endpoint that speaks the stream of Anthropic's Messages API. */
import { once } from "node:events";
import { createServer } from "node:http";

export interface ReceivedMessage {
  readonly key: string | undefined;
  readonly path: string | undefined;
  readonly body: {
    readonly model: string;
    readonly stream?: boolean;
    readonly messages: readonly { role: string; content: string | readonly { type: string }[] }[];
    readonly tools?: readonly { name: string }[];
  };
}

export interface AnthropicMessages {
  readonly url: string;
  readonly received: readonly ReceivedMessage[];
  close(): Promise<void>;
}

/** Answers a tool's result with text, everything else with a word and a call of `eval`. */
export async function serveAnthropicMessages(code: string, text: string): Promise<AnthropicMessages> {
  const received: ReceivedMessage[] = [];
  const server = createServer(async (request, response) => {
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "*");
    if (request.method === "OPTIONS") {
      response.end();
      return;
    }
    let json = "";
    for await (const chunk of request) json += chunk;
    const body = JSON.parse(json) as ReceivedMessage["body"];
    received.push({ key: String(request.headers["x-api-key"]), path: request.url, body });
    const last = body.messages.at(-1)?.content;
    const isAnswered = Array.isArray(last) && last.some(({ type }) => type === "tool_result");
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of isAnswered ? answerEvents(body.model, text) : callEvents(body.model, code))
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

type Event = { readonly type: string; readonly [field: string]: unknown };

function* answerEvents(model: string, text: string): Generator<Event> {
  yield start(model);
  yield* textBlock(0, text);
  yield* stop("end_turn");
}

function* callEvents(model: string, code: string): Generator<Event> {
  yield start(model);
  yield* textBlock(0, "I will count them.");
  const block = { type: "tool_use", id: "toolu_1", name: "eval", input: {} };
  yield { type: "content_block_start", index: 1, content_block: block };
  for (const partial_json of JSON.stringify({ code }).match(/.{1,9}/gs) ?? [])
    yield { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json } };
  yield { type: "content_block_stop", index: 1 };
  yield* stop("tool_use");
}

function start(model: string): Event {
  const usage = { input_tokens: 10, output_tokens: 1 };
  const message = { id: "msg_1", type: "message", role: "assistant", model, content: [], usage };
  return { type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null } };
}

function* textBlock(index: number, text: string): Generator<Event> {
  yield { type: "content_block_start", index, content_block: { type: "text", text: "" } };
  for (const word of text.split(/(?<= )/))
    yield { type: "content_block_delta", index, delta: { type: "text_delta", text: word } };
  yield { type: "content_block_stop", index };
}

function* stop(reason: string): Generator<Event> {
  const delta = { stop_reason: reason, stop_sequence: null };
  yield { type: "message_delta", delta, usage: { output_tokens: 20 } };
  yield { type: "message_stop" };
}
