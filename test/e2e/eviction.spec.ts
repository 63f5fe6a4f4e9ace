import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A server of its own: the test ends it in the middle of a thread, which no other test may notice. */
async function serve(port: number, state: string): Promise<ChildProcess> {
  const options = [
    "--ip",
    "127.0.0.1",
    "--port",
    String(port),
    "--inspector-port",
    "0",
    "--persist-to",
    state,
  ];
  const server = spawn(
    process.execPath,
    ["node_modules/wrangler/bin/wrangler.js", "dev", "--local", ...options],
    {
      cwd: root,
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, CI: "1", WRANGLER_SEND_METRICS: "false", WRANGLER_HIDE_BANNER: "true" },
    },
  );
  const lines = createInterface({ input: server.stdout as NonNullable<typeof server.stdout> });
  for await (const line of lines) if (line.includes("Ready on")) break;
  server.stdout?.resume();
  return server;
}

async function stop(server: ChildProcess): Promise<void> {
  const ended = once(server, "exit");
  process.kill(-(server.pid as number), "SIGKILL");
  await ended;
}

test("a thread in the Worker goes on after the process with its Durable Object was killed", async ({
  page,
}) => {
  const state = await mkdtemp(join(tmpdir(), "edge-interpreter-eviction-"));
  const port = Number(process.env["E2E_PORT"]) + 1;
  const ask = async (question: string, answer: RegExp) => {
    await page.getByLabel("Question").fill(question);
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await expect(page.getByText(answer).last()).toBeVisible();
    await expect(page.getByRole("status")).toHaveText("Ready");
  };
  let server = await serve(port, state);
  try {
    await page.goto(`http://127.0.0.1:${port}/#worker/${crypto.randomUUID()}`);
    await ask("Which genres earn the most per dollar of budget?", /by genre:/);
    await stop(server);
    server = await serve(port, state);
    await page.reload();
    await expect(page.getByText(/by genre:/).first()).toBeVisible();
    await ask("And by distributor?", /Among distributors:/);
    await expect(page.getByText("rankBy is not defined")).toHaveCount(0);
  } finally {
    await stop(server);
    await rm(state, { recursive: true, force: true });
  }
});
