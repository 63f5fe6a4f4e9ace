import { ToolMessage } from "@langchain/core/messages";
import { GraphInterrupt } from "@langchain/langgraph";
import { MiddlewareError, ToolInvocationError, tool } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { signatureOf } from "../../src/langchain/prompt/signatures.js";
import { isControlFlow, toGuestError } from "../../src/langchain/tools/tool-error.js";
import type { CallableTool } from "../../src/langchain/tools/tool-names.js";
import { toGuestValue } from "../../src/langchain/tools/tool-result.js";

const context = { toolName: "boom" };
const mapped = (error: unknown) => toGuestError(error, context);

describe("failures of tools", () => {
  it("say the tool and its message", () => {
    expect(mapped(new Error("exploded"))).toEqual({ name: "Error", message: "Tool 'boom' failed: exploded" });
    expect(mapped("just a string").message).toBe("Tool 'boom' failed: just a string");
    expect(mapped({ code: 1 })).toEqual({
      name: "Error",
      message: `Tool 'boom' failed: {"code":1}`,
      data: { code: 1 },
    });
    expect(mapped(undefined).message).toBe("Tool 'boom' failed: an error without a message");
  });

  it("carry data to branch on", () => {
    class RateLimit extends Error {
      override name = "RateLimit";
      readonly data = { retryAfter: 30 };
    }
    expect(mapped(new RateLimit("slow down"))).toMatchObject({ name: "RateLimit", data: { retryAfter: 30 } });
    expect(mapped(Object.assign(new Error("x"), { code: "ENOENT", status: 404 })).data).toEqual({
      code: "ENOENT",
      status: 404,
    });
    expect(mapped(new Error("x"))).not.toHaveProperty("data");
  });

  it("carry the payload of an MCP error, where the adapter kept it and where it is text", () => {
    const failed = (message: string, cause?: unknown) =>
      Object.assign(new Error(message, { cause }), { name: "ToolException" });
    const payload = { code: "RATE_LIMITED", retry_after: 30 };
    const text = JSON.stringify(payload);
    for (const error of [
      failed("MCP tool 'x' on server 's' returned an error: ", {
        isError: true,
        content: [],
        structuredContent: payload,
      }),
      failed("MCP tool 'x' on server 's' returned an error: ", {
        isError: true,
        content: [{ type: "text", text }],
      }),
      failed(`MCP tool 'x' on server 's' returned an error: ${text}`),
    ])
      expect(mapped(error).data).toEqual(payload);
    expect(mapped(failed("MCP tool 'x' returned an error: no")).data).toBeUndefined();
  });

  it("carry the data of a message with status error", () => {
    const message = new ToolMessage({
      content: "no row",
      tool_call_id: "c",
      status: "error",
      artifact: { id: 7 },
    });
    let thrown: unknown;
    try {
      toGuestValue(message);
    } catch (error) {
      thrown = error;
    }
    expect(mapped(thrown)).toEqual({ name: "Error", message: "Tool 'boom' failed: no row", data: { id: 7 } });
  });

  it("show no stack, path, password or host object", () => {
    const error = new Error(
      "connect postgres://user:pw@db.test/x failed\n    at run (/srv/app/index.js:3:4)\n    at file:///srv/app/x.js:1:1\nsee file:///srv/app/y.js and /srv/node_modules/pkg/z.js",
    );
    const { message } = mapped(Object.assign(error, { data: { self: () => 1, n: 1 } }));
    expect(message).toBe(
      "Tool 'boom' failed: connect postgres://***@db.test/x failed\nsee <file> and <file>",
    );
    expect(mapped(error).data).toEqual({ n: 1 });
    expect(mapped(new Error("x".repeat(100_000))).message.length).toBeLessThan(2100);
  });

  it("are what the app's policy makes of them", () => {
    const policy = (error: unknown) => (error instanceof RangeError ? "hidden" : undefined);
    expect(toGuestError(new RangeError("secret"), { ...context, policy })).toEqual({
      name: "Error",
      message: "hidden",
    });
    expect(toGuestError(new Error("open"), { ...context, policy }).message).toContain("open");
    const own = { name: "Denied", message: "no", data: { code: 1 } };
    expect(toGuestError(new Error("x"), { ...context, policy: () => own })).toEqual(own);
  });

  it("come out of what middleware wraps around them", () => {
    const inner = new ToolInvocationError(new Error("deep"), { name: "boom", args: {}, id: "c" });
    expect(mapped(MiddlewareError.wrap(inner, "retry")).message).toBe("Tool 'boom' failed: deep");
  });

  it("are no failures when LangGraph pauses", () => {
    const pause = new GraphInterrupt([]);
    expect(isControlFlow(pause)).toBe(true);
    expect(isControlFlow(MiddlewareError.wrap(pause, "x"))).toBe(true);
    expect(isControlFlow(new Error("x"))).toBe(false);
    expect(isControlFlow(undefined)).toBe(false);
  });
});

describe("wrong input", () => {
  const fail = async (schema: z.ZodType | object, input: Record<string, unknown>) => {
    const typed = tool(async () => "ok", {
      name: "batch",
      description: "",
      schema: schema as z.ZodObject,
    }) as CallableTool;
    const call = { name: "batch", args: input, id: "c", type: "tool_call" };
    const error: unknown = await typed.invoke(call).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    const signature = signatureOf(typed, "batch").declaration;
    return toGuestError(error, { toolName: "batch", tool: typed, input, signature });
  };

  it("names the field, what was given, a name that is not known, and the signature", async () => {
    const schema = z.object({ app: z.string(), steps: z.array(z.object({ n: z.number() })) });
    expect(await fail(schema, { app: "x", actions: [] })).toEqual({
      name: "TypeError",
      message: [
        "Tool 'batch' failed: the input does not fit.",
        "- steps: expected array, received undefined; given: nothing",
        "- not known: actions",
        "Signature: batch(input: { app: string; steps: { n: number }[] }): Promise<unknown>;",
      ].join("\n"),
      data: { issues: [{ path: "steps", problem: "expected array, received undefined" }] },
    });
    expect((await fail(schema, { app: "x", steps: [{ n: "1" }] })).message).toContain(
      '- steps[0].n: expected number, received string; given: "1"',
    );
  });

  it("does so for zod 3", async () => {
    expect((await fail(z3.object({ n: z3.number() }), { n: "x" })).message).toContain(
      '- n: Expected number, received string; given: "x"',
    );
  });

  it("does so for JSON Schema", async () => {
    const schema = {
      type: "object",
      properties: { n: { type: "number" }, list: { type: "array", items: { type: "string" } } },
      required: ["n", "list"],
    };
    const { message } = await fail(schema, { n: "x", list: [1] });
    expect(message).toContain('- n: Instance type "string" is invalid. Expected "number".; given: "x"');
    expect(message).toContain("- list[0]: ");
    expect((await fail(schema, { n: 1 })).message).toContain('required property "list"');
  });
});
