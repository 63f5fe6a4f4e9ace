import type { AgentThread } from "../agent-thread.js";
import { HttpError } from "../http-error.js";
import type { CancelAction } from "../run-loop.js";
import type { StreamMode } from "../run-request.js";
import type { RunRow } from "../run-store.js";
import { selectFields } from "../search-threads.js";
import { submitRun } from "../submit-run.js";
import { jsonResponse } from "../wire-json.js";
import { cancelMany, check, isTrue, readJson, runCreate, streamMode } from "./requests.js";
import type { Route, RouteContext } from "./router.js";
import { outcomeResponse, streamResponse } from "./run-responses.js";

/** Set by the Worker entry, never by a client: the run brings its own thread. */
export const STATELESS_HEADER = "x-edge-stateless";

/** `/threads/{thread_id}/runs/...`, for the one thread of an object. */
export function runRoutes(thread: () => AgentThread): Route[] {
  const create = async ({ request, params }: RouteContext) => {
    const stateless = request.headers.get(STATELESS_HEADER) === "1";
    const payload = await readJson(request, runCreate);
    const run = submitRun(thread(), params["thread_id"]!, payload, { stateless });
    const path = `/threads/${params["thread_id"]}/runs/${run.runId}`;
    const headers = {
      // With these the SDK tells the application the run's id, and reconnects by itself when a connection drops.
      "content-location": stateless ? `/runs/${run.runId}` : path,
      location: `${path}/stream`,
    };
    return { run, payload, headers };
  };
  const find = (params: RouteContext["params"]): RunRow => {
    thread().require(params["thread_id"]!);
    const run = thread().runs.get(params["run_id"]!);
    if (!run) throw new HttpError(404, `Run ${params["run_id"]} not found.`);
    return run;
  };
  const wire = (run: RunRow) => toWireRun(run, thread().store.get()!.threadId);
  /** A client that leaves is noticed by its signal or by its unread body: whichever workerd reports, or both. */
  const disconnect = (wanted: boolean, runId: string, request: Request) => {
    if (!wanted) return undefined;
    const onDisconnect = () => {
      const run = thread().runs.get(runId);
      if (run) void thread().loop.cancel(run, "interrupt");
    };
    request.signal.addEventListener("abort", onDisconnect, { once: true });
    return onDisconnect;
  };

  return [
    {
      method: "POST",
      path: "/threads/:thread_id/runs",
      handle: async (context) => {
        const { run, headers } = await create(context);
        return jsonResponse(wire(run), { headers: { "content-location": headers["content-location"] } });
      },
    },
    {
      method: "POST",
      path: "/threads/:thread_id/runs/stream",
      handle: async (context) => {
        const { run, payload, headers } = await create(context);
        const onDisconnect = disconnect(payload.on_disconnect === "cancel", run.runId, context.request);
        return streamResponse(thread(), run.runId, { after: 0, onDisconnect }, headers);
      },
    },
    {
      method: "POST",
      path: "/threads/:thread_id/runs/wait",
      handle: async (context) => {
        const { run, payload, headers } = await create(context);
        const onDisconnect = disconnect(payload.on_disconnect === "cancel", run.runId, context.request);
        return outcomeResponse(thread(), run.runId, onDisconnect, {
          "content-location": headers["content-location"],
        });
      },
    },
    {
      method: "GET",
      path: "/threads/:thread_id/runs",
      handle: ({ params, query }) => {
        thread().require(params["thread_id"]!);
        const limit = Math.min(Number(query.get("limit") ?? 10) || 10, 1000);
        const offset = Number(query.get("offset") ?? 0) || 0;
        const runs = thread().runs.list({ limit, offset, status: query.get("status") ?? undefined });
        const select = query.has("select") ? query.getAll("select") : undefined;
        return jsonResponse(runs.map((run) => selectFields(wire(run), select)));
      },
    },
    {
      method: "GET",
      path: "/threads/:thread_id/runs/:run_id",
      handle: ({ params }) => jsonResponse(wire(find(params))),
    },
    {
      method: "DELETE",
      path: "/threads/:thread_id/runs/:run_id",
      handle: ({ params }) => {
        const run = find(params);
        if (run.status === "pending" || run.status === "running")
          throw new HttpError(409, "The run is not over: cancel it first.");
        thread().runs.delete(run.runId);
        thread().log.delete(run.runId);
        return new Response(null, { status: 204 });
      },
    },
    {
      method: "POST",
      path: "/threads/:thread_id/runs/:run_id/cancel",
      handle: async ({ params, query }) => {
        const run = find(params);
        await thread().loop.cancel(run, toCancelAction(query.get("action")));
        if (!isTrue(query.get("wait"))) return new Response(null, { status: 202 });
        await thread().loop.whenFinished(run.runId);
        return new Response(null, { status: 204 });
      },
    },
    {
      method: "POST",
      path: "/runs/cancel",
      handle: async ({ request, query }) => {
        const body = await readJson(request, cancelMany);
        thread().require(body.thread_id);
        const action = toCancelAction(query.get("action"));
        const ids =
          body.run_ids ??
          thread()
            .runs.unfinished()
            .map((run) => run.runId);
        for (const runId of ids) {
          const run = find({ thread_id: body.thread_id, run_id: runId });
          if (!body.status || body.status === "all" || body.status === run.status)
            await thread().loop.cancel(run, action);
        }
        return new Response(null, { status: 204 });
      },
    },
    {
      method: "GET",
      path: "/threads/:thread_id/runs/:run_id/join",
      handle: ({ params, query, request }) => {
        const run = find(params);
        const wanted = isTrue(query.get("cancel_on_disconnect"));
        return outcomeResponse(thread(), run.runId, disconnect(wanted, run.runId, request), {});
      },
    },
    {
      method: "GET",
      path: "/threads/:thread_id/runs/:run_id/stream",
      handle: ({ params, query, request }) => {
        const run = find(params);
        const wanted = isTrue(query.get("cancel_on_disconnect"));
        const modes = query.getAll("stream_mode");
        return streamResponse(
          thread(),
          run.runId,
          {
            after: toSeq(request.headers.get("last-event-id")),
            modes: modes.length > 0 ? modes.map((mode): StreamMode => check(mode, streamMode)) : undefined,
            onDisconnect: disconnect(wanted, run.runId, request),
          },
          { location: `/threads/${params["thread_id"]}/runs/${run.runId}/stream` },
        );
      },
    },
  ];
}

function toWireRun(run: RunRow, threadId: string): Record<string, unknown> {
  return {
    run_id: run.runId,
    thread_id: threadId,
    assistant_id: run.assistantId,
    created_at: run.createdAt,
    updated_at: run.updatedAt,
    status: run.status,
    metadata: run.metadata,
    multitask_strategy: run.multitaskStrategy,
  };
}

function toCancelAction(action: string | null): CancelAction {
  if (action === null || action === "interrupt") return "interrupt";
  if (action === "rollback") return "rollback";
  throw new HttpError(422, 'action: must be "interrupt" or "rollback"');
}

/** `-1` and nothing mean from the start: a client that saw nothing is owed everything. */
function toSeq(lastEventId: string | null): number {
  const seq = Number(lastEventId ?? 0);
  return Number.isSafeInteger(seq) && seq > 0 ? seq : 0;
}
