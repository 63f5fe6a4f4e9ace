import { describe, expect, it } from "vitest";
import { describeTool, searchTools, unknownTool } from "../../src/langchain/tools/tool-lookup.js";

const tools = [
  ["web_search", "webSearch", "Searches the web for pages."],
  ["image_search", "imageSearch", "Finds pictures."],
  ["send_mail", "sendMail", "Sends a message to a person."],
  ["list_files", "listFiles", "Lists files of a folder."],
].map(([name, guestName, description]) => ({
  name: name!,
  guestName: guestName!,
  description: description!,
  declaration: `${guestName}(input: { query: string }): Promise<unknown>;`,
}));

const namesFor = (query: unknown) => searchTools(query, tools).map(({ name }) => name);

describe("searching tools", () => {
  it.each([
    ["web search", ["webSearch", "imageSearch"]],
    ["mail", ["sendMail"]],
    ["searches pictures", ["imageSearch", "webSearch"]],
    ["files in folders", ["listFiles"]],
    ["webSearch", ["webSearch", "imageSearch"]],
  ])("finds for %s", (query, expected) => {
    expect(namesFor(query)).toEqual(expected);
  });

  it("finds nothing for words that fit nowhere, and lists tools for no words", () => {
    expect(namesFor("zzz")).toEqual([]);
    expect(namesFor("")).toEqual(["imageSearch", "listFiles", "sendMail", "webSearch"]);
    expect(namesFor(undefined)).toHaveLength(4);
  });

  it("gives ten at most, with a short signature where there is one", () => {
    const many = Array.from({ length: 50 }, (_, n) => ({
      ...tools[0]!,
      guestName: `t${n}`,
      declaration: "x".repeat(n * 60),
    }));
    const found = searchTools("search", many);
    expect(found).toHaveLength(10);
    expect(found.filter(({ signature }) => signature === undefined).length).toBeGreaterThan(0);
  });
});

describe("describing a tool", () => {
  it("knows both names", () => {
    expect(describeTool("web_search", tools)).toBe(tools[0]!.declaration);
    expect(describeTool("webSearch", tools)).toBe(tools[0]!.declaration);
  });

  it("suggests the nearest for a name that is not there", () => {
    expect(() => describeTool("webSerch", tools)).toThrow(
      'There is no tool "webSerch"; did you mean tools.webSearch? Object.keys(tools) lists them all, tools.$search("words") finds them.',
    );
    expect(unknownTool("somethingElse", tools)).toBe(
      'There is no tool "somethingElse". There are: imageSearch, listFiles, sendMail, webSearch.',
    );
    expect(unknownTool("x", [])).toContain("code has no tools here");
  });
});
