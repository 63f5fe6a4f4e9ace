import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { Command, interrupt } from "@langchain/langgraph";
import { createAgent, fakeModel, tool } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { createCodeInterpreterMiddleware } from "../../src/langchain/index.js";
import {
  BrowserDatabase,
  IndexedDBSaver,
  indexedDBStore,
  installSynchronousLocalStorage,
} from "../../web/index.js";
import { type Answer, asked, evalCall, texts } from "../support/approval-answers.js";
import { freshDatabaseName } from "../support/indexeddb-store-under-test.js";

installSynchronousLocalStorage();

test.each(["the checkpoints", "a store"])(
  "code in a tab waits for a person through reloads, kept beside %s",
  async (place) => {
    const databaseName = freshDatabaseName();
    const done: string[] = [];
    const send = tool(
      async ({ to }) => {
        await new Promise((resolve) => setTimeout(resolve, 0));
        done.push(to);
        return `sent ${to}`;
      },
      { name: "send", description: "sends", schema: z.object({ to: z.string() }) },
    );
    const ask = tool(async ({ q }) => `answer ${String(interrupt({ q }))}`, {
      name: "ask",
      description: "asks",
      schema: z.object({ q: z.string() }),
    });
    const messages = [
      evalCall(
        "console.log('once'); const got = [await tools.send({ to: 'a' }), await tools.ask({ q: 'sure?' }), await tools.send({ to: 'b' })]; got.join()",
        "call",
      ),
      new AIMessage("end"),
    ];
    /** A page shares nothing with the one before but the database. */
    const page = async (input: unknown): Promise<Answer> => {
      const database = new BrowserDatabase({ databaseName, fallback: "error" });
      const model = fakeModel();
      for (const message of messages) model.respond(message);
      const agent = createAgent({
        model,
        tools: [send, ask],
        middleware: [
          createCodeInterpreterMiddleware({
            ptc: ["send", "ask"],
            interruptOn: { send: true },
            ...(place === "a store" ? { snapshots: indexedDBStore({ database }) } : {}),
          }),
        ],
        checkpointer: new IndexedDBSaver({ database }),
      });
      const answer = await agent.invoke(input as never, { configurable: { thread_id: "t" } });
      messages.splice(0, model.callCount);
      await database.close();
      return answer as unknown as Answer;
    };
    const approve = new Command({ resume: { decisions: [{ type: "approve" }] } });
    const first = await page({ messages: [new HumanMessage("go")] });
    expect(asked(first).actionRequests[0]).toMatchObject({ name: "send", args: { to: "a" } });
    expect((await page(approve)).__interrupt__?.[0]?.value).toEqual({ q: "sure?" });
    expect(asked(await page(new Command({ resume: "yes" }))).actionRequests[0]?.args).toEqual({ to: "b" });
    const end = await page(approve);
    expect(texts(end)).toEqual(["once\n→ sent a,answer yes,sent b"]);
    expect(done).toEqual(["a", "b"]);
    indexedDB.deleteDatabase(databaseName);
  },
);
