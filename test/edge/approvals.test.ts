import { abortAllDurableObjects } from "cloudflare:test";
import { expect, test } from "vitest";
import { agentOf, createClient, messagesOf, runEval } from "./agent-client.js";

test("code that waits for approvals goes on after its object was evicted, and nothing happens twice", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  await runEval(
    thread_id,
    `
      console.log("begin");
      await tools.count({ label: "before" });
      const sent = [];
      for (const label of ["one", "two"]) sent.push(await tools.send({ label }));
      await tools.count({ label: "after" });
      sent.join()`,
  );
  for (const label of ["one", "two"]) {
    await abortAllDurableObjects();
    const { tasks } = await client.threads.getState(thread_id);
    const [interrupt] = tasks.flatMap(({ interrupts }) => interrupts);
    expect(interrupt?.value).toMatchObject({ actionRequests: [{ name: "send", args: { label } }] });
    await client.runs.wait(thread_id, "agent", {
      command: { resume: { decisions: [{ type: "approve" }] } },
    });
  }
  const { values } = await client.threads.getState(thread_id);
  expect(messagesOf(values)).toContain("begin\n→ sent one,sent two");
  expect(await agentOf(thread_id).counts()).toEqual({ before: 1, one: 1, two: 1, after: 1 });
});

test("a question that a tool asks from code is answered after an eviction", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  await runEval(thread_id, 'await tools.ask({ question: "now?" })');
  await abortAllDurableObjects();
  const values = await client.runs.wait(thread_id, "agent", { command: { resume: "later" } });
  expect(messagesOf(values)).toContain('→ answer: "later"');
});

test("code that waits is dropped when another message comes, with its variables as they were", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  await runEval(thread_id, 'let n = 1; await tools.send({ label: "never" }); n = 2');
  await abortAllDurableObjects();
  const values = await runEval(thread_id, "n");
  expect(values.at(-2)).toMatch(/→ 1[\s\S]*cancelled|cancelled[\s\S]*→ 1/);
  expect(await agentOf(thread_id).counts()).toEqual({});
});
