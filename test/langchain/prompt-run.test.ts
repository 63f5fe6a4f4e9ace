import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createDeepAgent } from "deepagents";
import { createAgent, fakeModel } from "langchain";
import { describe, expect, it, test } from "vitest";
import { createCodeInterpreterMiddleware } from "../../src/langchain/index.js";
import { evalMessage, lastEvalText, question, reviewer } from "../support/scripted-agent.js";
import {
  builtInsClaim,
  claimSubagent,
  claimTools,
  gatedTool,
  manyTools,
  type PromptClaim,
  promptClaims,
} from "./prompt-claims.js";

const approve = { decisions: [{ type: "approve" }] };
/** The text of the model's instructions, as it got them. */
const instructions: string[] = [];

function modelFor({ turns, together }: PromptClaim) {
  const model = fakeModel();
  for (const turn of turns) {
    const programs = typeof turn === "string" ? [turn] : turn;
    if (together) model.respond(evalMessage(...programs));
    else for (const program of programs) model.respond(evalMessage(program));
    model.respond(new AIMessage("done"));
  }
  return model;
}

function agentFor(claim: PromptClaim, model: ReturnType<typeof fakeModel>) {
  const { needs, options } = claim;
  const checkpointer = new MemorySaver();
  if (needs === "subagents" || needs === "gated-subagents") {
    return createDeepAgent({
      model,
      checkpointer,
      subagents: [{ ...reviewer, ...claimSubagent }],
      middleware: [
        createCodeInterpreterMiddleware({
          ...(needs === "gated-subagents" ? { interruptOn: { task: true } } : {}),
          ...options,
        }),
      ],
    });
  }
  const offers = { tools: claimTools, "many-tools": manyTools, approval: [gatedTool] };
  const tools = needs === undefined ? [] : offers[needs];
  const middleware = createCodeInterpreterMiddleware({
    ...(tools.length > 0 ? { ptc: tools.map(({ name }) => name) } : {}),
    ...(needs === "approval" ? { interruptOn: { [gatedTool.name]: true } } : {}),
    ...options,
  });
  return createAgent({ model, tools: [...tools] as never, checkpointer, middleware: [middleware] });
}

async function lastText(claim: PromptClaim): Promise<string> {
  const model = modelFor(claim);
  const agent = agentFor(claim, model) as {
    invoke(input: unknown, config: object): Promise<Parameters<typeof lastEvalText>[0]>;
  };
  const config = { configurable: { thread_id: "claims" } };
  let result = await agent.invoke(question, config);
  if (claim.needs === "approval" || claim.needs === "gated-subagents")
    result = await agent.invoke(new Command({ resume: approve }), config);
  for (let turn = 1; turn < claim.turns.length; turn++)
    result = await agent.invoke({ messages: [new HumanMessage("and on")] }, config);
  instructions.push(String(model.calls[0]?.messages[0]?.text));
  return lastEvalText(result);
}

/** The list as the model reads it. */
function listedBuiltIns(): string[] {
  const [, list = ""] = /Besides the language itself there are: ([^\n]+)\./.exec(instructions[0] ?? "") ?? [];
  return list.split(", ");
}

describe("every sentence of the prompt holds", () => {
  it.each(promptClaims.map((claim) => [claim.id, claim] as const))("%s", async (_id, claim) => {
    const text = await lastText(claim);
    if (typeof claim.expect === "string") expect(text).toBe(claim.expect);
    else expect(text).toMatch(claim.expect);
  });

  test("built-ins", async () => {
    if (instructions.length === 0) await lastText(promptClaims[0]!);
    const names = listedBuiltIns();
    expect(names).toContain("URL");
    expect(names).toContain("setTimeout");
    const claim = builtInsClaim(names);
    expect(await lastText(claim)).toBe(claim.expect);
  });
});
