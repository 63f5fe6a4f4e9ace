/** The packed declarations, under the settings that users have. */
import { cpSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { Consumer, langchain, root } from "./consumer.js";

const node = { module: "NodeNext", moduleResolution: "NodeNext" };
const bundler = { module: "ESNext", moduleResolution: "Bundler" };
const settings: readonly [string, Record<string, unknown>][] = [
  ["Node's resolution, strict", node],
  ["a bundler's resolution, strict", bundler],
  [
    "with exactOptionalPropertyTypes and the rest",
    {
      ...bundler,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: true,
    },
  ],
  ["without the types of a page", { ...node, lib: ["ES2023"], types: ["node"] }],
];

test.each(settings)("types tests compile: %s", async (_, compilerOptions) => {
  const app = new Consumer({
    packages: [...langchain, "deepagents", "@types/node"],
    files: {
      "tsconfig.json": JSON.stringify({
        compilerOptions: {
          target: "ES2022",
          lib: ["ES2023", "DOM"],
          types: [],
          strict: true,
          noEmit: true,
          skipLibCheck: true,
          ...compilerOptions,
        },
        include: ["*.ts"],
      }),
    },
  });
  const folder = `${root}/test/types`;
  for (const file of readdirSync(folder)) cpSync(`${folder}/${file}`, app.path(file));
  expect((await app.node(`${root}/node_modules/typescript/bin/tsc`, "-p", ".")).stdout).toBe("");
});

test("the examples compile, the Worker's with the types of Workers", async () => {
  const app = new Consumer({ packages: [...langchain, "deepagents", "ai", "@cloudflare/workers-types"] });
  cpSync(`${root}/test/examples`, app.path("."), { recursive: true });
  const common = { ...node, target: "ES2022", strict: true, noEmit: true, skipLibCheck: true };
  const worker = { ...common, lib: ["ES2023"], types: ["@cloudflare/workers-types/2023-07-01"] };
  app.write({
    "tsconfig.json": JSON.stringify({
      compilerOptions: { ...common, lib: ["ES2023", "DOM"], types: [] },
      exclude: ["worker"],
    }),
    "worker/tsconfig.json": JSON.stringify({ compilerOptions: worker, include: ["*.ts"] }),
  });
  for (const project of [".", "worker"])
    expect((await app.node(`${root}/node_modules/typescript/bin/tsc`, "-p", project)).stdout).toBe("");
});

test("the declarations of the core are sound by themselves, without skipLibCheck and without LangChain", async () => {
  const app = new Consumer({
    files: {
      "tsconfig.json": JSON.stringify({
        compilerOptions: {
          ...node,
          target: "ES2022",
          lib: ["ES2023", "DOM"],
          types: [],
          strict: true,
          noEmit: true,
        },
        files: ["index.ts"],
      }),
      "index.ts": `
        import { createInterpreter } from "edge-interpreter/core";
        import { storeContract } from "edge-interpreter/testing";
        export const all = [createInterpreter, storeContract];`,
    },
  });
  expect((await app.node(`${root}/node_modules/typescript/bin/tsc`, "-p", ".")).stdout).toBe("");
});
