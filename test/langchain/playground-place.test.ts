import { readFile } from "node:fs/promises";
import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, test } from "vitest";
import { memoryStore } from "../../src/store.js";
import { createDemoAgent } from "../../web/demo/agent.js";
import { DataLibrary } from "../../web/demo/data-sets.js";
import { moviesScenario } from "../../web/demo/scenario.js";
import { AgentPlace } from "../../web/playground/agent/place.js";
import type { RunEvent } from "../../web/playground/agent/stream-events.js";
import { createTabPort } from "../../web/playground/agent/tab-port.js";

const data = new URL("../../node_modules/vega-datasets/data/", import.meta.url);

function openPlace(): AgentPlace {
  const library = new DataLibrary((file) => readFile(new URL(file, data), "utf8"));
  const snapshots = memoryStore();
  const agent = createDemoAgent({ library, checkpointer: new MemorySaver(), interpreter: { snapshots } });
  return new AgentPlace(createTabPort(async () => agent, snapshots));
}

const never = new AbortController().signal;
const toolNames = ["list_datasets", "describe_dataset", "load_rows", "draw_chart", "publish_report"];

async function last(events: AsyncIterable<RunEvent>) {
  const all: RunEvent[] = [];
  for await (const event of events) all.push(event);
  const threads = all.flatMap((event) => (event.type === "thread" ? [event.thread] : []));
  return { all, thread: threads.at(-1)! };
}

describe("a person's own cell", () => {
  test("runs in the model's session with its tools, before and after the model's evals", async () => {
    const place = openPlace();
    const first = await last(
      place.runCode(
        "t",
        "const mine = (await tools.loadRows({ dataset: 'cars' })).length; mine",
        toolNames,
        never,
      ),
    );
    expect(first.thread.messages.at(-1)).toMatchObject({ kind: "tool", failed: false });
    expect(first.thread.messages.at(-1)!.text).toContain("→ 406");
    const asked = await last(place.ask("t", moviesScenario[0]!.question, never));
    expect(asked.thread.messages.at(-1)!.text).toContain("by genre:");
    const second = await last(place.runCode("t", "[mine, movies.length, typeof rankBy]", toolNames, never));
    expect(second.thread.messages.at(-1)!.text).toContain('→ [406, 3201, "function"]');
    expect(second.all.filter(({ type }) => type === "chunk")).toEqual([]);
    const next = await last(place.ask("t", moviesScenario[1]!.question, never));
    expect(next.thread.messages.at(-1)!.text).toContain("Among distributors:");
  });

  test("gives the history a point per snapshot, and a thread can be written elsewhere from it", async () => {
    const place = openPlace();
    await last(place.runCode("t", "var a = 1", toolNames, never));
    await last(place.runCode("t", "a = 2; var b = () => a", toolNames, never));
    const points = await place.history("t");
    expect(points.map(({ interpreter }) => interpreter.version)).toEqual([1, 2]);
    const other = openPlace();
    await other.write("t", await place.read("t"));
    const moved = await last(other.runCode("t", "b() + 40", toolNames, never));
    expect(moved.thread.messages.at(-1)!.text).toContain("→ 42");
  });
});

test("a stopped run leaves no call unanswered, and the thread goes on with what its program had changed", async () => {
  const place = openPlace();
  const stop = new AbortController();
  const events = place.runCode(
    "t",
    "var n = 1; console.log('started'); await new Promise((r) => setTimeout(r, 60000)); n = 2",
    toolNames,
    stop.signal,
  );
  for await (const event of events)
    if (event.type === "progress" && event.event.type === "interpreter_console") stop.abort();
  const { messages } = await place.load("t");
  expect(messages.at(-2)).toMatchObject({
    kind: "tool",
    failed: true,
    text: "Stopped by the person. What it had changed by then stays.",
  });
  expect(messages.at(-1)).toMatchObject({ kind: "ai", text: "Stopped." });
  // Moved before anything else runs, the thread has it too.
  const other = openPlace();
  await other.write("t", await place.read("t"));
  for (const each of [place, other]) {
    const after = await last(each.runCode("t", "n", toolNames, never));
    expect(after.thread.messages.at(-1)!.text).toBe("→ 1");
  }
});
