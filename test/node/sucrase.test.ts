/** The part of sucrase that is bundled does what all of sucrase does: that is a devDependency for this file alone. */
import { readdirSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { join } from "node:path";
import { type Options, transform } from "sucrase";
import { describe, expect, test } from "vitest";
import { positionAt } from "../../src/transform/positions.js";
import { sucrase } from "../../src/transform/sucrase.generated.js";

const root = new URL("../..", import.meta.url).pathname;
const corpus = ["src", "edge", "web", "test", "node_modules/zod/src", "node_modules/ai/src"].map((folder) => {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.m?ts$/.test(file) && !file.includes(".generated."))
    .map((file) => ({ file, text: readFileSync(join(root, folder, file), "utf8") }));
  return { folder, files };
});

const types: Options = { transforms: ["typescript"], disableESTransforms: true, filePath: "source" };

function attempt<T>(work: () => T) {
  try {
    return { result: work() };
  } catch (error) {
    const { name, message, pos } = error as Error & { pos?: number };
    return { name, message: message.replace(/^Error transforming source: |, expected ".*"/g, ""), pos };
  }
}

const whole = (text: string, keepUnusedImports: boolean) =>
  attempt(() => transform(text, { ...types, keepUnusedImports }).code);
const part = (text: string, keepUnusedImports: boolean) =>
  attempt(() => sucrase.parseTypeScript(text, { isJsx: false }).withoutTypes({ keepUnusedImports }).code);

describe.each(corpus)("the files in $folder", ({ files }) => {
  test.each([true, false])("come out the same; unused imports kept: %s", (keepUnusedImports) => {
    expect(files.length).toBeGreaterThan(20);
    for (const { file, text } of files)
      expect(part(text, keepUnusedImports), file).toEqual(whole(text, keepUnusedImports));
  });

  test("are refused the same, cut in the middle", () => {
    const errors = files.filter(({ file, text }) => {
      const half = text.slice(0, text.length / 2);
      const expected = whole(half, false);
      expect(part(half, false), file).toEqual(expected);
      return "pos" in expected;
    });
    expect(errors.length).toBeGreaterThan(files.length / 2);
  });

  test("have each token where the source map has it", () => {
    for (const { file, text } of files) {
      const { code, places } = sucrase
        .parseTypeScript(text, { isJsx: false })
        .withoutTypes({ keepUnusedImports: true });
      const { sourceMap } = transform(text, {
        ...types,
        keepUnusedImports: true,
        sourceMapOptions: { compiledFilename: "code" },
      });
      const map = new SourceMap({ ...sourceMap!, sources: ["source"], sourcesContent: [] } as never);
      const known = places.filter(({ inCode, inText }) => inCode < code.length && inText < unmapped(text));
      const found = known.map(({ inCode }) => {
        const { line, column } = positionAt(code, inCode);
        const entry = map.findEntry(line - 1, column - 1);
        return "originalLine" in entry && { line: entry.originalLine + 1, column: entry.originalColumn + 1 };
      });
      expect(found, file).toEqual(known.map(({ inText }) => positionAt(text, inText)));
    }
  });
});

/** Behind an empty piece of a template literal, sucrase's source map has no columns. */
function unmapped(text: string): number {
  const index = text.search(/`\$\{|\}\$\{|\}`|``/);
  return index === -1 ? text.length : index;
}

const jsx: readonly (readonly [text: string, isJsx: boolean])[] = [
  ["const a = <div>{x as string}</div>;", true],
  ["import A, { B } from 'a'; const a: A = <B.C a='&amp;' {...b}>text <></></B.C>;", true],
  ["const Name = createReactClass({ render() { return <Link/>; } }); React.createClass({});", true],
  ["const a = <T,>(value: T) => value;", true],
  ["const a = <div><p></div>;", false],
  ["const a = <string>value;", false],
  ["a < b > c", true],
];

test.each(jsx)("%s is read as JSX as sucrase reads it: %s", (text, expected) => {
  const detects = (work: () => unknown) => "result" in attempt(work);
  const options: Options = { ...types, transforms: ["typescript", "jsx"], jsxRuntime: "preserve" };
  expect(detects(() => transform(text, options))).toBe(expected);
  expect(
    detects(() => sucrase.parseTypeScript(text, { isJsx: true }).withoutTypes({ keepUnusedImports: false })),
  ).toBe(expected);
});
