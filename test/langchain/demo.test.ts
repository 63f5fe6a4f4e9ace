import { readFile } from "node:fs/promises";
import { ToolMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, test } from "vitest";
import { createDemoAgent } from "../../web/demo/agent.js";
import { DataLibrary } from "../../web/demo/data-sets.js";
import { scenarios } from "../../web/demo/scenario.js";

const data = new URL("../../node_modules/vega-datasets/data/", import.meta.url);
const library = new DataLibrary((file) => readFile(new URL(file, data), "utf8"));

describe("the scripted demo", () => {
  for (const { id, turns } of scenarios) {
    if (id === "report" || id === "own-data") continue;
    test(`${id} ends every turn with an answer made from real results`, async () => {
      const agent = createDemoAgent({
        library,
        checkpointer: new MemorySaver(),
        // Only the endless loop has to meet its limit; the others take as long as a busy machine lets them.
        interpreter: { executionTimeoutMs: id === "loop" ? 1000 : 60_000 },
      });
      for (const { question } of turns) {
        const input = { messages: [{ role: "user", content: question }] };
        const { messages } = (await agent.invoke(input as never, { configurable: { thread_id: id } })) as {
          messages: { text: string }[];
        };
        const failures = messages.filter(
          (message) => ToolMessage.isInstance(message) && message.status === "error",
        );
        expect(failures).toHaveLength(id === "loop" ? 1 : 0);
        expect(messages.at(-1)!.text).not.toMatch(/The program answered/);
      }
    });
  }

  test("a dropped table is a tool of its own, and stays until it is removed", async () => {
    const own = new DataLibrary(async () => "[]");
    own.add("sales", "Rows of sales.csv", [
      { region: "north", amount: 3 },
      { region: "south", amount: 5 },
    ]);
    const agent = createDemoAgent({ library: own });
    const question = scenarios.find(({ id }) => id === "own-data")!.turns[0]!.question;
    const { messages } = (await agent.invoke({
      messages: [{ role: "user", content: question }],
    } as never)) as {
      messages: { text: string }[];
    };
    expect(messages.at(-1)!.text).toBe(
      "tools.loadSales has 2 rows and 2 columns, 1 of them numbers: region, amount.",
    );
    own.remove("sales");
    expect(own.own).toEqual([]);
  });
});
