/** What the package brings along of others, and under which terms. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./consumer.js";

interface Manifest {
  readonly name: string;
  readonly license: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const read = (file: string) => readFileSync(join(root, file), "utf8");
const manifest = JSON.parse(read("package.json")) as Manifest;

/** Every package that `npm install edge-interpreter` installs, by its folder. */
function installed(parent: string, names: readonly string[], found = new Map<string, Manifest>()) {
  for (const name of names) {
    const nested = `${parent}/node_modules/${name}`;
    const folder = existsSync(join(root, nested)) ? nested : `node_modules/${name}`;
    if (found.has(folder)) continue;
    const dependency = JSON.parse(read(`${folder}/package.json`)) as Manifest;
    found.set(folder, dependency);
    installed(folder, Object.keys(dependency.dependencies ?? {}), found);
  }
  return found;
}

test("everything that is installed with it may be used freely", () => {
  const licences = [...installed(".", Object.keys(manifest.dependencies ?? {})).values()].map(
    ({ license }) => license,
  );
  expect([...new Set(licences)].sort()).toEqual(["ISC", "MIT"]);
});

test("LICENSE names each dependency, and holds the notices of what the tarball contains", () => {
  const text = read("LICENSE");
  for (const name of Object.keys(manifest.dependencies ?? {})) expect(text).toContain(name);
  const contained = ["@jitl/quickjs-wasmfile-release-sync", "sucrase"].map((name) =>
    createRequire(import.meta.url).resolve(`${name}/package.json`),
  );
  const notices = contained.flatMap(
    (file) => readFileSync(join(file, "../LICENSE"), "utf8").match(/^.*copyright \(c\).*$/gim) ?? [],
  );
  expect(notices).toHaveLength(4);
  for (const notice of notices) expect(text).toContain(notice);
});
