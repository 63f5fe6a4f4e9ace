/**
 * Bundles the part of sucrase that takes types out of a text. The other two thirds are transforms that are not used
 * here, their tables, the check of options and the source map.
 */
import { deepStrictEqual } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const require = createRequire(import.meta.url);

/** One expression: what `sucrase-entry.mjs` exports. */
export async function bundleSucrase() {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("sucrase-entry.mjs", import.meta.url))],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "sucrase",
    target: "es2022",
    legalComments: "none",
    minifySyntax: true,
    minifyWhitespace: true,
    plugins: [{ name: "part-of-sucrase", setup }],
  });
  return `(() => {${outputFiles[0].text}return sucrase;})()`;
}

function setup({ onLoad, onResolve }) {
  // It makes these for options that are never given. Others import a function of such a file, and get it.
  onResolve({ filter: /Transformer$/ }, ({ path, importer }) =>
    importer.endsWith("RootTransformer.js") && !/\/(?:ESMImport|TypeScript)Transformer$/.test(path)
      ? { path: `transformers${path.slice(1)}`, namespace: "unreached" }
      : undefined,
  );
  // The parser calls it where the language is Flow.
  onResolve({ filter: /\/flow$/ }, () => ({ path: "parser/plugins/flow", namespace: "unreached" }));
  onLoad({ filter: /./, namespace: "unreached" }, ({ path }) => ({ contents: unreached(path) }));
  // A quarter of the bundle would be this table of -1, in which few places are taken.
  onLoad({ filter: /readWordTree\.js$/ }, () => ({ contents: wordTree() }));
  onLoad({ filter: /sucrase.dist.esm.*\.js$/ }, ({ path }) => ({
    contents: withoutTokenTexts(withEnums(readFileSync(path, "utf8"))),
    loader: "ts",
  }));
}

/** The functions and the class of a file, so that they say what was called. */
function unreached(file) {
  const message = JSON.stringify(`sucrase's ${file} is not part of this build`);
  return Object.keys(require(`sucrase/dist/${file}.js`))
    .map((name) => (name === "default" ? "default function" : `function ${name}`))
    .map((name) => `export ${name}() { throw new Error(${message}); }`)
    .join("\n");
}

/** Enums were compiled to objects. As enums again, esbuild writes their numbers where they are used. */
function withEnums(code) {
  return code.replace(
    /export var (\w+); \(function \(\1\) \{(.*?)\n\}\)\(\1 \|\| \(\1 = \{\}\)\);/gs,
    (_, name, body) =>
      `export const enum ${name} {${body.replace(/const (\w+) = (.*?); \w+\[\w+\["\1"\] = \1\] = "\1";/g, "$1 = $2,")}\n}`,
  );
}

/** The parser names the token it expected, which is not shown here. */
function withoutTokenTexts(code) {
  return code.replace(/^(export function formatTokenType\(\w+\) \{).*?^\}/ms, '$1 return ""; }');
}

/** The same tree, made of its words when the module is loaded. */
function wordTree() {
  const { READ_WORD_TREE: tree } = require("sucrase/dist/parser/tokenizer/readWordTree.js");
  const words = [];
  const collect = (node, word) => {
    if (tree[node] !== -1) words.push([word, tree[node]]);
    for (let letter = 1; letter <= 26; letter++)
      if (tree[node + letter] !== -1) collect(tree[node + letter], word + String.fromCharCode(96 + letter));
  };
  collect(0, "");
  deepStrictEqual(treeOf(words), tree);
  return `export const READ_WORD_TREE = (${treeOf})(${JSON.stringify(words)});`;
}

/** A node for each start of a word: the word's value, then the node behind each letter; -1 for none. */
function treeOf(words) {
  const starts = new Set(words.flatMap(([word]) => [...word, ""].map((_, length) => word.slice(0, length))));
  const nodes = new Map([...starts].sort().map((start, index) => [start, 27 * index]));
  const tree = new Int32Array(27 * nodes.size).fill(-1);
  for (const [start, node] of nodes)
    if (start !== "") tree[nodes.get(start.slice(0, -1)) + start.charCodeAt(start.length - 1) - 96] = node;
  for (const [word, value] of words) tree[nodes.get(word)] = value;
  return tree;
}
