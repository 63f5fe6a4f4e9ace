import { DurableObject } from "cloudflare:workers";
import { routeAgentRequest } from "../../edge/index.js";

export { TestAgent } from "./test-agent.js";

/** An empty SQLite-backed object: tests reach its storage with `runInDurableObject`. */
export class TestObject extends DurableObject {}

export default {
  fetch: async (request: Request, env: Cloudflare.Env) =>
    (await routeAgentRequest(request, env, { namespace: env.AGENTS })) ?? new Response("test worker"),
};
