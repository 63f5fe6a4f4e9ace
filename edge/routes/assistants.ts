import type { AgentThread } from "../agent-thread.js";
import { resolveAssistant, toWireAssistant } from "../assistant.js";
import { jsonResponse } from "../wire-json.js";
import { assistantSearch, isTrue, readJson } from "./requests.js";
import type { Route, RouteContext } from "./router.js";

/** `/assistants/...`: the one assistant there is, to read. */
export function assistantRoutes(thread: () => AgentThread): Route[] {
  const matching = async (request: Request) => {
    const query = await readJson(request, assistantSearch);
    const { graphId } = thread();
    const named = !query.name || graphId.toLowerCase().includes(query.name.toLowerCase());
    const found = (!query.graph_id || query.graph_id === graphId) && named ? [toWireAssistant(graphId)] : [];
    return found.slice(query.offset, query.offset + query.limit);
  };
  return [
    {
      method: "POST",
      path: "/assistants/search",
      handle: async ({ request }) => {
        const found = await matching(request);
        return jsonResponse(found, { headers: { "x-pagination-total": String(found.length) } });
      },
    },
    {
      method: "POST",
      path: "/assistants/count",
      handle: async ({ request }) => jsonResponse((await matching(request)).length),
    },
    {
      method: "GET",
      path: "/assistants/:assistant_id",
      handle: ({ params }) => {
        resolveAssistant(params["assistant_id"]!, thread().graphId);
        return jsonResponse(toWireAssistant(thread().graphId));
      },
    },
    {
      method: "GET",
      path: "/assistants/:assistant_id/graph",
      handle: async ({ params, query }) => {
        resolveAssistant(params["assistant_id"]!, thread().graphId);
        const drawable = await (await thread().graph()).getGraphAsync({ xray: isTrue(query.get("xray")) });
        return jsonResponse(drawable.toJSON());
      },
    },
    {
      method: "GET",
      path: "/assistants/:assistant_id/schemas",
      handle: ({ params }) => {
        resolveAssistant(params["assistant_id"]!, thread().graphId);
        // Schemas would need a TypeScript compiler at run time; an open object is the honest answer.
        const open = { type: "object", additionalProperties: true };
        return jsonResponse({
          graph_id: thread().graphId,
          input_schema: open,
          output_schema: open,
          state_schema: open,
          config_schema: open,
          context_schema: open,
        });
      },
    },
    ...["/assistants/:assistant_id/subgraphs", "/assistants/:assistant_id/subgraphs/:namespace"].map(
      (path) => ({
        method: "GET",
        path,
        handle: ({ params }: RouteContext) => {
          resolveAssistant(params["assistant_id"]!, thread().graphId);
          return jsonResponse({});
        },
      }),
    ),
  ];
}
