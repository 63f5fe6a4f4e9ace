import { createFilesystemMiddleware, StateBackend } from "deepagents";
import { tool } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { isDeepAgentsReadFile, readFileExactly } from "../../src/langchain/tools/read-file.js";
import type { CallableTool } from "../../src/langchain/tools/tool-names.js";

const middleware = createFilesystemMiddleware({ backend: (config) => new StateBackend(config) });
const readTool = middleware.tools?.find(({ name }) => name === "read_file") as unknown as CallableTool;

/** Reads through the real tool from a state with one file. */
async function read(content: string, input: object = {}, path = "/a.txt", withState = true) {
  const now = "2026-01-01T00:00:00Z";
  const state = { files: { [path]: { content, mimeType: "text/plain", created_at: now, modified_at: now } } };
  let calls = 0;
  const text = await readFileExactly(
    { file_path: "/a.txt", ...input },
    {
      state: withState ? state : undefined,
      read: (args) => {
        calls++;
        const call = { name: "read_file", args, id: "c", type: "tool_call" };
        return readTool.invoke(call, { state, toolCallId: "c" });
      },
    },
  );
  return { text, calls };
}

const lines = (count: number) => Array.from({ length: count }, (_, n) => `line ${n + 1}`).join("\n");

describe("the read_file of deepagents", () => {
  it("is known by its schema, and another tool of that name is not it", () => {
    expect(isDeepAgentsReadFile(readTool)).toBe(true);
    const schemas = [
      z.object({ file_path: z.string() }),
      z.object({ path: z.string(), offset: z.number().default(0), limit: z.number().default(100) }),
    ];
    for (const schema of schemas)
      expect(isDeepAgentsReadFile(tool(async () => "", { name: "read_file", description: "", schema }))).toBe(
        false,
      );
    expect(isDeepAgentsReadFile({ ...readTool, name: "other" })).toBe(false);
  });

  it.each([
    ["one line", "hello"],
    ["a last newline", "hello\n"],
    ["two last newlines", "hello\n\n"],
    ["tabs and numbers", "     1\tfoo\n     2\tbar"],
    ["a header of its own", "@@ lines 1-2 of 2 @@\nfoo"],
    ["nothing", ""],
    ["only a newline", "\n"],
    ["250 lines", lines(250)],
    ["5000 lines with a last newline", `${lines(5000)}\n`],
    ["empty lines where pages end", `${"\n".repeat(2000)}x${"\n".repeat(2000)}y`],
    [
      "more characters than the tool shows at once",
      Array.from({ length: 3000 }, (_, n) => `${n} ${"x".repeat(60)}`).join("\n"),
    ],
    ["carriage returns", "a\r\nb\r\n"],
  ])("gives a file with %s exactly", async (_, content) => {
    expect((await read(content)).text).toBe(content);
  });

  it("gives the text without its last newline where nothing else knows the file", async () => {
    expect((await read("a\nb\n", {}, "/a.txt", false)).text).toBe("a\nb");
  });

  it("gives a window where one is asked for", async () => {
    expect((await read(lines(250), { offset: 10, limit: 2 })).text).toBe("line 11\nline 12");
    expect((await read(lines(250), { limit: 1 })).text).toBe("line 1");
    expect((await read(lines(250), { offset: 240 })).text).toBe(lines(250).split("\n").slice(240).join("\n"));
    const wide = await read(lines(9000), { offset: 0, limit: 4500 });
    expect(wide.text).toBe(lines(4500));
    expect(wide.calls).toBe(3);
  });

  it("rejects for a file that is not there", async () => {
    await expect(read("x", {}, "/other.txt")).rejects.toThrow("File '/a.txt' not found");
  });

  it("says when a line is too long for the tool", async () => {
    await expect(read(`short\n${"x".repeat(200_000)}\nend`)).rejects.toThrow(
      /Line 2 of \/a\.txt is too long/,
    );
  });

  it("gives images as blocks", async () => {
    const image = [{ type: "image", mimeType: "image/png", data: "aGk=" }];
    expect(await readFileExactly({ file_path: "/a.png" }, { read: async () => image })).toEqual(image);
  });

  it("stops at backends that know no end of file", async () => {
    const pages = [
      `@@ lines 1-2000 @@\n${lines(2000)}`,
      "@@ lines 2001-2001 @@\nlast",
      "Error: past the end",
    ];
    let page = 0;
    const text = await readFileExactly({ file_path: "/a" }, { read: async () => pages[page++] });
    expect(text).toBe(`${lines(2000)}\nlast`);
    expect(await readFileExactly({ file_path: "/a" }, { read: async () => pages[0] })).toBe(lines(2000));
  });

  it("leaves text without a header alone", async () => {
    expect(await readFileExactly({ file_path: "/a" }, { read: async () => "[note]\nplain" })).toBe(
      "[note]\nplain",
    );
  });
});
