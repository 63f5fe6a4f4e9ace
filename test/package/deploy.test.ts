/** The sample of this repository, as `npx wrangler deploy` would upload it. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { root } from "./consumer.js";
import { quiet, wrangler } from "./wrangler.js";

/** Of Cloudflare's free plan, compressed. */
const LIMIT_KIB = 3 * 1024;

test("is deployed as it stands, deepagents and the models' clients included, and fits the limit", async () => {
  const out = mkdtempSync(join(tmpdir(), "edge-interpreter-deploy-"));
  onTestFinished(() => rmSync(out, { recursive: true, force: true }));
  const args = [wrangler, "deploy", "--dry-run", "--outdir", out];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...quiet },
  });
  const [line, gzip] = /Total Upload: .* gzip: ([\d.]+) KiB/.exec(stdout) ?? [];
  console.log(line);
  expect(Number(gzip)).toBeGreaterThan(100);
  expect(Number(gzip)).toBeLessThan(LIMIT_KIB);
  for (const binding of ["env.AGENT", "env.ASSETS"]) expect(stdout).toContain(binding);
});
