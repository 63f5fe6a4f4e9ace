import { SELF } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Client } from "@langchain/langgraph-sdk";

export const testFetch: typeof fetch = (input, init) =>
  SELF.fetch(input as RequestInfo, init as RequestInit) as unknown as Promise<Response>;

/** The SDK's own client, unmodified; only its `fetch` is the test worker instead of the network. */
export function createClient(fetch = testFetch): Client {
  return new Client({ apiUrl: "http://localhost", apiKey: null, callerOptions: { fetch, maxRetries: 0 } });
}

export function agentOf(threadId: string) {
  return env.AGENTS.get(env.AGENTS.idFromName(threadId));
}

/** Until the tool with that label has begun. */
export async function begun(threadId: string, runId: string, label: string): Promise<void> {
  const stream = createClient().runs.joinStream(threadId, runId);
  for await (const _ of stream) if ((await agentOf(threadId).counts())[label]) return;
}

export const say = (content: string) => ({ messages: [{ role: "user", content }] });

/** What has the agent's scripted model call `eval`. */
export const sayEval = (code: string) => say(`call eval ${JSON.stringify({ code })}`);

/** A turn that runs the code; the conversation after it. */
export async function runEval(threadId: string, code: string): Promise<string[]> {
  return messagesOf(await createClient().runs.wait(threadId, "agent", { input: sayEval(code) }));
}

/** Everything a stream yields. */
export async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const parts: T[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

export async function nextPart<T>(stream: AsyncGenerator<T>): Promise<T> {
  const { done, value } = await stream.next();
  if (done) throw new Error("The stream is over.");
  return value;
}

export const messagesOf = (values: unknown): string[] =>
  ((values as { messages?: { content: string }[] }).messages ?? []).map((message) => message.content);
