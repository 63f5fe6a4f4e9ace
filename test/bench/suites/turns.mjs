/**
 * 6. A whole agent turn: the model asks for n tool results, once through code in one `eval`, once as n direct tool
 * calls in one message. The model is a fake that answers at once, so what is left is the framework's own time; tokens
 * are what the provider would be sent and would write, at four characters each.
 */
import { createCodeInterpreterMiddleware as reference } from "@langchain/quickjs";
import { createCodeInterpreterMiddleware } from "edge-interpreter";
import { AIMessage, createAgent, fakeModel } from "langchain";
import { interleave } from "../measure.mjs";

const middleware = {
  "edge-interpreter": () =>
    createCodeInterpreterMiddleware({ ptc: ["echo"], maxPtcCalls: null, executionTimeoutMs: 60_000 }),
  "@langchain/quickjs": () => reference({ ptc: ["echo"], maxPtcCalls: null, executionTimeoutMs: 60_000 }),
};
const DIRECT = "direct tool calls";
const code = (n) =>
  `const all = await Promise.all(Array.from({ length: ${n} }, (_, i) => tools.echo({ text: "item " + i })));\nall.filter((text) => text.endsWith("7")).length`;

export async function run({ rounds, tool, sizes = [1, 10, 1000] }) {
  const times = [];
  const tokens = [];
  for (const calls of sizes) {
    const label = calls === 1 ? "1 tool call" : `${calls} tool calls`;
    const contestants = { [DIRECT]: { run: () => turn(tool, directCalls(calls)) } };
    for (const [name, make] of Object.entries(middleware)) {
      contestants[name] = { run: () => turn(tool, [{ name: "eval", args: { code: code(calls) } }], make()) };
    }
    times.push({
      label,
      cells: await interleave(contestants, { rounds: Math.min(rounds, 7), sampleMs: 20 }),
    });
    const spent = {};
    for (const [name, { run: once }] of Object.entries(contestants)) {
      const count = await once();
      spent[name] = { median: count, p95: count, samples: 1 };
    }
    tokens.push({ label, cells: spent });
  }
  return [
    {
      title: "Agent turn: wall time",
      unit: "ms",
      note: "A new middleware and thread every time, so each turn starts a session. The model answers at once.",
      rows: times,
    },
    {
      title: "Agent turn: tokens",
      unit: "tokens",
      note: "Everything sent to the model in both calls of the turn (the interpreter's prompt included) and everything it writes; characters / 4.",
      rows: tokens,
    },
  ];
}

const directCalls = (n) =>
  Array.from({ length: n }, (_, i) => ({ name: "echo", args: { text: `item ${i}` } }));

let threads = 0;

/** @returns How many tokens the turn took. */
async function turn(tool, calls, interpreter) {
  const model = fakeModel()
    .respond(
      new AIMessage({
        content: "",
        tool_calls: calls.map((call, index) => ({ ...call, id: `call_${index}`, type: "tool_call" })),
      }),
    )
    .respond(new AIMessage("Done."));
  const agent = createAgent({ model, tools: [tool], middleware: interpreter ? [interpreter] : [] });
  const result = await agent.invoke(
    { messages: [{ role: "user", content: "How many of the items end in 7?" }] },
    { configurable: { thread_id: `bench-${threads++}` }, recursionLimit: 50 },
  );
  if (result.messages.at(-1).content !== "Done.") throw new Error("The turn did not end.");
  const failed = result.messages.find((message) => message.status === "error");
  if (failed) throw new Error(String(failed.content));
  const written = result.messages.filter((message) => message.type === "ai").map(size);
  const read = model.calls.map(({ messages }) => messages.reduce((sum, message) => sum + size(message), 0));
  return Math.round([...written, ...read].reduce((sum, chars) => sum + chars, 0) / 4);
}

function size({ content, tool_calls: calls }) {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return (
    text.length + (calls?.length ? JSON.stringify(calls.map(({ name, args }) => ({ name, args }))).length : 0)
  );
}
