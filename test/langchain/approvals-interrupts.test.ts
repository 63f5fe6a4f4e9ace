import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { StructuredTool } from "@langchain/core/tools";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { createDeepAgent } from "deepagents";
import {
  type AgentMiddleware,
  createAgent,
  createMiddleware,
  fakeModel,
  humanInTheLoopMiddleware,
  tool,
} from "langchain";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { createCodeInterpreterMiddleware } from "../../src/langchain/index.js";

import { type Answer, evalCall, texts } from "../support/approval-answers.js";
import { hasAsyncContext } from "../support/async-context.js";

const question = { messages: [new HumanMessage("go")] };
const config = { configurable: { thread_id: "t" } };
const approve = { decisions: [{ type: "approve" }] };

class AskInClass extends StructuredTool {
  name = "ask_in_class";
  description = "asks";
  schema = z.object({ q: z.string() });
  async _call({ q }: { q: string }) {
    return `class ${String(interrupt({ q }))}`;
  }
}

/** Tools that ask, and what was done. */
function asking() {
  const done: string[] = [];
  const ask = tool(
    async ({ q }) => {
      done.push(`begin ${q}`);
      const answer: unknown = interrupt({ q });
      done.push(`end ${q}`);
      return `${q}=${String(answer)}`;
    },
    { name: "ask", description: "asks", schema: z.object({ q: z.string() }) },
  );
  const askTwice = tool(
    async ({ q }) => [interrupt({ q, part: 1 }), interrupt({ q, part: 2 })].map(String).join("+"),
    { name: "ask_twice", description: "asks twice", schema: z.object({ q: z.string() }) },
  );
  const askNumber = tool(async () => interrupt({ q: "n" }, { responseSchema: z.number() }), {
    name: "ask_number",
    description: "asks for a number",
    schema: z.object({}),
  });
  const send = tool(
    async ({ to }) => {
      done.push(`send ${to}`);
      return `sent ${to}`;
    },
    { name: "send", description: "sends", schema: z.object({ to: z.string() }) },
  );
  const remember = tool(async ({ fact }) => new Command({ update: { facts: [fact], last: fact } }), {
    name: "remember",
    description: "remembers",
    schema: z.object({ fact: z.string() }),
  });
  return { done, tools: [ask, askTwice, askNumber, send, remember, new AskInClass()] };
}

const facts = createMiddleware({
  name: "Facts",
  stateSchema: z.object({
    facts: z.array(z.string()).default([]),
    last: z.string().optional(),
  }),
});

function processes(code: string | AIMessage[]) {
  const { done, tools } = asking();
  const checkpointer = new MemorySaver();
  const messages = typeof code === "string" ? [evalCall(code, "a"), new AIMessage("end")] : code;
  const start = () => {
    const model = fakeModel();
    for (const message of messages) model.respond(message);
    const agent = createAgent({
      model,
      tools,
      middleware: [
        createCodeInterpreterMiddleware({ ptc: tools.map(({ name }) => name), interruptOn: { send: true } }),
        facts,
      ],
      checkpointer,
    });
    let used = 0;
    const take = async (input: unknown) => {
      const answer = (await agent.invoke(input as never, config)) as unknown as Answer &
        Record<string, unknown>;
      messages.splice(0, model.callCount - used);
      used = model.callCount;
      return answer;
    };
    return { agent, ask: () => take(question), resume: (resume: unknown) => take(new Command({ resume })) };
  };
  return { start, done };
}

const values = (answer: Answer) => answer.__interrupt__?.map(({ value }) => value as unknown);

test.each(["same", "another"])(
  "interrupt() in a tool pauses the run and gets its answer, in the %s process",
  async (where) => {
    const { start, done } = processes(
      "let seen; try { seen = await tools.ask({ q: 'ok?' }) } catch (error) { seen = 'caught ' + error } finally { console.log('finally') } seen",
    );
    const first = start();
    expect(values(await first.ask())).toEqual([{ q: "ok?" }]);
    const end = await (where === "same" ? first : start()).resume("yes");
    expect(texts(end)).toEqual(["finally\n→ ok?=yes"]);
    expect(done).toEqual(["begin ok?", "begin ok?", "end ok?"]);
  },
);

// Resumed, a tool is run by LangGraph alone, which sets the context of functions but not of classes.
test.skipIf(!hasAsyncContext).each(["same", "another"])(
  "a tool may ask twice, beside other calls that ask, in the %s process",
  async (where) => {
    const { start, done } = processes(
      "(await Promise.all([tools.askTwice({ q: 'x' }), tools.ask({ q: 'y' }), tools.send({ to: 'z' }), tools.askInClass({ q: 'w' })])).join()",
    );
    let run = start();
    const asked: unknown[] = [];
    let answer = await run.ask();
    for (let round = 0; values(answer); round++) {
      const [value] = values(answer) as [Record<string, unknown>];
      if (round > 7) throw new Error(JSON.stringify(asked));
      asked.push(value["actionRequests"] ? "approval" : `${value["q"]}${value["part"] ?? ""}`);
      if (where === "another") run = start();
      answer = await run.resume(
        value["actionRequests"] ? approve : `answer ${String(value["q"])}${String(value["part"] ?? "")}`,
      );
    }
    expect(texts(answer)).toEqual(["→ answer x1+answer x2,y=answer y,sent z,class answer w"]);
    expect([...asked].sort()).toEqual(["approval", "w", "x1", "x2", "y"]);
    expect(done.filter((entry) => entry !== "begin y")).toEqual(expect.arrayContaining(["end y", "send z"]));
    expect(done.filter((entry) => entry === "end y" || entry === "send z")).toHaveLength(2);
  },
);

test("an answer that the tool's schema refuses is asked again", async () => {
  const { start } = processes("await tools.askNumber({})");
  await start().ask();
  const again = await start().resume("seven");
  expect(values(again)).toEqual([{ q: "n" }]);
  expect(texts(await start().resume(7))).toEqual(["→ 7"]);
});

test("what calls wrote to the agent's state before the pause is there after it, once", async () => {
  const { start } = processes(
    "await tools.remember({ fact: 'a' }); await tools.send({ to: 'x' }); await tools.remember({ fact: 'b' }); await tools.send({ to: 'y' }); 1",
  );
  await start().ask();
  await start().resume(approve);
  const end = await start().resume(approve);
  expect(end["last"]).toBe("b");
  expect(texts(end)).toEqual(["→ 1"]);
});

test("an eval beside one that pauses in the same message is told to come again", async () => {
  const { start, done } = processes([
    new AIMessage({
      content: "",
      tool_calls: [
        { name: "eval", args: { code: "var x = 1; await tools.send({ to: 'm' }); x = 2" }, id: "a" },
        { name: "eval", args: { code: "x + 10" }, id: "b" },
      ],
    }),
    evalCall("x + 100", "c"),
    new AIMessage("end"),
  ]);
  const first = await start().ask();
  expect(values(first)).toHaveLength(1);
  const end = await start().resume(approve);
  const [a, b, c] = texts(end);
  expect(a).toContain("→ 2");
  expect(b).toContain("another eval of the same message waits");
  expect(c).toContain("→ 102");
  expect(done).toEqual(["send m"]);
});

test("evals of one message before the one that pauses keep what they did", async () => {
  const { start } = processes([
    new AIMessage({
      content: "",
      tool_calls: [
        { name: "eval", args: { code: "var x = 1" }, id: "a" },
        { name: "eval", args: { code: "await tools.send({ to: 'm' }); x += 1" }, id: "b" },
      ],
    }),
    evalCall("x + 100", "c"),
    new AIMessage("end"),
  ]);
  await start().ask();
  expect(texts(await start().resume(approve))[2]).toContain("→ 102");
});

// LangChain's own approvals look for the run around them, which a tab does not have.
test.skipIf(!hasAsyncContext).each([1, 2])(
  "an approval inside %i subagent(s) reaches the call in code, across processes",
  async (count) => {
    const done: string[] = [];
    const checkpointer = new MemorySaver();
    const wipe = tool(
      async ({ path }) => {
        done.push(path);
        return `wiped ${path}`;
      },
      { name: "wipe", description: "wipes", schema: z.object({ path: z.string() }) },
    );
    const paths = ["one", "two"].slice(0, count);
    const list = JSON.stringify(paths);
    const outer = [
      evalCall(
        `(await Promise.all(${list}.map((path) => task({ description: path, subagentType: "cleaner" })))).join(" | ")`,
        "a",
      ),
      new AIMessage("end"),
    ];
    const start = () => {
      const model = fakeModel();
      for (const message of outer) model.respond(message);
      const cleaner = fakeModel();
      // Whichever subagent asks: first it calls the tool, then it ends.
      for (let step = 0; step < 8; step++)
        cleaner.respond((messages) => {
          const last = messages.at(-1);
          if (ToolMessage.isInstance(last)) return new AIMessage(`report ${last.text}`);
          const path = String(messages.at(-1)?.text);
          return new AIMessage({
            content: "",
            tool_calls: [{ name: "wipe", args: { path }, id: `w-${path}`, type: "tool_call" }],
          });
        });
      const agent = createDeepAgent({
        model,
        middleware: [createCodeInterpreterMiddleware()],
        checkpointer,
        subagents: [
          {
            name: "cleaner",
            description: "cleans",
            systemPrompt: "clean",
            model: cleaner,
            tools: [wipe],
            interruptOn: { wipe: true },
          },
        ],
      });
      let used = 0;
      const take = async (input: unknown) => {
        const answer = (await agent.invoke(input as never, config)) as unknown as Answer;
        outer.splice(0, model.callCount - used);
        used = model.callCount;
        return answer;
      };
      return { ask: () => take(question), resume: (resume: unknown) => take(new Command({ resume })) };
    };
    let answer = await start().ask();
    const seen: unknown[] = [];
    for (let round = 0; round < count; round++) {
      const [value] = values(answer) as [{ actionRequests: { name: string; args: { path: string } }[] }];
      expect(value.actionRequests[0]?.name).toBe("wipe");
      seen.push(value.actionRequests[0]?.args.path);
      expect(done).toHaveLength(round);
      answer = await start().resume(approve);
    }
    expect(seen.sort()).toEqual(paths);
    expect(texts(answer)).toEqual([`→ ${paths.map((path) => `report wiped ${path}`).join(" | ")}`]);
    expect([...done].sort()).toEqual(paths);
  },
);

test("task() itself can be gated, and edited", async () => {
  const checkpointer = new MemorySaver();
  const model = fakeModel()
    .respond(evalCall("await task({ description: 'first', subagentType: 'general-purpose' })", "a"))
    .respond((messages) => new AIMessage(`did ${messages.at(-1)?.text}`))
    .respond(new AIMessage("end"));
  const agent = createDeepAgent({
    model,
    middleware: [createCodeInterpreterMiddleware({ interruptOn: { task: true } })],
    checkpointer,
  });
  const first = (await agent.invoke(question, config)) as unknown as Answer;
  expect(first.__interrupt__?.[0]?.value.actionRequests[0]).toMatchObject({
    name: "task",
    args: { description: "first", subagent_type: "general-purpose" },
  });
  const editedAction = { name: "task", args: { description: "second", subagent_type: "general-purpose" } };
  const end = (await agent.invoke(
    new Command({ resume: { decisions: [{ type: "edit", editedAction }] } }),
    config,
  )) as unknown as Answer;
  expect(texts(end)).toEqual(["→ did second"]);
});

test("two evals that both wait are answered by id, never both with one answer", async () => {
  const { done, tools } = asking();
  const model = fakeModel()
    .respond(
      new AIMessage({
        content: "",
        tool_calls: ["one", "two"].map((to) => ({
          name: "eval",
          args: { code: `await tools.send({ to: "${to}" })` },
          id: to,
        })),
      }),
    )
    .respond(new AIMessage("end"));
  const agent = createAgent({
    model,
    tools,
    middleware: [
      createCodeInterpreterMiddleware({ mode: "call", ptc: ["send"], interruptOn: { send: true } }),
    ],
    checkpointer: new MemorySaver(),
  });
  const take = async (input: unknown) => (await agent.invoke(input as never, config)) as unknown as Answer;
  expect(values(await take(question))).toHaveLength(2);
  const again = await take(new Command({ resume: approve }));
  expect(done).toEqual([]);
  expect(again.__interrupt__?.map(({ value }) => value.error)).toEqual([
    expect.stringMatching(/by its id/),
    expect.stringMatching(/by its id/),
  ]);
  const answers = again.__interrupt__?.map(({ id, value }) => {
    const isFirst = value.actionRequests[0]?.args["to"] === "one";
    return [id, isFirst ? approve : { decisions: [{ type: "reject", message: "no" }] }];
  });
  const end = await take(new Command({ resume: Object.fromEntries(answers ?? []) }));
  expect(done).toEqual(["send one"]);
  expect(texts(end)[0]).toBe("→ sent one");
  expect(texts(end)[1]).toContain("RejectedError: no");
});

test("values keep their types in the process that paused", async () => {
  const number = tool(async () => 5, { name: "number", description: "five", schema: z.object({}) });
  const send = tool(async () => "sent", { name: "send", description: "sends", schema: z.object({}) });
  const model = fakeModel()
    .respond(evalCall("await tools.send({}); (await tools.number({})) + 1", "a"))
    .respond(new AIMessage("end"));
  const agent = createAgent({
    model,
    tools: [number, send],
    middleware: [createCodeInterpreterMiddleware({ ptc: ["number", "send"], interruptOn: { send: true } })],
    checkpointer: new MemorySaver(),
  });
  await agent.invoke(question, config);
  const end = (await agent.invoke(new Command({ resume: approve }), config)) as unknown as Answer;
  expect(texts(end)).toEqual(["→ 6"]);
});

test("a tool that the run gates for the model but not for code is warned of, once", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const { tools } = asking();
  const model = fakeModel().respond(new AIMessage("hi")).respond(new AIMessage("hi"));
  const agent = createAgent({
    model,
    tools,
    middleware: [
      humanInTheLoopMiddleware({} as never) as unknown as AgentMiddleware,
      createCodeInterpreterMiddleware({ ptc: ["send", "ask"], interruptOn: { ask: true } }),
    ],
  });
  const context = { interruptOn: { send: true, ask: true, remember: true } };
  for (let turn = 0; turn < 2; turn++) await agent.invoke(question, { context } as never);
  expect(warn.mock.calls).toEqual([[expect.stringMatching(/^Code may call send without an approval/)]]);
  warn.mockRestore();
});
