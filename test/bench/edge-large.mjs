// A conversation of 20 MB in one Durable Object, over HTTP: what it costs to hold it, and to read it back.
// node test/bench/edge-large.mjs [megabytes=20]
import { Client } from "@langchain/langgraph-sdk";
import { startEdgeServer } from "./edge-server.mjs";

/** A turn adds what is said and the answer that repeats it. */
const TURN_BYTES = 1_000_000;
const turns = Math.ceil((Number(process.argv[2] ?? 20) * 1_000_000) / TURN_BYTES);

const server = await startEdgeServer();
const client = new Client({ apiUrl: server.url, apiKey: null, callerOptions: { maxRetries: 0 } });
let peak = 0;
const watch = setInterval(() => {
  peak = Math.max(peak, server.residentMiB());
}, 50);

async function measure(what, work) {
  peak = 0;
  const began = performance.now();
  const result = await work();
  const seconds = (performance.now() - began) / 1000;
  console.log(`${what}: ${seconds.toFixed(1)} s, at most ${Math.round(peak)} MiB resident`);
  return result;
}

const { thread_id } = await client.threads.create();
const say = (content) => ({ messages: [{ role: "user", content }] });
await client.runs.wait(thread_id, "agent", { input: say("hello") });
console.log(`with one small turn: ${Math.round(server.residentMiB())} MiB resident`);
await measure(`${turns} turns of ${TURN_BYTES / 1_000_000} MB`, async () => {
  for (let turn = 0; turn < turns; turn++)
    await client.runs.wait(thread_id, "agent", { input: say(`${turn}${"x".repeat(TURN_BYTES / 2)}`) });
});
const state = await measure("its state", () => client.threads.getState(thread_id));
console.log(
  `  ${(JSON.stringify(state.values).length / 1_000_000).toFixed(1)} MB in ${state.values.messages.length} messages`,
);
const history = await measure("its whole history", async () => {
  const response = await fetch(`${server.url}threads/${thread_id}/history`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ limit: 1000 }),
  });
  let bytes = 0;
  for await (const chunk of response.body) bytes += chunk.byteLength;
  return bytes;
});
console.log(`  ${(history / 1_000_000).toFixed(1)} MB`);
clearInterval(watch);
await server.dispose();
