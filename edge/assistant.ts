/** The one assistant of a deployment: the agent its object builds. The platform derives the same id from the name. */
import { uuid5 } from "@langchain/langgraph-checkpoint";
import { HttpError } from "./http-error.js";

const NAMESPACE = "6ba7b821-9dad-11d1-80b4-00c04fd430c8";

export const assistantId = (graphId: string): string => uuid5(graphId, NAMESPACE);

/** @throws {HttpError} 404 unless `id` is the assistant's id or its graph's name. */
export function resolveAssistant(id: string, graphId: string): string {
  const known = assistantId(graphId);
  if (id !== known && id !== graphId)
    throw new HttpError(404, `There is no assistant ${JSON.stringify(id)}; this server has "${graphId}".`);
  return known;
}

export function toWireAssistant(graphId: string): Record<string, unknown> {
  const deployed = new Date(0).toISOString();
  return {
    assistant_id: assistantId(graphId),
    graph_id: graphId,
    name: graphId,
    description: null,
    config: {},
    context: {},
    metadata: { created_by: "system" },
    version: 1,
    created_at: deployed,
    updated_at: deployed,
  };
}
