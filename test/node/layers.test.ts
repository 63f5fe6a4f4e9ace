import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../src/", import.meta.url));

/** A folder uses those before it, and the files at the top of `src` apart from the last two. */
const LAYERS = [
  ".",
  "engine-wasm",
  "values",
  "snapshot",
  "engine",
  "result",
  "transform",
  "host-services",
  "eval",
  "session",
  "interpreter.ts, index.ts",
  "testing",
  "langchain",
];

/** `langchain/tools/tool-calls.ts` is of `langchain`. */
function layerOf(file: string): number {
  const [first = "", ...rest] = path.relative(root, file).split(path.sep);
  if (rest.length > 0) return LAYERS.indexOf(first);
  return LAYERS.indexOf(/^(?:interpreter|index)\.[jt]s$/.test(first) ? "interpreter.ts, index.ts" : ".");
}

test("each folder of the interpreter uses only the folders below it", () => {
  const all = readdirSync(root, { recursive: true, encoding: "utf8" });
  const files = all.filter((file) => file.endsWith(".ts") && !file.startsWith("guest"));
  expect(files.length).toBeGreaterThan(100);
  const upwards: string[] = [];
  for (const name of files) {
    const file = path.join(root, name);
    const own = layerOf(file);
    expect(own, name).toBeGreaterThanOrEqual(0);
    for (const [, target = ""] of readFileSync(file, "utf8").matchAll(/\bfrom "(\.[^"]+)"/g)) {
      if (layerOf(path.resolve(path.dirname(file), target)) > own) upwards.push(`${name} uses ${target}`);
    }
  }
  expect(upwards).toEqual([]);
});
