import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const compiler = new URL("../../node_modules/typescript/bin/tsc", import.meta.url).pathname;

/** What the TypeScript compiler says about a text, strict; empty when it compiles. */
export function typeScriptErrors(source: string): string {
  const folder = mkdtempSync(join(tmpdir(), "signatures-"));
  try {
    const file = join(folder, "source.ts");
    writeFileSync(file, source);
    const options = ["--noEmit", "--strict", "--target", "es2023", "--types", "", "--pretty", "false"];
    execFileSync(process.execPath, [compiler, ...options, file], { cwd: folder, stdio: "pipe" });
    return "";
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout ?? error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
