import { expect, test } from "vitest";
import { describeMissingGlobal } from "../../src/result/missing-globals.js";

const nothing = { tools: [], task: false };

test("a missing global is explained by what there is instead", () => {
  expect(describeMissingGlobal("fetch", { tools: ["webSearch", "readFile"], task: true })).toBe(
    "There is no network here; what reaches outside is tools.webSearch, tools.readFile, task().",
  );
  expect(describeMissingGlobal("fetch", nothing)).toBe(
    "There is no network here; use your other tools for that and pass the result in as a value.",
  );
  expect(describeMissingGlobal("Buffer", nothing)).toMatch(/^Use Uint8Array/);
  expect(describeMissingGlobal("print", nothing)).toMatch(/^Use console\.log/);
});

test("many tools are counted, not listed", () => {
  const tools = Array.from({ length: 12 }, (_, i) => `t${i}`);
  expect(describeMissingGlobal("fs", { tools, task: false })).toMatch(/tools\.t7, 4 more tools\.$/);
});

test("a name that means nothing special has no explanation, whatever Object.prototype has", () => {
  for (const name of ["foo", "constructor", "__proto__", "toString", ""])
    expect(describeMissingGlobal(name, nothing)).toBeUndefined();
});

test.each(
  "Blob FormData Headers Request fetch require process fs print alert XMLHttpRequest WebSocket localStorage document window Deno Bun Buffer module exports __dirname"
    .split(" ")
    .map((name) => [name]),
)("%s has one short sentence", (name) => {
  const sentence = describeMissingGlobal(name, nothing);
  expect(sentence).toMatch(/\.$/);
  expect(sentence!.length).toBeLessThan(160);
});
