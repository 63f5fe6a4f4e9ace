/** An agent whose model runs one program, with tools that count what they did; each `start` is another process. */
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import type { BaseCheckpointSaver, BaseStore } from "@langchain/langgraph-checkpoint";
import { createAgent, fakeModel, tool } from "langchain";
import { z } from "zod";
import { type CodeInterpreterOptions, createCodeInterpreterMiddleware } from "../../src/langchain/index.js";
import { type Answer, evalCall } from "./approval-answers.js";

/** The effects, in the order they happened. */
export class Effects {
  readonly done: string[] = [];
  readonly tools = ["charge", "send_mail", "delete_file", "fail"].map((name) =>
    tool(
      async ({ of = "x" }: { of?: string | undefined }) => {
        await Promise.resolve();
        return this.act(name, of);
      },
      { name, description: name, schema: z.object({ of: z.string().optional() }) },
    ),
  );

  act(name: string, of: string): string {
    this.done.push(`${name} ${of}`);
    if (name === "fail") throw new Error(`no ${of}`);
    return `${name}:${of}`;
  }
}

export interface World {
  readonly effects: Effects;
  readonly checkpointer: BaseCheckpointSaver;
  readonly messages: AIMessage[];
  readonly store?: BaseStore;
  readonly options?: CodeInterpreterOptions;
  readonly thread?: string;
}

export const names = ["charge", "send_mail", "delete_file", "fail"];

export function world(
  code: string | readonly string[],
  options?: CodeInterpreterOptions,
  more: Partial<World> = {},
): World {
  const codes = typeof code === "string" ? [code] : code;
  const messages = codes.flatMap((text, index) => [
    evalCall(text, `call-${index}`),
    new AIMessage(`end ${index}`),
  ]);
  return {
    effects: new Effects(),
    checkpointer: new MemorySaver(),
    messages,
    ...(options && { options }),
    ...more,
  };
}

/** What another process would make: it shares the tools' effects, the checkpoints and the store with the others. */
export function start({ effects, checkpointer, messages, store, options, thread = "t" }: World) {
  const model = fakeModel();
  for (const message of messages) model.respond(message);
  const agent = createAgent({
    model,
    tools: effects.tools,
    middleware: [
      createCodeInterpreterMiddleware({
        ptc: names,
        interruptOn: { send_mail: true, delete_file: { allowedDecisions: ["approve", "reject"] } },
        ...options,
      }),
    ],
    checkpointer,
    ...(store && { store }),
  });
  const config = { configurable: { thread_id: thread } };
  let used = 0;
  const take = async (input: unknown) => {
    const result = (await agent.invoke(input as never, config)) as unknown as Answer;
    // What this process used up is not there for the next.
    messages.splice(0, model.callCount - used);
    used = model.callCount;
    return result;
  };
  return {
    agent,
    model,
    config,
    ask: (text = "go") => take({ messages: [new HumanMessage(text)] }),
    resume: (resume: unknown) => take(new Command({ resume })),
    go: () => take(null),
  };
}
