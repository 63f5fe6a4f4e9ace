import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fileStore } from "../support/file-store.js";
import { answers, ask, startAgent, thread } from "../support/persistent-agent.js";
import { randomFrom } from "../support/snapshots.js";

const root = new URL("../..", import.meta.url).pathname;
const TURNS = 200;
const t = thread("t");
let folder: string;
let program: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "edge-interpreter-crash-"));
  // Beside the packages, which stay outside of the bundle.
  program = join(root, "node_modules", `.crashing-process-${process.pid}.mjs`);
  await build({
    entryPoints: [join(root, "test/support/crashing-process.ts")],
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    alias: { "#engine-wasm": join(root, "src/engine-wasm/embedded.ts") },
    outfile: program,
  });
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(program);
});

/** Runs until `killAt` lines were said, then kills; answers the last turn that was said to be done, and all lines. */
async function runUntil(
  place: string,
  home: string,
  turns: number,
  killAt: number,
): Promise<{ done: number; lines: number; failure: string }> {
  const child = spawn(process.execPath, [program, home, place, String(turns)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let failure = "";
  child.stderr.on("data", (chunk) => {
    failure += String(chunk);
  });
  const result = { done: 0, lines: 0, failure: "" };
  const closed = new Promise((resolve) => child.once("close", resolve));
  for await (const line of createInterface({ input: child.stdout })) {
    result.lines++;
    if (line.startsWith("done ")) result.done = Number(line.slice(5));
    if (result.lines === killAt) child.kill("SIGKILL");
  }
  await closed;
  return { ...result, failure };
}

test.concurrent.each(["checkpointer", "store"])(
  "a process killed at any moment of 200 turns leaves the state of its last completed eval (%s)",
  async (place) => {
    const home = join(folder, place);
    const snapshots = fileStore(join(home, "snapshots"));
    const random = randomFrom(20261130);
    let reached = 0;
    for (let life = 0; reached < TURNS; life++) {
      const { done, lines, failure } = await runUntil(
        place,
        home,
        TURNS - reached,
        1 + random(life % 3 === 0 ? 12 : 450),
      );
      expect(failure).toBe("");
      expect(lines).toBeGreaterThan(0);
      const saver = SqliteSaver.fromConnString(join(home, "thread.sqlite"));
      const agent = place === "store" ? startAgent(undefined, { snapshots }) : startAgent(saver);
      const before = reached;
      const result = await agent.invoke(ask("[log.length, log.every((n, i) => n === i), typeof step]"), t);
      const [answer] = answers(result);
      const found = Number(
        /\[(\d+), true, "function"\]/.exec(answer ?? "")?.[1] ?? (before === 0 && done === 0 ? 0 : -1),
      );
      // The conversation that goes on has just the evals that the variables show.
      if (place === "checkpointer") expect(found).toBe(result.messages.filter(isCount).length);
      // What was reported as done is there; one more may have been saved without being reported.
      expect(found).toBeGreaterThanOrEqual(Math.max(before, done));
      expect(found).toBeLessThanOrEqual(Math.max(before, done) + 1);
      reached = found;
      saver.db.close();
    }
    expect(reached).toBe(TURNS);
  },
  600_000,
);

/** The answer of a turn of the process, not of this test. */
function isCount(message: BaseMessage): boolean {
  return ToolMessage.isInstance(message) && /^→ \d+$/.test(message.text);
}
