/**
 * `npm start`: serves the sample Worker with the playground on loopback, asks its agent one question in the terminal,
 * and says which address to open. Ctrl-C ends the server too.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Client } from "@langchain/langgraph-sdk";
import { moviesScenario } from "../dist/web/demo/scenario.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const FIRST_PORT = 8787;

const port = await choosePort();
const server = spawn(
  process.execPath,
  [
    "node_modules/wrangler/bin/wrangler.js",
    "dev",
    "--local",
    ...["--ip", "127.0.0.1", "--port", String(port), "--inspector-port", "0"],
  ],
  {
    cwd: root,
    // A group of its own, so that the whole of it can be ended: wrangler starts workerd.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      CI: "1",
      WRANGLER_SEND_METRICS: "false",
      WRANGLER_SEND_ERROR_REPORTS: "false",
      WRANGLER_HIDE_BANNER: "true",
      CLOUDFLARE_CF_FETCH_ENABLED: "false",
    },
  },
);
let stopping = false;
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => stop(0));
server.on("exit", (code) => {
  if (stopping) return;
  console.error(`The server ended with code ${code}.\n${output.join("\n")}`);
  process.exit(1);
});

const output = [];
await ready();
const address = `http://127.0.0.1:${port}`;
try {
  await demoTurn(address);
} catch (error) {
  console.error(error);
  await stop(1);
}
console.log(`\nThe playground: ${address}`);
console.log("Ctrl-C stops the server.");
if (process.env.START_ONCE) await stop(0);

async function choosePort() {
  const wanted = process.env.PORT;
  if (wanted !== undefined) {
    const number = Number(wanted);
    if (!Number.isInteger(number) || number < 1 || number > 65535) {
      console.error(`PORT must be a port number, but it is ${JSON.stringify(wanted)}.`);
      process.exit(1);
    }
    if (await isFree(number)) return number;
    console.error(
      `Port ${number} is taken. Set PORT to another one, or leave it out to use the next free one.`,
    );
    process.exit(1);
  }
  for (let candidate = FIRST_PORT; candidate < FIRST_PORT + 100; candidate++) {
    if (await isFree(candidate)) return candidate;
  }
  console.error(`No free port from ${FIRST_PORT} to ${FIRST_PORT + 99}.`);
  process.exit(1);
}

function isFree(candidate) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(candidate, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}

/** wrangler prints "Ready on" when the first request may come. */
function ready() {
  return new Promise((resolve) => {
    for (const stream of [server.stdout, server.stderr]) {
      createInterface({ input: stream }).on("line", (line) => {
        output.push(line);
        if (output.length > 40) output.shift();
        if (line.includes("Ready on")) resolve();
      });
    }
  });
}

async function stop(code) {
  if (stopping) return;
  stopping = true;
  const ended = once(server, "exit");
  try {
    process.kill(-server.pid, "SIGTERM");
    await ended;
  } catch {
    // It has ended by itself.
  }
  process.exit(code);
}

async function demoTurn(apiUrl) {
  const client = new Client({ apiUrl });
  const { thread_id } = await client.threads.create();
  const [{ question }] = moviesScenario;
  console.log(`\nQuestion   ${question}\n`);
  let unread = 0;
  let rows = 0;
  const run = client.runs.stream(thread_id, "agent", {
    input: { messages: [{ role: "user", content: question }] },
    streamMode: ["updates", "custom"],
  });
  for await (const { event, data } of run) {
    if (event === "error") throw new Error(data.message ?? JSON.stringify(data));
    if (event === "custom") {
      if (data.type === "demo_rows") {
        rows += data.rows;
        console.log(`  loaded   ${data.rows} rows of ${data.dataset}`);
      } else if (data.type === "interpreter_call" && data.phase === "end") {
        unread += data.resultChars;
        console.log(
          `  call     tools.${data.name} in ${data.durationMs.toFixed(0)} ms, ${data.resultChars} characters`,
        );
      } else if (data.type === "interpreter_console") {
        console.log(`  console  ${data.text}`);
      }
    }
    if (event === "updates") for (const update of Object.values(data)) printMessages(update?.messages ?? []);
  }
  const { values } = await client.threads.getState(thread_id);
  const result = values.messages.find((message) => message.type === "tool")?.content ?? "";
  const stored = values._interpreter?.snapshot?.bytes;
  console.log(
    `\nThe code loaded ${rows} rows: ${unread} characters stayed out of the model's context, which read ${result.length}.`,
  );
  if (stored) console.log(`The session, variables and functions included, was saved in ${stored} bytes.`);
}

function printMessages(messages) {
  for (const message of messages) {
    if (message.type === "ai") {
      for (const call of message.tool_calls ?? []) console.log(`Code\n${indent(call.args.code)}\n`);
      if (message.content) console.log(`\nAnswer\n${indent(message.content)}`);
    } else if (message.type === "tool") {
      console.log(`\nResult\n${indent(message.content)}`);
    }
  }
}

function indent(text) {
  return text.replaceAll(/^/gm, "  ");
}
