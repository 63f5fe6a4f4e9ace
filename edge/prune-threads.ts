/** `/threads/prune`: threads that go altogether, or that keep what they are and forget how they came to be it. */

import { collectSnapshots } from "../src/langchain/sessions/snapshot-retention.js";
import { toInterpreterState } from "../src/langchain/state/interpreter-state.js";
import type { AgentThread } from "./agent-thread.js";
import { durableObjectStore } from "./durable-object-store.js";
import { parseObject } from "./request-body.js";
import { toThreadId } from "./request-target.js";
import { check, threadPrune } from "./routes/requests.js";
import { type AgentNamespace, objectOf, type ThreadDirectory } from "./thread-directory.js";
import { jsonResponse } from "./wire-json.js";

/** Nothing happens unless the client may reach all of the threads. Threads that are not there do not count. */
export async function pruneThreads(
  namespace: AgentNamespace,
  directory: ThreadDirectory,
  body: string | undefined,
  permit: (threadId: string) => Promise<Response | undefined>,
): Promise<Response> {
  const { thread_ids, strategy } = check(parseObject(body), threadPrune);
  const threadIds = new Set(thread_ids.map(toThreadId));
  for (const threadId of threadIds) {
    const refusal = await permit(threadId);
    if (refusal) return refusal;
  }
  let pruned = 0;
  for (const threadId of threadIds) {
    const thread = objectOf(namespace, threadId);
    if (strategy === "keep_latest") {
      if (await thread.pruneThread()) pruned += 1;
      continue;
    }
    const response = await thread.fetch(`https://agent/threads/${threadId}`, { method: "DELETE" });
    await response.body?.cancel();
    if (!response.ok) continue;
    await directory.remove(threadId);
    pruned += 1;
  }
  return jsonResponse({ pruned_count: pruned });
}

/** The object's side: whether it was done. A run may go back to a checkpoint that would go, so it is not disturbed. */
export async function pruneThread({ store, runs, checkpointer, storage }: AgentThread): Promise<boolean> {
  const threadId = store.get()?.threadId;
  if (threadId === undefined || runs.unfinished().length > 0) return false;
  await checkpointer.prune(threadId, 1);
  const latest = await checkpointer.getTuple({ configurable: { thread_id: threadId } });
  const current = toInterpreterState(latest?.checkpoint.channel_values["_interpreter"]);
  if (current) {
    const scope = { store: durableObjectStore(storage), thread: threadId, checkpointer, current };
    await collectSnapshots(scope, { keep: 1, minAgeMs: 0 });
  }
  return true;
}
