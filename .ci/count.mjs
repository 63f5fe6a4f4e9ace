// Adds up the runners' own closing lines (Vitest's "Tests  3 passed | 1 failed (4)", Playwright's "  3 passed (1.2s)")
// and ends with `N passed, N failed`. A command that failed without a failing test counts as one failure.
import { readFileSync } from "node:fs";

const [log, status] = process.argv.slice(2);
const control = String.fromCharCode(27);
const text = readFileSync(log, "utf8").replaceAll(new RegExp(`${control}\\[[0-9;]*m`, "g"), "");
let passed = 0;
let failed = 0;
for (const line of text.split("\n")) {
  const closing =
    /^\s*Tests\s/.test(line) || /^\s+\d+ (passed|failed|flaky|interrupted)( \(.*\))?$/.test(line);
  if (!closing) continue;
  for (const [, count, word] of line.matchAll(/(\d+) (passed|failed|flaky|interrupted)/g)) {
    if (word === "passed") passed += Number(count);
    else failed += Number(count);
  }
}
if (Number(status) !== 0 && failed === 0) failed = 1;
if (passed === 0 && failed === 0) failed = 1;
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 || Number(status) !== 0 ? 1 : 0);
