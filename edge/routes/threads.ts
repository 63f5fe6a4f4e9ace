import { Command } from "@langchain/langgraph";
import type { AgentThread } from "../agent-thread.js";
import { HttpError } from "../http-error.js";
import { toConfigurable } from "../run-request.js";
import { selectFields } from "../search-threads.js";
import { interruptsByTask, toThreadState, toWireCheckpoint } from "../thread-state.js";
import type { ThreadRow } from "../thread-store.js";
import { jsonResponse, listResponse } from "../wire-json.js";
import {
  check,
  historyQuery,
  isTrue,
  readJson,
  stateQuery,
  stateUpdate,
  threadCreate,
  threadPatch,
} from "./requests.js";
import type { Route } from "./router.js";

/** `/threads/...`, for the one thread of an object. `thread` gives the current parts; `wipe` ends them. */
export function threadRoutes(thread: () => AgentThread, wipe: () => Promise<void>): Route[] {
  const stateAt = async (
    threadId: string,
    checkpoint: object | null | undefined,
    { subgraphs, select }: { subgraphs: boolean; select?: readonly string[] | null | undefined },
  ) => {
    thread().require(threadId);
    const graph = await thread().graph();
    const configurable = toConfigurable(threadId, checkpoint);
    const state = toThreadState(await graph.getState({ configurable }, { subgraphs }));
    return jsonResponse(selectFields(state, select));
  };
  const wanted = (query: URLSearchParams) => ({
    subgraphs: isTrue(query.get("subgraphs")),
    select: query.has("select") ? query.getAll("select") : undefined,
  });
  const expire = (ttl: { ttl: number } | null | undefined) => {
    if (ttl) thread().expireAt(Date.now() + ttl.ttl * 60_000);
  };
  const history = async (threadId: string, body: unknown) => {
    thread().require(threadId);
    const { limit, before, metadata, checkpoint, select } = body as {
      limit: number;
      before?: string | null;
      metadata?: object | null;
      checkpoint?: object | null;
      select?: readonly string[] | null;
    };
    const graph = await thread().graph();
    const options = {
      limit,
      ...(before ? { before: { configurable: { thread_id: threadId, checkpoint_id: before } } } : {}),
      ...(metadata ? { filter: metadata } : {}),
    };
    const configurable = toConfigurable(threadId, { checkpoint_ns: "" }, checkpoint);
    const states = graph.getStateHistory({ configurable }, options);
    return listResponse(states, (state) => selectFields(toThreadState(state), select));
  };
  return [
    {
      method: "POST",
      path: "/threads",
      handle: async ({ request }) => {
        const body = await readJson(request, threadCreate);
        const existing = thread().store.get();
        if (existing && body.if_exists !== "do_nothing")
          throw new HttpError(409, `Thread ${existing.threadId} already exists.`);
        const row = existing ?? thread().store.create(body.thread_id!, body.metadata ?? {});
        if (!existing && body.supersteps?.length)
          await applySupersteps(thread(), row.threadId, body.supersteps);
        if (!existing) expire(body.ttl);
        return jsonResponse(await toWireThread(thread(), row));
      },
    },
    {
      method: "GET",
      path: "/threads/:thread_id",
      handle: async ({ params }) =>
        jsonResponse(await toWireThread(thread(), thread().require(params["thread_id"]!))),
    },
    {
      method: "PATCH",
      path: "/threads/:thread_id",
      handle: async ({ params, request }) => {
        const { metadata, ttl } = await readJson(request, threadPatch);
        thread().require(params["thread_id"]!);
        const row = thread().store.mergeMetadata(metadata ?? {});
        expire(ttl);
        if (request.headers.get("prefer") === "return=minimal") return new Response(null, { status: 204 });
        return jsonResponse(await toWireThread(thread(), row));
      },
    },
    {
      method: "DELETE",
      path: "/threads/:thread_id",
      handle: async ({ params }) => {
        thread().require(params["thread_id"]!);
        await wipe();
        return new Response(null, { status: 204 });
      },
    },
    {
      method: "GET",
      path: "/threads/:thread_id/state",
      handle: ({ params, query }) => stateAt(params["thread_id"]!, undefined, wanted(query)),
    },
    {
      method: "POST",
      path: "/threads/:thread_id/state/checkpoint",
      handle: async ({ params, request }) => {
        const { checkpoint, subgraphs, select } = await readJson(request, stateQuery);
        return stateAt(params["thread_id"]!, checkpoint, { subgraphs: subgraphs ?? false, select });
      },
    },
    {
      method: "GET",
      path: "/threads/:thread_id/state/:checkpoint_id",
      handle: ({ params, query }) =>
        stateAt(params["thread_id"]!, { checkpoint_id: params["checkpoint_id"] }, wanted(query)),
    },
    {
      method: "POST",
      path: "/threads/:thread_id/state",
      handle: async ({ params, request }) => {
        const body = await readJson(request, stateUpdate);
        const threadId = params["thread_id"]!;
        thread().require(threadId);
        const graph = await thread().graph();
        if (thread().runs.unfinished().length > 0)
          throw new HttpError(409, "The thread is busy: its state cannot be changed until the run is over.");
        const at = { checkpoint_id: body.checkpoint_id };
        const configurable = toConfigurable(threadId, body.checkpoint, at);
        const updated = await graph.updateState(
          { configurable },
          body.values ?? null,
          body.as_node ?? undefined,
        );
        await thread().loop.refreshStatus();
        const checkpoint = toWireCheckpoint(updated);
        return jsonResponse({
          checkpoint,
          configurable: checkpoint,
          checkpoint_id: checkpoint?.checkpoint_id,
        });
      },
    },
    {
      method: "POST",
      path: "/threads/:thread_id/history",
      handle: async ({ params, request }) =>
        history(params["thread_id"]!, await readJson(request, historyQuery)),
    },
    {
      method: "GET",
      path: "/threads/:thread_id/history",
      handle: ({ params, query }) =>
        history(
          params["thread_id"]!,
          check({ limit: Number(query.get("limit") ?? 10), before: query.get("before") }, historyQuery),
        ),
    },
  ];
}

async function toWireThread(thread: AgentThread, row: ThreadRow): Promise<Record<string, unknown>> {
  // A thread that never ran has no state, and the agent need not be built to say so.
  const hasRun =
    (await thread.checkpointer.getTuple({ configurable: { thread_id: row.threadId } })) !== undefined;
  const state = hasRun
    ? await (await thread.graph()).getState({ configurable: { thread_id: row.threadId } })
    : undefined;
  return {
    thread_id: row.threadId,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    state_updated_at: state?.createdAt ?? row.updatedAt,
    metadata: row.metadata,
    status: row.status,
    error: row.error,
    config: {},
    values: state?.values ?? null,
    interrupts: state ? interruptsByTask(state) : {},
  };
}

interface Superstep {
  updates: {
    values?: unknown;
    command?: { update?: unknown; resume?: unknown } | null | undefined;
    as_node: string;
  }[];
}

async function applySupersteps(
  thread: AgentThread,
  threadId: string,
  supersteps: Superstep[],
): Promise<void> {
  const graph = await thread.graph();
  const steps = supersteps.map(({ updates }) => ({
    updates: updates.map(({ values, command, as_node }) => ({
      values: command ? new Command(command as ConstructorParameters<typeof Command>[0]) : values,
      asNode: as_node,
    })),
  }));
  await graph.bulkUpdateState({ configurable: { thread_id: threadId } }, steps);
}
