/** Packs the package once, as `npm publish` would, from what `npm run build` wrote. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

export interface Packed {
  readonly tarball: string;
  /** The tarball's content. */
  readonly directory: string;
  readonly files: readonly string[];
  readonly bytes: number;
}

declare module "vitest" {
  interface ProvidedContext {
    packed: Packed;
  }
}

const root = join(import.meta.dirname, "../..");

export default function setup({ provide }: TestProject): () => void {
  if (!existsSync(join(root, "dist/src/index.js"))) throw new Error("Run `npm run build` first.");
  const directory = mkdtempSync(join(tmpdir(), "edge-interpreter-packed-"));
  const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", directory];
  const answer = execFileSync("npm", pack, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [tarball] = JSON.parse(answer) as [{ filename: string; files: { path: string }[]; size: number }];
  execFileSync("tar", ["-xzf", tarball.filename], { cwd: directory });
  provide("packed", {
    tarball: join(directory, tarball.filename),
    directory: join(directory, "package"),
    files: tarball.files.map(({ path }) => path),
    bytes: tarball.size,
  });
  return () => rmSync(directory, { recursive: true, force: true });
}
