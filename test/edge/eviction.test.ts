import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { agentOf, begun, collect, createClient, messagesOf, runEval, say, sayEval } from "./agent-client.js";

test("a run cut off by an eviction goes on, and tools that had finished do not run again", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  const run = await client.runs.create(thread_id, "agent", {
    input: say('call count {"label":"done"}; wait {"label":"gate"}'),
    streamMode: ["values", "updates"],
  });
  await begun(thread_id, run.run_id, "gate");
  await abortAllDurableObjects();
  expect(await client.runs.get(thread_id, run.run_id)).toMatchObject({ status: "running" });
  await agentOf(thread_id).release("gate");
  const values = await client.runs.join(thread_id, run.run_id);
  expect(messagesOf(values)).toEqual([
    'call count {"label":"done"}; wait {"label":"gate"}',
    "",
    "counted done",
    "waited for gate",
    "I have the result: waited for gate",
  ]);
  expect(await agentOf(thread_id).counts()).toEqual({ done: 1, gate: 2 });
  expect(await client.runs.get(thread_id, run.run_id)).toMatchObject({ status: "success" });
  const metadata = (await collect(client.runs.joinStream(thread_id, run.run_id)))
    .filter((part) => part.event === "metadata")
    .map((part) => (part.data as { attempt: number }).attempt);
  expect(metadata).toEqual([1, 2]);
});

test("a client whose stream an eviction cut joins again by itself, and no event is missing or doubled", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  const parts: { id?: string; event: string }[] = [];
  let evicted = false;
  const stream = client.runs.stream(thread_id, "agent", {
    input: say('call count {"label":"done"}; wait {"label":"gate"}'),
    streamMode: ["values", "updates", "custom"],
  });
  for await (const part of stream) {
    parts.push(part as (typeof parts)[0]);
    if (evicted || !(await agentOf(thread_id).counts())["gate"]) continue;
    evicted = true;
    await abortAllDurableObjects();
    await agentOf(thread_id).release("gate");
  }
  expect(evicted).toBe(true);
  expect(parts.map((part) => Number(part.id))).toEqual(parts.map((_, index) => index + 1));
  expect(parts.at(-1)).toMatchObject({ event: "end", data: { status: "success" } });
  const whole = (await client.runs.list(thread_id))[0]!;
  expect(await collect(client.runs.joinStream(thread_id, whole.run_id))).toEqual(parts);
  expect(await agentOf(thread_id).counts()).toEqual({ done: 1, gate: 2 });
});

test("a run that an eviction cut off can be cancelled in the object's next life", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  const run = await client.runs.create(thread_id, "agent", { input: say('call wait {"label":"never"}') });
  await begun(thread_id, run.run_id, "never");
  await abortAllDurableObjects();
  await client.runs.cancel(thread_id, run.run_id, true);
  expect(await client.runs.get(thread_id, run.run_id)).toMatchObject({ status: "interrupted" });
  const values = await client.runs.wait(thread_id, "agent", { input: say("still there?") });
  expect(messagesOf(values).at(-1)).toBe("You said: still there?");
});

test("an alarm brings back a run that nobody asks for", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  const run = await client.runs.create(thread_id, "agent", { input: say('call wait {"label":"gate"}') });
  await begun(thread_id, run.run_id, "gate");
  await abortAllDurableObjects();
  const alarm = runDurableObjectAlarm(agentOf(thread_id));
  await agentOf(thread_id).release("gate");
  expect(await alarm).toBe(true);
  expect(await client.runs.get(thread_id, run.run_id)).toMatchObject({ status: "success" });
  expect(await runDurableObjectAlarm(agentOf(thread_id))).toBe(false);
});

test("queued runs survive an eviction, in their order", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  const first = await client.runs.create(thread_id, "agent", { input: say('call wait {"label":"gate"}') });
  const queue = { multitaskStrategy: "enqueue" } as const;
  await client.runs.create(thread_id, "agent", { input: say("second"), ...queue });
  const third = await client.runs.create(thread_id, "agent", { input: say("third"), ...queue });
  await begun(thread_id, first.run_id, "gate");
  await abortAllDurableObjects();
  await client.threads.get(thread_id);
  await agentOf(thread_id).release("gate");
  const values = await client.runs.join(thread_id, third.run_id);
  expect(messagesOf(values).slice(-4)).toEqual(["second", "You said: second", "third", "You said: third"]);
});

test("a question waits through an eviction and is answered afterwards", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  await client.runs.wait(thread_id, "agent", { input: say('call ask {"question":"now?"}') });
  await abortAllDurableObjects();
  expect(await client.threads.get(thread_id)).toMatchObject({ status: "interrupted" });
  const values = await client.runs.wait(thread_id, "agent", { command: { resume: "later" } });
  expect(messagesOf(values).at(-1)).toBe('I have the result: answer: "later"');
});

test("an answer given just before an eviction is not asked for again", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  await client.runs.wait(thread_id, "agent", { input: say('call askThenWait {"label":"gate"}') });
  const run = await client.runs.create(thread_id, "agent", { command: { resume: "yes" } });
  await begun(thread_id, run.run_id, "gate");
  await abortAllDurableObjects();
  await client.threads.get(thread_id);
  await agentOf(thread_id).release("gate");
  expect(messagesOf(await client.runs.join(thread_id, run.run_id)).at(-1)).toBe(
    "I have the result: answer: yes",
  );
});

test("an eviction beside an open question neither answers it nor forgets the tool that ran beside it", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  const run = await client.runs.create(thread_id, "agent", {
    input: say('call ask {"question":"sure?"}; wait {"label":"gate"}'),
  });
  await begun(thread_id, run.run_id, "gate");
  await abortAllDurableObjects();
  await client.threads.get(thread_id);
  await agentOf(thread_id).release("gate");
  const values = await client.runs.join(thread_id, run.run_id);
  expect(values).toMatchObject({ __interrupt__: [{ value: { question: "sure?" } }] });
  const answered = await client.runs.wait(thread_id, "agent", { command: { resume: "sure" } });
  expect(messagesOf(answered)).toContain('answer: "sure"');
  expect(messagesOf(answered)).toContain("waited for gate");
  expect(await agentOf(thread_id).counts()).toEqual({ gate: 2 });
});

test("the interpreter's workspace lives on after an eviction", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  await runEval(thread_id, "let kept = 41; const add = (n) => kept + n; const m = new Map([[1, 2]]);");
  await abortAllDurableObjects();
  const values = await runEval(thread_id, "add(m.size)");
  expect(values.at(-1)).toBe("I have the result: → 42");
});

test("an eval that an eviction cut off after a call is told, not run again, and the workspace is as before it", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  await runEval(thread_id, "let n = 1");
  const run = await client.runs.create(thread_id, "agent", {
    input: sayEval('n += 1; await tools.wait({ label: "gate" }); n'),
  });
  await begun(thread_id, run.run_id, "gate");
  await abortAllDurableObjects();
  await client.threads.get(thread_id);
  const cut = messagesOf(await client.runs.join(thread_id, run.run_id)).at(-1);
  expect(cut).toMatch(/cut off.*wait \(1 started, 1 not known to have ended\).*not run again/);
  const next = await runEval(thread_id, "n");
  expect(next.at(-1)).toBe("I have the result: → 1");
});

test("a run for later waits for its time, and an alarm starts it", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  const run = await client.runs.create(thread_id, "agent", { input: say("later"), afterSeconds: 3600 });
  await abortAllDurableObjects();
  expect(await client.runs.get(thread_id, run.run_id)).toMatchObject({ status: "pending" });
  await runInDurableObject(agentOf(thread_id), async (_agent, { storage }) => {
    expect(await storage.getAlarm()).toBeGreaterThan(Date.now() + 3_500_000);
    storage.sql.exec("UPDATE agent_run SET due = 0");
  });
  await runDurableObjectAlarm(agentOf(thread_id));
  expect(await client.runs.get(thread_id, run.run_id)).toMatchObject({ status: "success" });
});

test("a run without a thread leaves nothing once its time is up", async () => {
  const client = createClient();
  let runId = "";
  const onRunCreated = (run: { run_id: string }) => {
    runId = run.run_id;
  };
  await client.runs.wait(null, "agent", { input: say("gone soon"), onRunCreated });
  await runInDurableObject(agentOf(runId), (_agent, { storage }) => {
    storage.sql.exec("UPDATE agent_thread SET expires_at = 0");
  });
  await runDurableObjectAlarm(agentOf(runId));
  const left = await runInDurableObject(agentOf(runId), (_agent, { storage }) =>
    storage.sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray(),
  );
  expect(left).toEqual([]);
});

test("a run that takes its object down every time is given up and reported", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  const run = await client.runs.create(thread_id, "agent", { input: say('call wait {"label":"gate"}') });
  for (let life = 1; life <= 4; life++) {
    await begun(thread_id, run.run_id, "gate");
    await abortAllDurableObjects();
    if ((await client.runs.get(thread_id, run.run_id)).status === "error") break;
  }
  const parts = await collect(client.runs.joinStream(thread_id, run.run_id));
  expect(parts.at(-1)).toMatchObject({ event: "end", data: { status: "error" } });
  expect(await client.threads.get(thread_id)).toMatchObject({ status: "error" });
});

/** An object that is not asked anything is put away by the platform and costs nothing, unless it has an alarm. */
const alarmOf = (threadId: string) =>
  runInDurableObject(agentOf(threadId), (_agent, { storage }) => storage.getAlarm());

test("a thread has an alarm while a run is under way and at no other time", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  expect(await alarmOf(thread_id)).toBeNull();
  const run = await client.runs.create(thread_id, "agent", { input: say('call wait {"label":"gate"}') });
  await begun(thread_id, run.run_id, "gate");
  expect(await alarmOf(thread_id)).toBeGreaterThan(Date.now());
  await agentOf(thread_id).release("gate");
  await client.runs.join(thread_id, run.run_id);
  await expect.poll(() => alarmOf(thread_id)).toBeNull();
});

test("neither a question, nor a failure, nor a cancelled run leaves an alarm behind", async () => {
  const client = createClient();
  const threads = await Promise.all([1, 2, 3].map(() => client.threads.create()));
  const [asking, failing, cancelled] = threads.map((thread) => thread.thread_id) as [string, string, string];
  await client.runs.wait(asking, "agent", { input: say('call ask {"question":"?"}') });
  await client.runs.wait(failing, "agent", { input: say("break"), raiseError: false });
  const run = await client.runs.create(cancelled, "agent", { input: say('call wait {"label":"never"}') });
  await client.runs.cancel(cancelled, run.run_id, true);
  for (const threadId of [asking, failing, cancelled]) await expect.poll(() => alarmOf(threadId)).toBeNull();
});

test("who only looks at threads, assistants or the index leaves no alarm", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  await client.threads.getState(thread_id);
  await client.threads.getHistory(thread_id);
  await client.threads.search();
  await client.assistants.search();
  expect(await alarmOf(thread_id)).toBeNull();
  expect(await alarmOf("shared")).toBeNull();
});
