import { Command, getCurrentTaskInput, ReducedValue, StateSchema } from "@langchain/langgraph";
import { createDeepAgent } from "deepagents";
import fc from "fast-check";
import {
  AIMessage,
  createAgent,
  createMiddleware,
  fakeModel,
  HumanMessage,
  ToolMessage,
  tool,
} from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type GraphState, graphState } from "../../src/langchain/state/graph-state.js";
import { provideSynchronousStorage } from "../../src/langchain/synchronous-storage.js";
import { recordResult } from "../../src/langchain/tools/raw-result.js";
import { toGuestValue } from "../../src/langchain/tools/tool-result.js";

// In a tab the middleware does so with the first eval; here there is none.
provideSynchronousStorage();

const files = () =>
  new ReducedValue(
    z.record(z.string(), z.unknown()).default(() => ({})),
    { inputSchema: z.record(z.string(), z.unknown()).optional(), reducer: (a, b) => ({ ...a, ...b }) },
  );

/** Runs `program` in the place of an eval and gives the agent's final state. */
async function run(program: (state: GraphState, config: object) => Promise<unknown> | unknown) {
  const seen: unknown[] = [];
  const evalTool = tool(
    async (_, config) => {
      const state = graphState(config)!;
      seen.push(await program(state, config));
      return new Command({
        update: { messages: [new ToolMessage({ content: "ok", tool_call_id: config.toolCall?.id ?? "" })] },
      });
    },
    { name: "eval", description: "d", schema: z.object({}) },
  );
  const agent = createAgent({
    model: fakeModel()
      .respondWithTools([{ name: "eval", args: {} }])
      .respond(new AIMessage("end")),
    tools: [evalTool],
    middleware: [
      createMiddleware({
        name: "State",
        stateSchema: new StateSchema({
          files: files(),
          log: new ReducedValue(z.array(z.string()).default([]), {
            inputSchema: z.array(z.string()).optional(),
            reducer: (now: string[], more: string[] = []) => [...now, ...more],
          }),
          todos: z.array(z.string()).optional(),
          mode: z.string().optional(),
        }),
      }),
    ],
  });
  const final = await agent.invoke({ messages: [new HumanMessage("go")], todos: ["before"] });
  return { seen: seen[0], final };
}

describe("the agent's state in a program", () => {
  it("is that of the step, with what was written since", async () => {
    const { seen, final } = await run((state) => {
      const before = state.current()["todos"];
      state.write(1, [["files", { a: 1 }]]);
      state.write(2, [
        ["files", { b: 2 }],
        ["todos", ["one"]],
      ]);
      state.write(3, [["todos", ["two"]]]);
      return [before, state.current()["files"], state.current()["todos"]];
    });
    expect(seen).toEqual([["before"], { a: 1, b: 2 }, ["two"]]);
    expect(final).toMatchObject({ files: { a: 1, b: 2 }, todos: ["two"] });
  });

  it("reaches tools in their config, and LangGraph's own way to it", async () => {
    const { seen } = await run(async (state, config) => {
      state.write(1, [["files", { a: 1 }]]);
      const reader = tool(
        async (_, inner) => [
          Object.keys((inner as unknown as { state: { files: object } }).state.files),
          Object.keys(getCurrentTaskInput<{ files: object }>(inner).files),
        ],
        { name: "reader", description: "d", schema: z.object({}) },
      );
      const recorded = recordResult(reader, (given) => state.configFor(given as object, 2));
      const call = { name: "reader", args: {}, id: "c", type: "tool_call" };
      return recorded.result(await recorded.tool.invoke(call, config)).value;
    });
    expect(seen).toEqual([["a"], ["a"]]);
  });

  it("refuses a write to a key that the agent does not have, and writes nothing of that call", async () => {
    const { seen, final } = await run((state) => {
      try {
        state.write(1, [
          ["files", { a: 1 }],
          ["nowhere", 1],
        ]);
        return "written";
      } catch (error) {
        return (error as Error).message;
      }
    });
    expect(seen).toMatch(/writes "nowhere" to the agent's state/);
    expect(final.files).toEqual({});
  });

  it("lists its writes, to be made again: by call, and as one step takes them", async () => {
    const { seen } = await run((state) => {
      state.write(2, [["todos", ["y"]]]);
      state.write(1, [
        ["files", { a: 1 }],
        ["todos", ["x"]],
      ]);
      return [state.updates(), state.calls()];
    });
    expect(seen).toEqual([
      [
        ["files", { a: 1 }],
        ["todos", ["y"]],
      ],
      [
        [1, "files", { a: 1 }],
        [1, "todos", ["x"]],
        [2, "todos", ["y"]],
      ],
    ]);
  });

  it("is the same whichever of the calls ends first", async () => {
    const write = fc.record({
      call: fc.integer({ min: 1, max: 6 }),
      key: fc.constantFrom("log", "files", "mode"),
      value: fc.string({ maxLength: 3 }),
    });
    const updateOf = (key: string, value: string): unknown =>
      key === "log" ? [value] : key === "files" ? { last: value, [value]: value } : value;
    await fc.assert(
      fc.asyncProperty(fc.array(write, { maxLength: 12 }), async (writes) => {
        // Within a call the order is that of its writes, so a stable sort gives what has to come out.
        const ordered = writes.toSorted((a, b) => a.call - b.call);
        const { seen, final } = await run((state) => {
          for (const { call, key, value } of writes) state.write(call, [[key, updateOf(key, value)]]);
          return state.current();
        });
        const of = (key: string) => ordered.filter((one) => one.key === key).map(({ value }) => value);
        const expected = {
          log: of("log"),
          files: Object.assign({}, ...of("files").map((value) => updateOf("files", value))) as object,
          ...(of("mode").length > 0 ? { mode: of("mode").at(-1) } : {}),
        };
        expect(seen).toMatchObject(expected);
        expect(final).toMatchObject(expected);
        expect((final as unknown as { files: object }).files).toEqual(expected.files);
      }),
      { numRuns: 30 },
    );
  });

  it("does not exist outside a graph", () => {
    expect(graphState({})).toBeUndefined();
    expect(graphState({ configurable: { thread_id: "t" } })).toBeUndefined();
  });
});

describe("files that a subagent writes", () => {
  it("are there for the next call of the same program, and afterwards", async () => {
    const writer = fakeModel()
      .respond(
        new AIMessage({
          content: "",
          tool_calls: [
            { name: "write_file", args: { file_path: "/out.md", content: "hi" }, id: "w", type: "tool_call" },
          ],
        }),
      )
      .respond(new AIMessage("written"));
    const found: unknown[] = [];
    const caller = createMiddleware({
      name: "Caller",
      tools: [tool(async () => "", { name: "eval", description: "d", schema: z.object({}) })],
      wrapToolCall: async (request, handler) => {
        const { configurable } = request.runtime;
        const state = graphState({ configurable })!;
        const byName = (name: string, args: object) =>
          handler({
            ...request,
            toolCall: { name, args: { ...args }, id: name, type: "tool_call" },
            tool: undefined,
          });
        const done = toGuestValue(await byName("task", { description: "go", subagent_type: "writer" }));
        state.write(1, done.updates);
        found.push(done.value, Object.keys(state.current()["files"] as object));
        return new ToolMessage({ content: "ok", tool_call_id: request.toolCall.id ?? "" });
      },
    });
    const agent = createDeepAgent({
      model: fakeModel()
        .respondWithTools([{ name: "eval", args: {} }])
        .respond(new AIMessage("end")),
      middleware: [caller],
      subagents: [{ name: "writer", description: "writes", systemPrompt: "p", model: writer, tools: [] }],
    });
    const final = await agent.invoke({ messages: [new HumanMessage("go")] });
    expect(found).toEqual(["written", ["/out.md"]]);
    expect(Object.keys(final.files ?? {})).toEqual(["/out.md"]);
  });
});
