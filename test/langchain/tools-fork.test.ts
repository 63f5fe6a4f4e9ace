/** A thread that forks: each branch has the state and the variables that its own evals left. */
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { Command, MemorySaver, ReducedValue, StateSchema } from "@langchain/langgraph";
import { createDeepAgent } from "deepagents";
import { createAgent, createMiddleware, HumanMessage, tool } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { createCodeInterpreterMiddleware } from "../../src/langchain/index.js";
import { AnsweringModel, evalMessage, lastEvalText, lastHumanText } from "../support/scripted-agent.js";

interface Finished {
  readonly messages: BaseMessage[];
  readonly [key: string]: unknown;
}
interface Checkpoint {
  readonly values: { messages?: BaseMessage[] };
  readonly next: readonly string[];
  readonly config: object;
}
/** What both kinds of agents have, without their types. */
interface AnyAgent {
  invoke(input: unknown, config: object): Promise<Finished>;
  getStateHistory(config: object): AsyncIterable<Checkpoint>;
  getState(config: object): Promise<Checkpoint>;
  updateState(config: object, values: object, asNode?: string): Promise<object>;
}

/** Runs what the user says as a program, then answers. */
const model = () =>
  new AnsweringModel((messages) => {
    const isNew = HumanMessage.isInstance(messages.at(-1));
    return isNew ? evalMessage(lastHumanText(messages)) : new AIMessage("done");
  });
const say = (program: string) => ({ messages: [new HumanMessage(program)] });
const thread = { configurable: { thread_id: "t" } };

const stateOf = async (agent: AnyAgent) => (await agent.getState(thread)).values;

/** The checkpoint at which the turn with this many messages had ended. */
async function endOfTurn(agent: AnyAgent, messages: number): Promise<Checkpoint> {
  for await (const checkpoint of agent.getStateHistory(thread))
    if (checkpoint.next.length === 0 && checkpoint.values.messages?.length === messages) return checkpoint;
  throw new Error("There is no such checkpoint.");
}

/** Private keys: LangChain hands the others back to the agent with every turn, and a list is added to itself. */
const log = new StateSchema({
  _log: new ReducedValue(z.array(z.string()).default([]), {
    inputSchema: z.array(z.string()).optional(),
    reducer: (now: string[], more: string[] = []) => [...now, ...more],
  }),
  _mode: z.string().default("none"),
});
const note = tool(async ({ text }) => new Command({ update: { _log: [text], _mode: text } }), {
  name: "note",
  description: "Notes.",
  schema: z.object({ text: z.string() }),
});
const read = tool(async (_, config) => (config as unknown as { state: { _log: string[] } }).state._log, {
  name: "read",
  description: "Reads the notes.",
  schema: z.object({}),
});

function agentOn(checkpointer: MemorySaver): AnyAgent {
  return createAgent({
    model: model(),
    tools: [note, read],
    checkpointer,
    middleware: [
      createMiddleware({ name: "Log", stateSchema: log }),
      createCodeInterpreterMiddleware({ ptc: ["note", "read"] }),
    ],
  }) as unknown as AnyAgent;
}

const write = (name: string) =>
  `const ${name} = "${name}"; await Promise.all([tools.note({ text: "${name}1" }), tools.note({ text: "${name}2" })]); 1`;
const look = "[typeof a, typeof b, typeof c, (await tools.read({})).join()]";

test("a fork from an older checkpoint goes on from the state and the variables of that time", async () => {
  const checkpointer = new MemorySaver();
  const agent = agentOn(checkpointer);
  await agent.invoke(say(write("a")), thread);
  await agent.invoke(say(write("b")), thread);
  const older = await endOfTurn(agent, 4);

  // Another process: nothing of the sessions is left but what the checkpoints name.
  const fork = agentOn(checkpointer);
  const forked = await fork.invoke(say(`${write("c")}; ${look}`), older.config);
  expect(lastEvalText(forked)).toBe('→ ["string", "undefined", "string", "a1,a2,c1,c2"]');
  expect(await stateOf(fork)).toMatchObject({ _log: ["a1", "a2", "c1", "c2"], _mode: "c2" });

  const tips = [];
  for await (const checkpoint of fork.getStateHistory(thread))
    if (checkpoint.next.length === 0 && checkpoint.values.messages?.length === 8) tips.push(checkpoint);
  expect(tips).toHaveLength(2);
  const [, first] = tips as [Checkpoint, Checkpoint];
  const back = await agent.invoke(say(look), first.config);
  expect(lastEvalText(back)).toBe('→ ["string", "string", "undefined", "a1,a2,b1,b2"]');
});

test("a fork made by updateState has what the update says, and the variables of its checkpoint", async () => {
  const checkpointer = new MemorySaver();
  const agent = agentOn(checkpointer);
  await agent.invoke(say(write("a")), thread);
  await agent.invoke(say(write("b")), thread);
  const older = await endOfTurn(agent, 4);
  const edited = await agent.updateState(
    older.config,
    { _log: ["by hand"], _mode: "by hand" },
    "model_request",
  );
  const forked = await agentOn(checkpointer).invoke(say(`${write("c")}; ${look}`), edited);
  expect(lastEvalText(forked)).toBe('→ ["string", "undefined", "string", "a1,a2,by hand,c1,c2"]');
  expect(await stateOf(agent)).toMatchObject({ _mode: "c2" });
});

test("a fork in the middle, from the checkpoint before an eval ran, runs it once more for its own branch", async () => {
  const checkpointer = new MemorySaver();
  const agent = agentOn(checkpointer);
  await agent.invoke(say(write("a")), thread);
  await agent.invoke(say(write("b")), thread);
  let before: Checkpoint | undefined;
  for await (const checkpoint of agent.getStateHistory(thread))
    if (checkpoint.next.includes("tools") && checkpoint.values.messages?.length === 6) before ??= checkpoint;
  await agent.invoke(null, before?.config ?? {});
  expect(await stateOf(agent)).toMatchObject({ _log: ["a1", "a2", "b1", "b2"] });
  expect(lastEvalText(await agent.invoke(say(look), thread))).toBe(
    '→ ["string", "string", "undefined", "a1,a2,b1,b2"]',
  );
});

test("files that code wrote belong to the branch in which it did", async () => {
  const checkpointer = new MemorySaver();
  const agent = createDeepAgent({
    model: model(),
    checkpointer,
    middleware: [createCodeInterpreterMiddleware({ ptc: ["write_file", "ls", "delete"] })],
  }) as unknown as AnyAgent;
  const file = (path: string) => `await tools.writeFile({ file_path: "${path}", content: "x" }); 1`;
  await agent.invoke(say(file("/a")), thread);
  await agent.invoke(say(`${file("/b")}; await tools.delete({ file_path: "/a" })`), thread);
  const forked = await agent.invoke(say(file("/c")), (await endOfTurn(agent, 4)).config);
  expect(Object.keys(forked["files"] as object).toSorted()).toEqual(["/a", "/c"]);
});
