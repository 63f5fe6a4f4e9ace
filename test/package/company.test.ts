/** The package beside others: a second copy of itself, and an application with an older zod. */
import { expect, test } from "vitest";
import { Consumer, langchain } from "./consumer.js";

test("errors of one copy are errors for another, and a store of one serves the middleware of another", async () => {
  const app = new Consumer({
    packages: langchain,
    files: {
      "index.js": `
        import { AIMessage, createAgent, fakeModel } from "langchain";
        import { MemorySaver } from "@langchain/langgraph";
        import { createCodeInterpreterMiddleware, InterpreterError, memoryStore } from "edge-interpreter";
        import * as other from "edge-interpreter-2";

        const error = await other.memoryStore().put("a", new Uint8Array(1), { replaces: "none" }).catch((e) => e);
        console.log(error instanceof InterpreterError, InterpreterError.isInstance(error), error.code);

        const store = other.memoryStore();
        const checkpointer = new MemorySaver();
        const turn = async (create, id, code) => {
          const model = fakeModel()
            .respond(new AIMessage({ content: "", tool_calls: [{ name: "eval", id, args: { code } }] }))
            .respond(new AIMessage("done"));
          const agent = createAgent({ model, tools: [], checkpointer, middleware: [create({ snapshots: store })] });
          const config = { configurable: { thread_id: "thread" } };
          const { messages } = await agent.invoke({ messages: [{ role: "user", content: "go" }] }, config);
          return messages.at(-2).text;
        };
        console.log(await turn(createCodeInterpreterMiddleware, "1", "const add = (a) => (b) => a + b; const four = add(4); 1"));
        console.log(await turn(other.createCodeInterpreterMiddleware, "2", "four(38)"));`,
    },
  });
  app.addCopy("edge-interpreter-2");
  expect((await app.node("index.js")).stdout).toBe("false true STORE_CONFLICT\n→ 1\n→ 42\n");
});

test("an application with zod 3 of its own gives it to its tools", async () => {
  const app = new Consumer({
    packages: [...langchain.filter((name) => name !== "zod"), "zod@zod-3"],
    files: {
      "index.js": `
        import { AIMessage, createAgent, fakeModel, tool } from "langchain";
        import { z } from "zod";
        import { createCodeInterpreterMiddleware } from "edge-interpreter";
        const double = tool(({ n }) => n * 2, { name: "double", description: "Doubles.", schema: z.object({ n: z.number() }) });
        const model = fakeModel()
          .respondWithTools([{ name: "eval", id: "1", args: { code: "await tools.double({ n: 21 })" } }])
          .respond(new AIMessage("done"));
        const agent = createAgent({ model, tools: [double], middleware: [createCodeInterpreterMiddleware({ ptc: [double] })] });
        const { messages } = await agent.invoke({ messages: [{ role: "user", content: "go" }] });
        console.log(typeof z.object({})._zod, messages.at(-2).text);
        console.log(/double\\(input: .*n: number/.test(model.calls[0].messages[0].text));`,
    },
  });
  expect((await app.node("index.js")).stdout).toBe("undefined → 42\ntrue\n");
});
