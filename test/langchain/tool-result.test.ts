import { AIMessage, HumanMessage, RemoveMessage, ToolMessage } from "@langchain/core/messages";
import { Command, Send } from "@langchain/langgraph";
import { createAgent, createMiddleware, fakeModel, tool } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { liftContentBlocks } from "../../src/langchain/tools/content-blocks.js";
import { recordResult } from "../../src/langchain/tools/raw-result.js";
import { ToolFailure, toGuestValue } from "../../src/langchain/tools/tool-result.js";

const message = (content: unknown, more: object = {}) =>
  new ToolMessage({ content: content as string, tool_call_id: "c", ...more });
const image = { type: "image", mimeType: "image/png", data: "aGk=" };

describe("values of tool results", () => {
  const bytes = new Uint8Array([1, 2]);
  it.each([
    ["a string", "plain"],
    ["a string that looks like JSON", '{"a":1}'],
    ["an empty string", ""],
    ["a number", 42],
    ["null", null],
    ["undefined", undefined],
    ["an object", { rows: [{ id: 1 }] }],
    ["a list", [1, "2"]],
    ["an empty list", []],
    ["bytes", bytes],
    ["a map", new Map([["a", 1]])],
    ["a date", new Date(0)],
    ["a big integer", 10n],
    [
      "data that looks like blocks",
      [
        { type: "file", path: "/a" },
        { type: "text", size: 3 },
      ],
    ],
    ["rows with a type and a text", [{ type: "note", text: "x" }]],
  ])("leaves %s as it is", (_, value) => {
    expect(toGuestValue(value)).toEqual({ value, updates: [] });
  });

  it.each([
    ["a message", message("text"), "text"],
    [
      "a message of blocks",
      message([
        { type: "text", text: "A" },
        { type: "text", text: "B" },
      ]),
      "A\nB",
    ],
    [
      "blocks",
      [
        { type: "text", text: "A" },
        { type: "text", text: "B" },
      ],
      "A\nB",
    ],
    ["one block", { type: "text", text: "A" }, "A"],
    ["several messages", [message("one"), message("two")], "two"],
    ["another kind of message", new AIMessage("said"), "said"],
  ])("unwraps %s", (_, result, value) => {
    expect(toGuestValue(result)).toEqual({ value, updates: [] });
  });

  it("keeps blocks where an image is among them, for the program to return", () => {
    const blocks = [{ type: "text", text: "see" }, image];
    expect(toGuestValue(blocks).value).toEqual(blocks);
    expect(liftContentBlocks(blocks)).toEqual({ text: "see", blocks: [image] });
    expect(liftContentBlocks(image)).toEqual({ text: "", blocks: [image] });
  });

  it.each([["text"], [[]], [[{ type: "text", text: "A" }]], [{ image }], [[image, { a: 1 }]], [undefined]])(
    "lifts no blocks from %j",
    (value) => {
      expect(liftContentBlocks(value)).toBeUndefined();
    },
  );
});

describe("results with data behind the text", () => {
  const structured = [{ type: "mcp_structured_content", data: { n: 1 } }];

  it("prefers structured content of MCP tools", () => {
    expect(toGuestValue("summary", structured).value).toEqual({ n: 1 });
    expect(toGuestValue(message("summary", { artifact: structured })).value).toEqual({ n: 1 });
    expect(toGuestValue({ type: "text", text: "s", structuredContent: { n: 1 } }).value).toEqual({ n: 1 });
    expect(toGuestValue("summary", [{ type: "mcp_structured_content", data: 0 }]).value).toBe(0);
  });

  it("gives the text of MCP tools that have none", () => {
    expect(toGuestValue("text", []).value).toBe("text");
    expect(toGuestValue("text", [{ type: "mcp_meta", data: {} }]).value).toBe("text");
    expect(toGuestValue("text", [{ type: "resource", resource: { uri: "a" } }]).value).toBe("text");
  });

  it("gives embedded resources where there is no text", () => {
    const resource = { type: "resource", resource: { uri: "a", text: "b" } };
    expect(toGuestValue([], [resource, { type: "mcp_meta", data: {} }]).value).toEqual([resource]);
  });

  it("prefers the artifact of other tools", () => {
    expect(toGuestValue("2 rows", { rows: [1, 2] }).value).toEqual({ rows: [1, 2] });
    expect(toGuestValue("2 rows", [{ id: 1 }, { id: 2 }]).value).toEqual([{ id: 1 }, { id: 2 }]);
    expect(toGuestValue("none", undefined).value).toBe("none");
  });
});

describe("results that say they failed", () => {
  it("throw the text, with the data behind it", () => {
    const failed = message("no such row", { status: "error", artifact: { code: "NOT_FOUND" } });
    expect(() => toGuestValue(failed)).toThrow(ToolFailure);
    try {
      toGuestValue(failed);
    } catch (error) {
      expect(error).toMatchObject({ message: "no such row", data: { code: "NOT_FOUND" } });
    }
  });

  it.each([
    new Command({ goto: "other" }),
    new Command({ goto: [new Send("other", {})] }),
    new Command({ graph: Command.PARENT, update: { x: 1 } }),
    new Command({ resume: 1 }),
  ])("throw for a Command that steers the graph", (command) => {
    expect(() => toGuestValue(command)).toThrow("steers the agent");
  });
});

describe("state updates", () => {
  it("are handed back apart from messages", () => {
    const command = new Command({ update: { todos: [1], messages: [message("done")], files: { a: 1 } } });
    expect(toGuestValue(command)).toEqual({
      value: "done",
      updates: [
        ["todos", [1]],
        ["files", { a: 1 }],
      ],
    });
    expect(toGuestValue(new Command({ update: { x: 1 } }))).toEqual({
      value: undefined,
      updates: [["x", 1]],
    });
    const pairs = new Command({
      update: [
        ["x", 1],
        ["x", 2],
        ["messages", message("m")],
      ],
    });
    expect(toGuestValue(pairs)).toEqual({
      value: "m",
      updates: [
        ["x", 1],
        ["x", 2],
      ],
    });
  });

  it("that remove messages fail the call: they would be lost with the messages", () => {
    const command = new Command({ update: { messages: [new RemoveMessage({ id: "1" }), message("done")] } });
    expect(() => toGuestValue(command)).toThrow(/removes messages/);
  });

  it("of several Commands stay in order", () => {
    expect(
      toGuestValue([new Command({ update: { x: 1 } }), message("m"), new Command({ update: { x: 2 } })]),
    ).toEqual({
      value: "m",
      updates: [
        ["x", 1],
        ["x", 2],
      ],
    });
  });
});

describe("recorded tools", () => {
  const call = { name: "t", args: {}, id: "c1", type: "tool_call" as const };
  const run = async (result: unknown, more: object = {}) => {
    const recorded = recordResult(
      tool(async () => result, { name: "t", description: "d", schema: z.object({}), ...more }),
    );
    return recorded.result(await recorded.tool.invoke(call));
  };

  it.each([[42], [null], [{ rows: [1] }], ["text"], [[1, 2]], [undefined]])(
    "give %j as a value, not as a message",
    async (result) => {
      expect((await run(result)).value).toEqual(result);
    },
  );

  it("give the artifact of a tool that has one", async () => {
    expect(
      (await run(["2 rows", { rows: [1, 2] }], { responseFormat: "content_and_artifact" })).value,
    ).toEqual({
      rows: [1, 2],
    });
  });

  it("give the last value of a tool that streams", async () => {
    const streaming = tool(
      async function* () {
        yield "half";
        return { whole: true };
      },
      { name: "t", description: "d", schema: z.object({}) },
    );
    const recorded = recordResult(streaming as unknown as Parameters<typeof recordResult>[0]);
    expect(recorded.result(await recorded.tool.invoke(call)).value).toEqual({ whole: true });
  });

  it("validate input as the tool does", async () => {
    const strict = tool(async ({ n }) => n + 1, {
      name: "t",
      description: "d",
      schema: z.object({ n: z.number() }),
    });
    const recorded = recordResult(strict);
    await expect(recorded.tool.invoke({ ...call, args: { n: "x" } })).rejects.toThrow("expected number");
    expect(recorded.result(await recorded.tool.invoke({ ...call, args: { n: 1 } })).value).toBe(2);
  });

  it("give way to what middleware puts in place of the result", async () => {
    const recorded = recordResult(
      tool(async () => ({ secret: 1 }), { name: "t", description: "d", schema: z.object({}) }),
    );
    await recorded.tool.invoke(call);
    expect(recorded.result(message("redacted")).value).toBe("redacted");
  });

  it("work with tools that are not LangChain's, by their messages", async () => {
    const own = { name: "own", invoke: async () => message("said") };
    expect(recordResult(own).result(await own.invoke()).value).toBe("said");
    class Odd {
      readonly name = "odd";
      readonly #secret = "kept";
      async invoke() {
        return this.#secret;
      }
    }
    const recorded = recordResult(new Odd());
    expect(recorded.result(await recorded.tool.invoke(call)).value).toBe("kept");
  });

  it("keep the value of tools that are runnables, under the message that the tool node makes of it", async () => {
    const runnable = { name: "own", invoke: async () => ({ rows: [1] }) };
    const recorded = recordResult(runnable);
    await recorded.tool.invoke(call);
    expect(recorded.result(message('{"rows":[1]}')).value).toEqual({ rows: [1] });
    expect(recorded.result(message("redacted")).value).toBe("redacted");
  });

  it("run with the config that the caller gives them", async () => {
    const reader = tool(async (_, config) => config.configurable?.["who"] as string, {
      name: "t",
      description: "d",
      schema: z.object({}),
    });
    const recorded = recordResult(reader, (config) => ({
      ...(config as object),
      configurable: { who: "me" },
    }));
    expect(recorded.result(await recorded.tool.invoke(call, { configurable: { who: "other" } })).value).toBe(
      "me",
    );
  });

  it("pass through the wrapToolCall of an agent's other middleware", async () => {
    const seen: string[] = [];
    const other = tool(async ({ n }) => ({ n }), {
      name: "other",
      description: "d",
      schema: z.object({ n: z.number() }),
    });
    const outer = createMiddleware({
      name: "Caller",
      wrapToolCall: async (request, handler) => {
        const recorded = recordResult(other);
        const answer = await handler({
          ...request,
          toolCall: { name: "other", args: { n: 1 }, id: "from-code", type: "tool_call" },
          tool: recorded.tool as typeof other,
        });
        seen.push(JSON.stringify(recorded.result(answer).value));
        return message("done", { tool_call_id: request.toolCall.id });
      },
    });
    const inner = createMiddleware({
      name: "Watcher",
      wrapToolCall: (request, handler) => {
        seen.push(`${request.toolCall.name} ${request.toolCall.id}`);
        return handler(request);
      },
    });
    const agent = createAgent({
      model: fakeModel()
        .respondWithTools([{ name: "other", args: { n: 0 } }])
        .respond(new AIMessage("end")),
      tools: [other],
      middleware: [outer, inner],
    });
    await agent.invoke({ messages: [new HumanMessage("go")] });
    expect(seen).toEqual(["other from-code", '{"n":1}']);
  });
});
