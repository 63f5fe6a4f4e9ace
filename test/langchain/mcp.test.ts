import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { loadMcpTools } from "@langchain/mcp-adapters";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { createAgent } from "langchain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createCodeInterpreterMiddleware } from "../../src/langchain/index.js";
import { signatureOf } from "../../src/langchain/prompt/signatures.js";
import { recordResult } from "../../src/langchain/tools/raw-result.js";
import { toGuestError } from "../../src/langchain/tools/tool-error.js";
import type { CallableTool } from "../../src/langchain/tools/tool-names.js";
import { evalMessages, modelRunning, question } from "../support/scripted-agent.js";

const image = { type: "image" as const, data: "aGk=", mimeType: "image/png" };
function rowsServer(): McpServer {
  const server = new McpServer({ name: "rows", version: "1.0.0" });
  server.registerTool(
    "get_rows",
    {
      description: "Gives rows.",
      inputSchema: { limit: z.number() },
      outputSchema: { rows: z.array(z.object({ id: z.number() })) },
    },
    async ({ limit }) => {
      const rows = Array.from({ length: limit }, (_, id) => ({ id }));
      return { content: [{ type: "text", text: `${limit} rows` }], structuredContent: { rows } };
    },
  );
  server.registerTool("say", { description: "Says." }, async () => ({
    content: [
      { type: "text", text: "A" },
      { type: "text", text: "B" },
    ],
  }));
  server.registerTool("draw", { description: "Draws." }, async () => ({
    content: [{ type: "text", text: "here" }, image],
  }));
  server.registerTool("limited", { description: "Fails." }, async () => ({
    isError: true,
    content: [{ type: "text", text: JSON.stringify({ code: "RATE_LIMITED", retry_after: 30 }) }],
  }));
  return server;
}

/** One end in the same process, one behind a socket of this machine. */
const transports = {
  memory: async () => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    await rowsServer().connect(far);
    return { transport: near, close: () => {} };
  },
  HTTP: async () => {
    const far = new StreamableHTTPServerTransport({ sessionIdGenerator: () => crypto.randomUUID() });
    await rowsServer().connect(far as Transport);
    const listener = createServer((request, response) => void far.handleRequest(request, response));
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    const { port } = listener.address() as AddressInfo;
    const near = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`));
    const close = () => {
      listener.closeAllConnections();
      listener.close();
    };
    return { transport: near as Transport, close };
  },
};

describe.each(["memory", "HTTP"] as const)("a real MCP server over %s:", (place) => {
  const client = new Client({ name: "test", version: "1.0.0" });
  let tools: Map<string, CallableTool>;
  let close = () => {};

  beforeAll(async () => {
    const connection = await transports[place]();
    close = connection.close;
    await client.connect(connection.transport);
    const loaded = await loadMcpTools("rows", client);
    tools = new Map(loaded.map((tool) => [tool.name, tool as unknown as CallableTool]));
  });
  afterAll(async () => {
    await client.close();
    close();
  });

  async function call(name: string, args: object = {}): Promise<unknown> {
    const tool = tools.get(name)!;
    const recorded = recordResult(tool);
    try {
      const message = await recorded.tool.invoke({ name, args, id: "c", type: "tool_call" });
      return recorded.result(message).value;
    } catch (error) {
      const { declaration } = signatureOf(tool, name);
      return toGuestError(error, { toolName: name, tool, input: args, signature: declaration });
    }
  }

  describe("its tools", () => {
    it("give their structured content", async () => {
      expect(await call("get_rows", { limit: 2 })).toEqual({ rows: [{ id: 0 }, { id: 1 }] });
    });

    it("give their text where they have no more", async () => {
      expect(await call("say")).toBe("A\nB");
    });

    it("keep images", async () => {
      const value = (await call("draw")) as { type: string }[];
      expect(value.map(({ type }) => type)).toEqual(["text", expect.stringMatching(/^image/)]);
    });

    it("fail with the payload of the server's error", async () => {
      expect(await call("limited")).toMatchObject({ data: { code: "RATE_LIMITED", retry_after: 30 } });
    });

    it("say what is wrong with an input", async () => {
      expect(await call("get_rows", { count: 1 })).toMatchObject({
        name: "TypeError",
        message: expect.stringContaining(
          "Signature: /** Gives rows. */ get_rows(input: { limit: number }): ",
        ),
      });
    });
  });

  describe("code that calls its tools", () => {
    const run = async (program: string, options: object = {}) => {
      const names = [...tools.keys()];
      const agent = createAgent({
        model: modelRunning(program),
        tools: [...tools.values()] as never,
        middleware: [createCodeInterpreterMiddleware({ ptc: names, ...options })],
      });
      return evalMessages(await agent.invoke(question))[0]!;
    };

    it.each([
      [
        "gets structured content as a value",
        "(await tools.getRows({ limit: 3 })).rows.map((row) => row.id).join()",
        "→ 0,1,2",
      ],
      ["gets text", "await tools.say({})", "→ A\nB"],
      [
        "branches on the payload of an error",
        "let d; try { await tools.limited({}) } catch (error) { d = error.data }\nd.code + d.retry_after",
        "→ RATE_LIMITED30",
      ],
      [
        "reads what is wrong with its input, and corrects it",
        "let m; try { await tools.getRows({ count: 1 }) } catch (error) { m = error.message.includes('get') && error.message.includes('limit: number') }\nm && (await tools.getRows({ limit: 1 })).rows.length",
        "→ 1",
      ],
      [
        "calls many at once",
        "(await Promise.all(Array.from({ length: 20 }, (_, limit) => tools.getRows({ limit })))).map(({ rows }) => rows.length).at(-1)",
        "→ 19",
      ],
    ])("%s", async (_title, program, shown) => {
      expect((await run(program)).text).toBe(shown);
    });

    it("gives an image that it returns to the model", async () => {
      const { content } = await run("await tools.draw({})");
      expect(content).toEqual([
        { type: "text", text: "→ here" },
        expect.objectContaining({ type: expect.stringMatching(/^image/) }),
      ]);
    });
  });
});
