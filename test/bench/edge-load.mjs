// Many threads at once in one isolate, each a conversation over the SDK, with objects crashing in the middle of runs.
// Every other turn is an eval that calls the tool from code and counts in a variable of its thread.
// node test/bench/edge-load.mjs [threads=50] [turns=10]

import { Client } from "@langchain/langgraph-sdk";
import { startEdgeServer } from "./edge-server.mjs";

const threads = Number(process.argv[2] ?? 50);
const turns = Number(process.argv[3] ?? 10);
/** Every so many turns of a thread, its object is taken down while the run is under way. */
const crashEvery = 5;

const server = await startEdgeServer();
const client = new Client({
  apiUrl: server.url,
  apiKey: null,
  callerOptions: { maxConcurrency: threads, maxRetries: 0, fetch: fetchAgain },
});
const milliseconds = [];
const crashedMilliseconds = [];
let crashes = 0;
let gaps = 0;
let wrongAnswers = 0;
let resets = 0;
let cutOff = 0;
let peakResident = 0;

/** By the text: what comes out of Miniflare's own thread has lost its code. */
const isClosed = (error) =>
  /other side closed|ECONNRESET|EPIPE/.test(`${error.message} ${error.cause?.message}`);

/**
 * A crash also closes the connection that carried its stream, and Node's pool may just have picked that one for the next
 * request, or the next such one after it. Such a request is sent again; had an earlier one arrived, its tool call would
 * be counted as repeated.
 */
async function again(send) {
  for (let sent = 1; ; sent++) {
    try {
      return await send();
    } catch (error) {
      if (!isClosed(error) || sent > threads) throw error;
      resets += 1;
    }
  }
}

function fetchAgain(input, init) {
  return again(() => fetch(input, init));
}

async function crashObject(threadId) {
  // Finding the object takes a request of its own; the answer to the crash is the end of the connection.
  const object = await again(() => ({ crash: server.agent(threadId).crash }));
  await object.crash().catch(() => {});
}

const say = (content) => ({ messages: [{ role: "user", content }] });
const evalOf = (label) =>
  `call eval ${JSON.stringify({ code: `globalThis.n ??= 0; n += 1; await tools.count({ label: "${label}" }); n` })}`;

/** The answer of a turn. */
async function turn(threadId, content, crash) {
  const began = performance.now();
  const ids = [];
  let answer = "";
  let crashed = false;
  const stream = client.runs.stream(threadId, "agent", {
    input: say(content),
    streamMode: ["values", "messages-tuple", "custom"],
  });
  for await (const part of stream) {
    ids.push(Number(part.id));
    if (part.event === "values") answer = part.data.messages.at(-1).content;
    if (crash && !crashed && part.event === "custom") {
      crashed = true;
      crashes += 1;
      await crashObject(threadId);
    }
  }
  if (ids.some((id, index) => id !== index + 1)) gaps += 1;
  peakResident = Math.max(peakResident, server.residentMiB());
  (crash ? crashedMilliseconds : milliseconds).push(performance.now() - began);
  return answer;
}

async function conversation(index) {
  const { thread_id } = await client.threads.create();
  let n = 0;
  for (let number = 1; number <= turns; number++) {
    const label = `turn-${number}`;
    const crash = (number + index) % crashEvery === 0;
    if (number % 2 === 1) {
      const answer = await turn(thread_id, `call count {"label":"${label}"}`, crash);
      if (answer !== `I have the result: counted ${label}`) wrongAnswers += 1;
      continue;
    }
    const answer = await turn(thread_id, evalOf(label), crash);
    // An eval that a crash cut off after its call is told so, with the variables as they were.
    if (crash && answer.includes("This eval was cut off")) cutOff += 1;
    else if (answer === `I have the result: → ${n + 1}`) n += 1;
    else wrongAnswers += 1;
  }
  const counts = await again(() => server.agent(thread_id).counts());
  const { values } = await client.threads.getState(thread_id);
  return { counts, messages: values.messages.length };
}

const began = performance.now();
const outcomes = await Promise.all(Array.from({ length: threads }, (_, index) => conversation(index)));
const seconds = (performance.now() - began) / 1000;

const peakSessions = await again(() => server.agent("any").takePeakBytes());
let lost = 0;
let repeated = 0;
for (const { counts } of outcomes)
  for (let n = 1; n <= turns; n++) {
    const count = counts[`turn-${n}`] ?? 0;
    if (count === 0) lost += 1;
    if (count > 1) repeated += count - 1;
  }
const misshapen = outcomes.filter(({ messages }) => messages !== turns * 4).length;

const at = (values, share) => {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
};
console.log(`${threads} threads, ${turns} turns each, ${crashes} crashes in the middle of a run`);
console.log(`turns/s: ${((threads * turns) / seconds).toFixed(1)}`);
console.log(`undisturbed turn: p50 ${at(milliseconds, 0.5)} ms, p99 ${at(milliseconds, 0.99)} ms`);
console.log(
  `turn with a crash: p50 ${at(crashedMilliseconds, 0.5)} ms, p99 ${at(crashedMilliseconds, 0.99)} ms`,
);
console.log(`requests that met a closed connection and were sent again: ${resets}`);
console.log(`evals cut off after their call, told and not run again: ${cutOff}`);
console.log(
  `most memory: sessions ${Math.round(peakSessions / 1024 / 1024)} MiB, the whole runtime ${Math.round(peakResident)} MiB resident`,
);
console.log(`tool calls lost: ${lost}, repeated: ${repeated}`);
console.log(
  `streams with a gap: ${gaps}, wrong answers: ${wrongAnswers}, threads of a wrong length: ${misshapen}`,
);
process.exitCode = lost + repeated + gaps + wrongAnswers + misshapen > 0 ? 1 : 0;
await server.dispose();
