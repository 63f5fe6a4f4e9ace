/** An agent in a Durable Object, one object per thread, behind the routes that `@langchain/langgraph-sdk` speaks. */
import { createCodeInterpreterMiddleware } from "edge-interpreter";
import { AgentObject, type AgentParts, routeAgentRequest } from "edge-interpreter/edge";
import { AIMessage, createAgent, fakeModel } from "langchain";

interface Env {
  readonly AGENT: DurableObjectNamespace<Agent>;
}

export class Agent extends AgentObject<Env> {
  createAgent({ checkpointer, snapshots }: AgentParts<Env>) {
    const code = "globalThis.count = (globalThis.count ?? 0) + 1";
    const model = fakeModel();
    for (const id of ["1", "2"]) {
      model
        .respond(new AIMessage({ content: "", tool_calls: [{ name: "eval", id, args: { code } }] }))
        .respond(new AIMessage("Counted."));
    }
    return createAgent({
      model,
      tools: [],
      checkpointer,
      middleware: [createCodeInterpreterMiddleware({ snapshots })],
    });
  }
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const answer = await routeAgentRequest(request, env, { namespace: env.AGENT });
    return answer ?? new Response("Not found", { status: 404 });
  },
};
