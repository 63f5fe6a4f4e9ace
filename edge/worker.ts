/** The sample: an agent in a Durable Object, its API for the LangGraph SDK, and the playground as static files. */
import { createDemoAgent } from "../web/demo/agent.js";
import { DataLibrary } from "../web/demo/data-sets.js";
import { AgentObject, type AgentParts, routeAgentRequest } from "./index.js";
import { createModel, type ModelEnv } from "./models.js";

interface Env extends ModelEnv {
  readonly AGENT: DurableObjectNamespace<DemoAgent>;
  readonly ASSETS: Fetcher;
  /** What clients must send as a bearer token. Unset, only loopback addresses are served. */
  readonly AUTH_TOKEN?: string;
}

export class DemoAgent extends AgentObject<Env> {
  async createAgent({ env, checkpointer, snapshots }: AgentParts<Env>) {
    const library = new DataLibrary(async (file) => {
      const response = await env.ASSETS.fetch(`https://assets/data/${file}`);
      if (!response.ok) throw new Error(`The data file ${file} is not among the assets.`);
      return response.text();
    });
    const model = await createModel(env);
    return createDemoAgent({
      library,
      checkpointer,
      interpreter: { snapshots },
      ...(model ? { model } : {}),
    });
  }
}

/** A thread that moves in brings its snapshot. More would not fit into an isolate as text, as JSON and as bytes. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const answer = await routeAgentRequest(request, env, {
      namespace: env.AGENT,
      maxBodyBytes: MAX_BODY_BYTES,
      // The playground says which model answers here.
      metadata: { model: env.MODEL ?? "demo" },
    });
    return answer ?? env.ASSETS.fetch(request);
  },
};
