import { expect, test } from "vitest";
import { collect, createClient, messagesOf, say } from "./agent-client.js";

type Part = { event: string; data: never };

async function streamAs(streamMode: string[], content = 'call count {"label":"a"}', more: object = {}) {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  const stream = client.runs.stream(thread_id, "agent", {
    input: say(content),
    streamMode,
    ...more,
  } as never);
  return (await collect(stream)) as unknown as Part[];
}

const dataOf = <T>(parts: Part[], event: string) =>
  parts.filter((part) => part.event === event).map((part) => part.data as T);

test("messages-tuple streams every token with what it belongs to", async () => {
  const parts = await streamAs(["messages-tuple"], "one two");
  const tuples = dataOf<[{ content: string; type: string; id: string }, { langgraph_node: string }]>(
    parts,
    "messages",
  );
  expect(tuples.map(([message]) => message.content).join("")).toBe("You said: one two");
  expect(tuples.length).toBeGreaterThan(2);
  expect(new Set(tuples.map(([message]) => message.id)).size).toBe(1);
  expect(tuples.every(([, metadata]) => metadata.langgraph_node === "model_request")).toBe(true);
});

test("the older messages mode streams growing messages, then complete ones", async () => {
  const parts = await streamAs(["messages"], "one two");
  const partial = dataOf<[{ content: string }]>(parts, "messages/partial").map(
    ([message]) => message.content,
  );
  expect(partial.at(-1)).toBe("You said: one two");
  expect(partial.every((text, index) => index === 0 || text.startsWith(partial[index - 1]!))).toBe(true);
  expect(dataOf(parts, "messages/metadata")).toHaveLength(1);
  const complete = dataOf<{ content: string }[]>(parts, "messages/complete").flat();
  expect(complete.map((message) => message.content)).toEqual(["one two", "You said: one two"]);
  expect(dataOf(parts, "values")).toEqual([]);
});

test("debug, tasks and checkpoints carry checkpoints without live objects", async () => {
  const parts = await streamAs(["debug", "tasks", "checkpoints"]);
  const debug = dataOf<{ type: string; payload: { checkpoint: object; config: { configurable: object } } }>(
    parts,
    "debug",
  );
  const checkpoint = debug.find((part) => part.type === "checkpoint")!;
  expect(checkpoint.payload.checkpoint).toHaveProperty("checkpoint_id");
  expect(Object.keys(checkpoint.payload.config.configurable).filter((key) => key.startsWith("__"))).toEqual(
    [],
  );
  expect(debug.map((part) => part.type)).toContain("task_result");
  expect(dataOf(parts, "tasks").length).toBeGreaterThan(0);
  expect(dataOf(parts, "checkpoints").length).toBeGreaterThan(0);
});

test("events streams LangChain's own events beside the other modes", async () => {
  const parts = await streamAs(["events", "values"]);
  const names = dataOf<{ event: string }>(parts, "events").map((event) => event.event);
  expect(names).toContain("on_chat_model_stream");
  expect(names).toContain("on_tool_end");
  expect(messagesOf(dataOf(parts, "values").at(-1)).at(-1)).toBe("I have the result: counted a");
});

test("a joining client can ask for fewer modes than the run has", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  const run = await client.runs.create(thread_id, "agent", {
    input: say("hi"),
    streamMode: ["values", "updates", "messages-tuple"],
  });
  await client.runs.join(thread_id, run.run_id);
  const parts = await collect(client.runs.joinStream(thread_id, run.run_id, { streamMode: ["updates"] }));
  expect(parts.map((part) => part.event)).toEqual(["metadata", "updates", "end"]);
});

test("with subgraphs, events of a nested agent say where they come from", async () => {
  const parts = await streamAs(["updates", "messages-tuple"], 'call delegate {"task":"count sheep"}', {
    streamSubgraphs: true,
  });
  const nested = parts.filter((part) => part.event.includes("|"));
  expect(nested.length).toBeGreaterThan(0);
  expect(nested.every((part) => /^(updates|messages)\|tools:[0-9a-f-]+/.test(part.event))).toBe(true);
});

test("tools streams the starts, ends and failures of tools, by their calls", async () => {
  const parts = await streamAs(["tools"], 'call count {"label":"a"}; ask {"question":"?"}');
  const events = dataOf<{ event: string; name: string; toolCallId: string }>(parts, "tools");
  expect(events.filter(({ name }) => name === "count").map(({ event }) => event)).toEqual([
    "on_tool_start",
    "on_tool_end",
  ]);
  const calls = new Set(events.map(({ toolCallId }) => toolCallId.replace(/^call-\d+-/, "call ")));
  expect(calls).toEqual(new Set(["call 0", "call 1"]));
});

test.each([
  ["values", "values"],
  ["updates", "updates"],
  ["messages", "messages/partial"],
  ["messages-tuple", "messages"],
  ["custom", "custom"],
  ["events", "events"],
  ["debug", "debug"],
  ["tasks", "tasks"],
  ["checkpoints", "checkpoints"],
  ["tools", "tools"],
])("the mode %s alone sends its events, and the end", async (mode, event) => {
  const parts = await streamAs([mode]);
  expect(dataOf(parts, event).length).toBeGreaterThan(0);
  const others = parts.map((part) => part.event).filter((name) => name.split("/")[0] !== event.split("/")[0]);
  expect(others).toEqual(["metadata", "end"]);
});

test("a mode that is not served is refused by its name, with the names of those that are", async () => {
  await expect(streamAs(["values", "lifecycle"])).rejects.toThrow(
    /422.*\\"lifecycle\\" is not served by this server; there are values, updates/s,
  );
});

test("the SDK streams a run in the modes it asks for", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  const parts = await collect(
    client.runs.stream(thread_id, "agent", {
      input: say('call count {"label":"a"}'),
      streamMode: ["values", "updates", "messages-tuple", "custom"],
    }),
  );
  expect(parts[0]!.event).toBe("metadata");
  expect(parts.at(-1)).toMatchObject({ event: "end", data: { status: "success" } });
  const events = new Set(parts.map((part) => part.event));
  expect([...events].sort()).toEqual(["custom", "end", "messages", "metadata", "updates", "values"]);
});
