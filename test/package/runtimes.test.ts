/** The README's first example, as it stands, where no bundler is. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { Consumer, langchain, root } from "./consumer.js";
import { firstExample } from "./readme.js";

const { code, prints } = firstExample();

/** Install scripts are off here, so the packages' own launchers have not found their binary; it is where they look. */
function binaryOf(scope: string, file: string): string | undefined {
  const folder = join(root, "node_modules", scope);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.map((name) => join(folder, name, file)).find(existsSync);
}
const bun = binaryOf("@oven", "bin/bun");
const deno = binaryOf("@deno", "deno");

test("Node", async () => {
  const app = new Consumer({ packages: langchain, files: { "index.js": code } });
  expect((await app.node("index.js")).stdout).toBe(prints);
});

test.skipIf(!bun)("Bun", async () => {
  const app = new Consumer({ packages: langchain, files: { "index.ts": code } });
  expect((await app.run(bun as string, ["run", "index.ts"])).stdout).toBe(prints);
});

test.skipIf(!deno)("Deno", async () => {
  const app = new Consumer({ packages: langchain, files: { "index.ts": code } });
  const args = ["run", "--allow-all", "--no-remote", "--node-modules-dir=manual", "index.ts"];
  const { stdout } = await app.run(deno as string, args, { DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" });
  expect(stdout).toBe(prints);
});

test("npm installs it, without a peer, and the core runs", async () => {
  const app = new Consumer();
  app.write({
    "alone/package.json": '{ "private": true, "type": "module" }',
    "alone/index.js": `
      import { createInterpreter } from "edge-interpreter/core";
      const session = await (await createInterpreter()).open();
      console.log((await session.eval("const x: number = 6; x * 7")).value);`,
  });
  await app.run("npm", [
    "install",
    "--prefix",
    "alone",
    "--prefer-offline",
    "--no-audit",
    "--no-fund",
    inject("packed").tarball,
  ]);
  const installed = readdirSync(app.path("alone/node_modules"));
  expect(installed).not.toContain("langchain");
  expect(installed).not.toContain("zod");
  expect((await app.node("alone/index.js")).stdout).toBe("42\n");
});

test("`require` loads it where Node can require modules", async () => {
  const file = "index.cjs";
  const code = `
    const { createInterpreter } = require("edge-interpreter/core");
    createInterpreter().then((interpreter) => interpreter.open()).then((session) => session.eval("6 * 7"))
      .then(({ value }) => console.log(value));`;
  const app = new Consumer({ files: { [file]: code } });
  expect((await app.node(file)).stdout).toBe("42\n");
});
