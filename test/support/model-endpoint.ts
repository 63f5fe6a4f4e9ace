/**
 * A server on loopback that speaks the APIs of model providers, streamed and whole, as the real clients expect them:
 * those of a Worker and, since it lets every origin in, those of a page.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropicMessages } from "./model-wire/anthropic-messages.js";
import { chatCompletions } from "./model-wire/chat-completions.js";
import type { ModelAnswer, WireMessage } from "./model-wire/model-wire.js";

export type { ModelAnswer };

export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Record<string, unknown>;
}

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
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "*");
    if (request.method === "OPTIONS") {
      response.end();
      return;
    }
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const body = JSON.parse(text) as Record<string, unknown>;
    const path = request.url ?? "";
    seen.push({ path, headers: request.headers, body });
    const wire = path.endsWith("/chat/completions") ? chatCompletions : anthropicMessages;
    const next = answer(...wire.last(body["messages"] as WireMessage[]));
    if ("status" in next) {
      response.writeHead(next.status, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: "refused by the endpoint", type: "invalid" } }));
    } else if (body["stream"] === true) stream(response, wire.events(next));
    else {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(wire.whole(next)));
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
