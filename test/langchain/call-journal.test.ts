import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { Command, MemorySaver, ReducedValue, StateSchema } from "@langchain/langgraph";
import { type AgentMiddleware, createAgent, createMiddleware, fakeModel, tool } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { createCodeInterpreterMiddleware } from "../../src/langchain/index.js";
import { memoryStore, type SnapshotStore } from "../../src/store.js";

/** What outlives a process: the saver and a store that says so. */
function place() {
  const store = memoryStore();
  const snapshots: SnapshotStore = {
    supports: { durable: true, shared: false },
    get: (key) => store.get(key),
    put: (key, bytes, options) => store.put(key, bytes, options),
    delete: (key) => store.delete(key),
    list: (prefix) => store.list(prefix),
  };
  return { checkpointer: new MemorySaver(), snapshots };
}

function start(
  { checkpointer, snapshots }: ReturnType<typeof place>,
  code: string,
  charge: () => Promise<unknown>,
  more: AgentMiddleware[] = [],
) {
  const chargeTool = tool(charge, { name: "charge", description: "Charge.", schema: z.object({}) });
  const call = { name: "eval", args: { code }, id: "call_1", type: "tool_call" as const };
  const model = fakeModel()
    .respond((messages) => {
      const last = messages.at(-1);
      return ToolMessage.isInstance(last)
        ? new AIMessage(`read: ${last.text}`)
        : new AIMessage({ content: "", tool_calls: [call] });
    })
    .respond((messages) => new AIMessage(`read: ${messages.at(-1)?.text}`));
  const middleware = [...more, createCodeInterpreterMiddleware({ ptc: [chargeTool], snapshots })];
  return createAgent({ model, tools: [], middleware, checkpointer });
}

const config = { configurable: { thread_id: "t" } };
const question = { messages: [new HumanMessage("go")] };

test("an eval that was cut off after a call is told, and calls nothing twice", async () => {
  const where = place();
  let charged = 0;
  let hang: (() => void) | undefined;
  const hanging = new Promise<void>((resolve) => {
    hang = resolve;
  });
  const code = "await tools.charge({}); await tools.charge({}); 'done'";
  const life = new AbortController();
  const first = start(where, code, async () => {
    if (++charged === 2) {
      hang?.();
      await new Promise(() => {});
    }
    return "ok";
  }).invoke(question, { ...config, signal: life.signal });
  const ended = first.catch((error: unknown) => error);
  await hanging;

  const second = start(where, code, async () => {
    charged++;
    return "ok";
  });
  const { messages } = await second.invoke(null, config);
  expect(charged).toBe(2);
  expect(messages.at(-1)?.text).toMatch(
    /cut off.*charge \(2 started, 1 not known to have ended\).*not run again/,
  );
  life.abort();
  await ended;
});

test("an eval that was cut off before any call simply runs", async () => {
  const where = place();
  const life = new AbortController();
  let reached: (() => void) | undefined;
  const reading = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const stuck = {
    ...where,
    snapshots: { ...where.snapshots, get: () => new Promise<undefined>(() => reached?.()) },
  };
  const first = start(stuck, "await tools.charge({})", async () => "never").invoke(question, {
    ...config,
    signal: life.signal,
  });
  const ended = first.catch((error: unknown) => error);
  await reading;
  let charged = 0;
  const second = start(where, "await tools.charge({})", async () => `charge ${++charged}`);
  const { messages } = await second.invoke(null, config);
  expect(messages.at(-1)?.text).toBe("read: → charge 1");
  life.abort();
  await ended;
});

/** The saver loses what the task wrote: the process ended between the eval's end and LangGraph's save. */
async function endBeforeSave(
  { checkpointer }: ReturnType<typeof place>,
  agent: ReturnType<typeof start>,
): Promise<void> {
  const putWrites = checkpointer.putWrites.bind(checkpointer);
  checkpointer.putWrites = async () => {
    throw new Error("the process ended");
  };
  await expect(agent.invoke(question, config)).rejects.toThrow("the process ended");
  checkpointer.putWrites = putWrites;
}

test("an eval that had ended when its process did answers with its message", async () => {
  const where = place();
  let charged = 0;
  const agent = start(where, "await tools.charge({}); 'paid'", async () => `${++charged}`);
  await endBeforeSave(where, agent);
  const second = start(where, "await tools.charge({}); 'paid'", async () => `${++charged}`);
  const { messages } = await second.invoke(null, config);
  expect(messages.at(-1)?.text).toBe("read: → paid");
  expect(charged).toBe(1);
});

test("what it had written to the agent's state is there once, a key of one value as it was at the end", async () => {
  const where = place();
  const account = new StateSchema({
    receipts: new ReducedValue(z.array(z.string()).default([]), {
      inputSchema: z.array(z.string()).optional(),
      reducer: (now: string[], more: string[] = []) => [...now, ...more],
    }),
    balance: z.number().default(0),
  });
  let charged = 0;
  const process = () =>
    start(
      where,
      "await tools.charge({}); await tools.charge({}); 'paid'",
      async () => new Command({ update: { receipts: [`receipt ${++charged}`], balance: charged } }),
      [createMiddleware({ name: "Account", stateSchema: account }) as unknown as AgentMiddleware],
    );
  await endBeforeSave(where, process());
  const end = await process().invoke(null, config);
  expect(end).toMatchObject({ receipts: ["receipt 1", "receipt 2"], balance: 2 });
});
