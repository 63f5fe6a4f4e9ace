import { SELF } from "cloudflare:test";
import { expect, test } from "vitest";
import { agentOf, collect, createClient, messagesOf, nextPart, say, testFetch } from "./agent-client.js";

test("waiting for a run gives the thread's values", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create({ metadata: { title: "first" } });
  const values = await client.runs.wait(thread_id, "agent", { input: say("hello") });
  expect(messagesOf(values)).toEqual(["hello", "You said: hello"]);
  expect(await client.threads.get(thread_id)).toMatchObject({
    status: "idle",
    metadata: { title: "first", graph_id: "agent" },
    values: { messages: [{ content: "hello" }, { content: "You said: hello" }] },
  });
});

test("a run that fails streams its error and marks the thread", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  const parts = await collect(client.runs.stream(thread_id, "agent", { input: say("break") }));
  expect(parts.find((part) => part.event === "error")?.data).toEqual({
    error: "Error",
    message: "the model broke",
  });
  expect(parts.at(-1)).toMatchObject({ event: "end", data: { status: "error" } });
  expect(await client.threads.get(thread_id)).toMatchObject({ status: "error" });
  await expect(client.runs.wait(thread_id, "agent", { input: say("break") })).rejects.toThrow(
    "the model broke",
  );
  const values = await client.runs.wait(thread_id, "agent", { input: say("again") });
  expect(messagesOf(values).at(-1)).toBe("You said: again");
});

test("a client that lost its connection joins the run and misses nothing", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  const lost = new AbortController();
  const stream = client.runs.stream(thread_id, "agent", {
    input: say('call wait {"label":"gate"}'),
    streamMode: ["values", "updates", "messages-tuple"],
    signal: lost.signal,
  });
  const seen = [await nextPart(stream), await nextPart(stream)] as {
    id?: string;
    event: string;
    data: unknown;
  }[];
  lost.abort();
  const [run] = await client.runs.list(thread_id);
  expect(run?.status).toBe("running");
  await agentOf(thread_id).release("gate");
  await client.runs.join(thread_id, run!.run_id);
  const rest = await collect(
    client.runs.joinStream(thread_id, run!.run_id, { lastEventId: seen.at(-1)!.id! }),
  );
  const whole = await collect(client.runs.joinStream(thread_id, run!.run_id, { lastEventId: "-1" }));
  expect([...seen, ...rest]).toEqual(whole);
  expect(rest.at(-1)).toMatchObject({ event: "end", data: { status: "success" } });
});

test("the SDK reconnects by itself when the network drops, and no event is missing or doubled", async () => {
  let dropped = 0;
  const flaky: typeof fetch = async (input, init) => {
    const response = await testFetch(input, init);
    if (dropped > 0 || !response.headers.get("content-type")?.includes("event-stream")) return response;
    dropped += 1;
    return new Response(cutAfter(response.body!, 1), response);
  };
  const client = createClient(flaky);
  const { thread_id } = await client.threads.create();
  const parts = (await collect(
    client.runs.stream(thread_id, "agent", {
      input: say("one two three"),
      streamMode: ["values", "messages-tuple"],
    }),
  )) as { id?: string; event: string }[];
  expect(dropped).toBe(1);
  expect(parts.map((part) => Number(part.id))).toEqual(parts.map((_, index) => index + 1));
  expect(parts.at(-1)!.event).toBe("end");
});

test("cancelling stops the run and keeps the thread usable", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  const run = await client.runs.create(thread_id, "agent", { input: say('call wait {"label":"never"}') });
  await client.runs.cancel(thread_id, run.run_id, true);
  expect(await client.runs.get(thread_id, run.run_id)).toMatchObject({ status: "interrupted" });
  const values = await client.runs.wait(thread_id, "agent", { input: say("still there?") });
  expect(messagesOf(values).at(-1)).toBe("You said: still there?");
});

test("cancelling with rollback leaves the thread as it was before the run", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  await client.runs.wait(thread_id, "agent", { input: say("kept") });
  const run = await client.runs.create(thread_id, "agent", { input: say('call wait {"label":"never"}') });
  await collectUntil(client.runs.joinStream(thread_id, run.run_id), "values");
  await client.runs.cancel(thread_id, run.run_id, true, "rollback");
  await expect(client.runs.get(thread_id, run.run_id)).rejects.toThrow("404");
  const state = await client.threads.getState(thread_id);
  expect(messagesOf(state.values)).toEqual(["kept", "You said: kept"]);
  expect(state.next).toEqual([]);
});

test("a run is cancelled when its client leaves, if the client asked for that", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  const leave = new AbortController();
  const stream = client.runs.stream(thread_id, "agent", {
    input: say('call wait {"label":"never"}'),
    onDisconnect: "cancel",
    signal: leave.signal,
  });
  await nextPart(stream);
  const [run] = await client.runs.list(thread_id);
  leave.abort();
  await stream.return(undefined);
  await collect(createClient().runs.joinStream(thread_id, run!.run_id));
  expect(await client.runs.get(thread_id, run!.run_id)).toMatchObject({ status: "interrupted" });
});

test("a second run on a busy thread is refused, queued, or takes over, as its client chooses", async () => {
  const [first, second] = [createClient(), createClient()];
  const { thread_id } = await first.threads.create();
  const running = await first.runs.create(thread_id, "agent", { input: say('call wait {"label":"gate"}') });
  expect(await second.threads.get(thread_id)).toMatchObject({ status: "busy" });
  await expect(second.runs.create(thread_id, "agent", { input: say("no") })).rejects.toThrow("409");
  const queued = await second.runs.create(thread_id, "agent", {
    input: say("queued"),
    multitaskStrategy: "enqueue",
  });
  expect(queued.status).toBe("pending");
  await agentOf(thread_id).release("gate");
  await second.runs.join(thread_id, queued.run_id);
  expect(await first.runs.get(thread_id, running.run_id)).toMatchObject({ status: "success" });
  const stuck = await first.runs.create(thread_id, "agent", { input: say('call wait {"label":"never"}') });
  const values = await second.runs.wait(thread_id, "agent", {
    input: say("mine now"),
    multitaskStrategy: "interrupt",
  });
  expect(messagesOf(values).at(-1)).toBe("You said: mine now");
  expect(await first.runs.get(thread_id, stuck.run_id)).toMatchObject({ status: "interrupted" });
});

test("two clients follow one run", async () => {
  const [first, second] = [createClient(), createClient()];
  const { thread_id } = await first.threads.create();
  const run = await first.runs.create(thread_id, "agent", { input: say('call wait {"label":"gate"}') });
  const both = Promise.all(
    [first, second].map((client) => collect(client.runs.joinStream(thread_id, run.run_id))),
  );
  await agentOf(thread_id).release("gate");
  const [left, right] = await both;
  expect(left).toEqual(right);
  expect(left!.length).toBeGreaterThan(3);
});

test("a person answers what the agent asks", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  const parts = await collect(
    client.runs.stream(thread_id, "agent", { input: say('call ask {"question":"really?"}') }),
  );
  const asked = parts.filter((part) => part.event === "values").at(-1)!.data as Record<string, unknown>;
  expect(asked["__interrupt__"]).toMatchObject([{ value: { question: "really?" } }]);
  const thread = await client.threads.get(thread_id);
  expect(thread.status).toBe("interrupted");
  expect(Object.values(thread.interrupts)).toMatchObject([[{ value: { question: "really?" } }]]);
  const values = await client.runs.wait(thread_id, "agent", { command: { resume: { yes: true } } });
  expect(messagesOf(values).at(-1)).toBe('I have the result: answer: {"yes":true}');
  expect((await client.threads.get(thread_id)).status).toBe("idle");
});

test("a client reads the history and forks from a checkpoint", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  await client.runs.wait(thread_id, "agent", { input: say("one") });
  await client.runs.wait(thread_id, "agent", { input: say("two") });
  const history = await client.threads.getHistory(thread_id, { limit: 20 });
  const afterOne = history.find((state) => messagesOf(state.values).length === 2 && state.next.length === 0)!;
  const values = await client.runs.wait(thread_id, "agent", {
    input: say("another two"),
    checkpoint: afterOne.checkpoint,
  } as never);
  expect(messagesOf(values)).toEqual(["one", "You said: one", "another two", "You said: another two"]);
  const old = await client.threads.getState(thread_id, afterOne.checkpoint);
  expect(messagesOf(old.values)).toEqual(["one", "You said: one"]);
  const before = await client.threads.getHistory(thread_id, {
    before: { configurable: afterOne.checkpoint } as never,
  });
  expect(before.every((state) => messagesOf(state.values).length < 2)).toBe(true);
});

test("a client changes the state", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  await client.runs.wait(thread_id, "agent", { input: say("one") });
  await client.threads.updateState(thread_id, { values: say("added by hand"), asNode: "model_request" });
  expect(messagesOf((await client.threads.getState(thread_id)).values)).toContain("added by hand");
  expect(await client.threads.update(thread_id, { metadata: { title: "x" } })).toMatchObject({
    metadata: { title: "x" },
  });
});

test("a run without a thread streams, waits, and can be joined", async () => {
  const client = createClient();
  let runId = "";
  const parts = await collect(
    client.runs.stream(null, "agent", {
      input: say("stateless"),
      onRunCreated: (run) => {
        runId = run.run_id;
      },
    }),
  );
  expect(parts.at(-1)).toMatchObject({ event: "end", data: { status: "success" } });
  const joined = await collect(client.runs.joinStream(null, runId));
  expect(joined).toEqual(parts);
  expect(messagesOf(await client.runs.wait(null, "agent", { input: say("hi") }))).toEqual([
    "hi",
    "You said: hi",
  ]);
});

test("a deleted thread is gone, and its id can be used again", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  await client.runs.create(thread_id, "agent", { input: say('call wait {"label":"never"}') });
  await client.threads.delete(thread_id);
  await expect(client.threads.get(thread_id)).rejects.toThrow("404");
  await client.threads.create({ threadId: thread_id });
  expect(await client.runs.list(thread_id)).toEqual([]);
});

test("the assistant can be found and drawn", async () => {
  const client = createClient();
  const [assistant] = await client.assistants.search();
  expect(assistant).toMatchObject({ graph_id: "agent" });
  const graph = await client.assistants.getGraph(assistant!.assistant_id);
  expect(graph.nodes.map((node) => node.id)).toContain("tools");
  expect(await client.assistants.getSchemas("agent")).toMatchObject({ graph_id: "agent" });
  expect(await (await SELF.fetch("http://localhost/info")).json()).toHaveProperty("flags");
});

async function collectUntil(stream: AsyncGenerator<{ event: string }>, event: string): Promise<void> {
  for await (const part of stream) if (part.event === event) return;
}

function cutAfter(body: ReadableStream<Uint8Array>, chunks: number): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let left = chunks;
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = left-- > 0 ? await reader.read() : { done: true, value: undefined };
      if (!done) return controller.enqueue(value!);
      await reader.cancel();
      controller.error(new TypeError("network error"));
    },
  });
}
