/** A local endpoint that speaks OpenAI's streaming chat completions. */
import { once } from "node:events";
import { createServer } from "node:http";

export interface ReceivedRequest {
  readonly authorization: string | undefined;
  readonly body: {
    readonly model: string;
    readonly stream?: boolean;
    readonly messages: readonly { role: string; content?: unknown }[];
    readonly tools?: readonly unknown[];
  };
}

export interface ChatCompletions {
  readonly url: string;
  readonly received: readonly ReceivedRequest[];
  close(): Promise<void>;
}

/** Answers a request whose last message is a tool's result with text, every other with a call of `eval`. */
export async function serveChatCompletions(code: string, text: string): Promise<ChatCompletions> {
  const received: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "*");
    if (request.method === "OPTIONS") {
      response.end();
      return;
    }
    let body = "";
    for await (const chunk of request) body += chunk;
    const parsed = JSON.parse(body) as ReceivedRequest["body"];
    received.push({ authorization: request.headers.authorization, body: parsed });
    const isAnswered = parsed.messages.at(-1)?.role === "tool";
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const delta of isAnswered ? textDeltas(text) : callDeltas(code)) {
      const chunk = {
        id: "chat-1",
        object: "chat.completion.chunk",
        model: parsed.model,
        choices: [{ index: 0, delta, finish_reason: null }],
      };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    }
    const end = {
      id: "chat-1",
      object: "chat.completion.chunk",
      model: parsed.model,
      choices: [{ index: 0, delta: {}, finish_reason: isAnswered ? "stop" : "tool_calls" }],
    };
    response.end(`data: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    received,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function textDeltas(text: string): object[] {
  return [{ role: "assistant", content: "" }, ...text.split(/(?<= )/).map((content) => ({ content }))];
}

function callDeltas(code: string): object[] {
  const args = JSON.stringify({ code });
  const first = { index: 0, id: "call_remote", type: "function", function: { name: "eval", arguments: "" } };
  const pieces = args.match(/.{1,9}/gs) ?? [];
  return [
    { role: "assistant", content: null, tool_calls: [first] },
    ...pieces.map((piece) => ({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
  ];
}
