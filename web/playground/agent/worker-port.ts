/** The Worker that serves this page as a `GraphPort`, through the LangGraph SDK. */
import { Client } from "@langchain/langgraph-sdk/client";
import { toBase64 } from "../../../src/values/base64.js";
import { LEFT } from "../leaving.js";
import type { GraphPort, GraphState } from "./graph-port.js";

const HISTORY = 200;
const MODES = ["messages-tuple" as const, "custom" as const, "values" as const];

interface WireState {
  readonly values?: unknown;
  readonly next?: readonly string[];
  readonly tasks?: readonly { readonly interrupts?: readonly { id?: string; value?: unknown }[] }[];
  readonly created_at?: string | null;
  readonly checkpoint?: { readonly checkpoint_id?: string | null } | null;
}

export function createWorkerPort(apiUrl: string = location.origin): GraphPort {
  const client = new Client({ apiUrl, apiKey: null });
  const ensure = (threadId: string) => client.threads.create({ threadId, ifExists: "do_nothing" });
  const snapshotUrl = (threadId: string, key: string) =>
    `${apiUrl}/threads/${threadId}/snapshots/${encodeURIComponent(key)}`;
  return {
    async state(threadId) {
      await ensure(threadId);
      return toGraphState((await client.threads.getState(threadId)) as WireState);
    },
    async history(threadId) {
      await ensure(threadId);
      const states = await client.threads.getHistory(threadId, { limit: HISTORY });
      return states.map((state) => toGraphState(state as WireState));
    },
    async update(threadId, values, asNode) {
      await ensure(threadId);
      await client.threads.updateState(threadId, { values, asNode });
    },
    async *stream(threadId, input, { signal, interruptBefore }) {
      let runId: string | undefined;
      let cancelled: Promise<void> | undefined;
      // Leaving the page does not end a run; stopping it does.
      const cancel = () => {
        if (runId && signal.reason !== LEFT)
          cancelled ??= client.runs.cancel(threadId, runId, true).catch(() => {});
      };
      signal.addEventListener("abort", cancel, { once: true });
      try {
        if (input.kind === "rejoin") {
          const runs = await client.runs.list(threadId);
          runId = runs.find(({ status }) => status === "pending" || status === "running")?.run_id;
          if (runId === undefined) return;
        }
        const options = {
          input: input.kind === "messages" ? { messages: input.messages } : null,
          ...(input.kind === "resume" ? { command: { resume: input.value } } : {}),
          streamMode: MODES,
          ifNotExists: "create" as const,
          onDisconnect: "continue" as const,
          onRunCreated: (run: { run_id: string }) => {
            runId = run.run_id;
            if (signal.aborted) cancel();
          },
          ...(interruptBefore ? { interruptBefore: [...interruptBefore] } : {}),
        };
        const stream =
          runId === undefined
            ? client.runs.stream(threadId, "agent", options)
            : client.runs.joinStream(threadId, runId, { streamMode: MODES, cancelOnDisconnect: false });
        for await (const { event, data } of stream as AsyncIterable<{ event: string; data: unknown }>) {
          if (event === "error") throw new Error((data as { message?: string }).message ?? "The run failed.");
          yield [event, data] as const;
        }
      } finally {
        signal.removeEventListener("abort", cancel);
        await cancelled;
      }
      signal.throwIfAborted();
    },
    async readSnapshot(threadId, key) {
      const response = await fetch(snapshotUrl(threadId, key));
      if (response.status === 404) return undefined;
      if (!response.ok) throw new Error(`The Worker answered ${response.status} for a snapshot.`);
      return new Uint8Array(await response.arrayBuffer());
    },
    async writeSnapshot(threadId, key, bytes) {
      const response = await fetch(snapshotUrl(threadId, key), {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ base64: toBase64(bytes) }),
      });
      if (!response.ok) throw new Error(`The Worker did not take the snapshot: ${await response.text()}`);
    },
  };
}

function toGraphState(state: WireState): GraphState {
  return {
    values: (state.values ?? {}) as Record<string, unknown>,
    next: state.next ?? [],
    interrupts: (state.tasks ?? []).flatMap((task) => task.interrupts ?? []),
    createdAt: state.created_at ?? undefined,
    checkpointId: state.checkpoint?.checkpoint_id ?? undefined,
  };
}
