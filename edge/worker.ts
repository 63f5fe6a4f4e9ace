import { createAgent } from "langchain";
import { AgentObject, type AgentParts, routeAgentRequest } from "./index.js";
import { createModel, type ModelEnv } from "./models.js";
import { ScriptedModel } from "./scripted-model.js";

/** The sample: an agent in a Durable Object, its API for the LangGraph SDK, and the playground as static files. */

interface Env extends ModelEnv {
  readonly AGENT: DurableObjectNamespace<DemoAgent>;
  readonly ASSETS: Fetcher;
  /** What clients must send as a bearer token. Unset, only loopback addresses are served. */
  readonly AUTH_TOKEN?: string;
}

export class DemoAgent extends AgentObject<Env> {
  async createAgent({ env, checkpointer }: AgentParts<Env>) {
    const demo = new ScriptedModel((messages) => ({ text: `You said: ${messages.at(-1)?.text}` }));
    return createAgent({ model: (await createModel(env)) ?? demo, tools: [], checkpointer });
  }
}

export default {
  fetch: async (request: Request, env: Env): Promise<Response> =>
    (await routeAgentRequest(request, env, { namespace: env.AGENT })) ?? env.ASSETS.fetch(request),
};
