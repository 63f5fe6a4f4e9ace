import { env, SELF } from "cloudflare:test";
import { Client } from "@langchain/langgraph-sdk";
import type { TestEnv } from "./worker.js";

/** The SDK's own client, unmodified; only its `fetch` is the test worker instead of the network. */
export function createClient(fetch = SELF.fetch.bind(SELF) as unknown as typeof globalThis.fetch): Client {
  return new Client({ apiUrl: "http://localhost", apiKey: null, callerOptions: { fetch, maxRetries: 0 } });
}

export function agentOf(threadId: string) {
  const { AGENTS } = env as unknown as TestEnv;
  return AGENTS.get(AGENTS.idFromName(threadId));
}

export const say = (content: string) => ({ messages: [{ role: "user", content }] });

/** Everything a stream yields. */
export async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const parts: T[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}
