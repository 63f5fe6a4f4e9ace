import { SELF } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Client } from "@langchain/langgraph-sdk";

/** The SDK's own client, unmodified; only its `fetch` is the test worker instead of the network. */
export function createClient(fetch = SELF.fetch.bind(SELF) as unknown as typeof globalThis.fetch): Client {
  return new Client({ apiUrl: "http://localhost", apiKey: null, callerOptions: { fetch, maxRetries: 0 } });
}

export function agentOf(threadId: string) {
  return env.AGENTS.get(env.AGENTS.idFromName(threadId));
}

export const say = (content: string) => ({ messages: [{ role: "user", content }] });

/** Everything a stream yields. */
export async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const parts: T[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}
