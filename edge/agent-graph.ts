import type { RunnableConfig } from "@langchain/core/runnables";
import type { StateSnapshot } from "@langchain/langgraph";

/** What the routes need of a compiled LangGraph graph. Structural, so that any version that has it will do. */
export interface AgentGraph {
  checkpointer?: unknown;
  stream(input: unknown, options: Record<string, unknown>): Promise<AsyncIterable<unknown>>;
  streamEvents(input: unknown, options: Record<string, unknown>): AsyncIterable<unknown>;
  getState(config: RunnableConfig, options?: { subgraphs?: boolean }): Promise<StateSnapshot>;
  getStateHistory(config: RunnableConfig, options?: Record<string, unknown>): AsyncIterable<StateSnapshot>;
  updateState(config: RunnableConfig, values: unknown, asNode?: string): Promise<RunnableConfig>;
  bulkUpdateState(
    config: RunnableConfig,
    supersteps: { updates: { values: unknown; asNode: string }[] }[],
  ): Promise<RunnableConfig>;
  getGraphAsync(config?: Record<string, unknown>): Promise<{ toJSON(): unknown }>;
}

/** What `createAgent` may return: a graph, or an agent that holds one (`createAgent`, `createDeepAgent`). */
export type AgentLike =
  | { readonly graph: unknown }
  | { readonly getState: unknown; readonly stream: unknown; readonly updateState: unknown };

export function graphOf(agent: AgentLike): AgentGraph {
  const graph: unknown = "graph" in agent ? agent.graph : agent;
  if (typeof graph !== "object" || graph === null || !("getState" in graph))
    throw new TypeError("`createAgent` must return a LangChain agent or a compiled LangGraph graph.");
  return graph as AgentGraph;
}
