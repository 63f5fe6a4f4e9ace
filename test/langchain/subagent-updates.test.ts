import { describe, expect, it } from "vitest";
import { changesOf } from "../../src/langchain/subagents/subagent-updates.js";

const file = (content: string) => ({ content, created_at: "2026" });

describe("what a subagent hands back", () => {
  it("counts where it differs from what it was given", () => {
    const given = { mode: "none", list: [1, { a: 2 }], seen: { n: 1 } };
    const updates = [
      ["mode", "none"],
      ["list", [1, { a: 2 }]],
      ["seen", { n: 2 }],
      ["made", null],
    ] as const;
    expect(changesOf(updates, given)).toEqual([
      ["seen", { n: 2 }],
      ["made", null],
    ]);
  });

  it("counts file by file, and a file that is gone is removed", () => {
    const given = { files: { "/same": file("s"), "/old": file("o"), "/gone": file("g") } };
    const files = { "/same": file("s"), "/old": file("new"), "/made": file("m") };
    expect(changesOf([["files", files]], given)).toEqual([
      ["files", { "/old": file("new"), "/made": file("m"), "/gone": null }],
    ]);
    expect(changesOf([["files", { ...given.files }]], given)).toEqual([]);
  });

  it("counts whole where `files` are not those of Deep Agents", () => {
    expect(changesOf([["files", ["/a"]]], { files: ["/a", "/b"] })).toEqual([["files", ["/a"]]]);
    expect(changesOf([["files", { "/a": "text" }]], { files: {} })).toEqual([["files", { "/a": "text" }]]);
  });

  it("after a pause counts against both what it began with and what there is now", () => {
    const began = { files: { "/a": file("1") }, mode: "none" };
    const now = { files: { "/a": file("2"), "/b": file("b") }, mode: "later" };
    expect(
      changesOf(
        [
          ["files", { "/a": file("1"), "/c": file("c") }],
          ["mode", "none"],
        ],
        began,
        now,
      ),
    ).toEqual([["files", { "/c": file("c") }]]);
  });

  it("counts whole where nothing is known of what it was given", () => {
    expect(changesOf([["mode", "x"]])).toEqual([["mode", "x"]]);
  });

  it("takes objects of a class for changed, and a key of another type", () => {
    expect(changesOf([["at", new Date(0)]], { at: new Date(0) })).toHaveLength(1);
    expect(changesOf([["files", { "/a": file("a") }]], { files: undefined })).toEqual([
      ["files", { "/a": file("a") }],
    ]);
  });
});
