/** `edge-interpreter/edge`: an agent that lives in a Durable Object and speaks the LangGraph platform's protocol. */
export type { AgentLike } from "./agent-graph.js";
export { AgentObject, type AgentParts } from "./agent-object.js";
export { installAsyncLocalStorage } from "./async-local-storage.js";
export { type Authorize, type AuthorizeTarget, bearerToken, isLoopback } from "./authorize.js";
export { DurableObjectSaver, type DurableObjectSaverOptions } from "./durable-object-saver.js";
export { type DurableObjectStoreOptions, durableObjectStore } from "./durable-object-store.js";
export { type RouteAgentOptions, routeAgentRequest } from "./route-agent-request.js";
