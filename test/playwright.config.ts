/** The built page and the built Worker, as `wrangler dev` serves them on loopback. Run `npm run build` first. */
import { mkdtempSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, devices } from "@playwright/test";
import { chromiumLaunch } from "./support/chromium.js";

const root = fileURLToPath(new URL("..", import.meta.url));

// Every worker process reads this file again: what was picked first is handed down.
process.env["E2E_PORT"] ??= String(await freePort());
process.env["E2E_STATE"] ??= mkdtempSync(join(tmpdir(), "edge-interpreter-e2e-"));
const port = process.env["E2E_PORT"];
const wrangler = [
  "node node_modules/wrangler/bin/wrangler.js dev --local",
  `--ip 127.0.0.1 --port ${port} --inspector-port 0 --persist-to ${process.env["E2E_STATE"]}`,
];

export default defineConfig({
  testDir: "./e2e",
  outputDir: "../test-results",
  // Every core; files run side by side, each test on threads of its own.
  workers: "100%",
  timeout: 60_000,
  expect: { timeout: 20_000 },
  reporter: "list",
  forbidOnly: Boolean(process.env["CI"]),
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    launchOptions: chromiumLaunch,
    trace: "off",
    video: "off",
    screenshot: "off",
  },
  projects: [{ name: "chromium", use: { ...devices["Desktop Chrome"] } }],
  webServer: {
    command: wrangler.join(" "),
    cwd: root,
    url: `http://127.0.0.1:${port}/ok`,
    env: {
      WRANGLER_SEND_METRICS: "false",
      WRANGLER_SEND_ERROR_REPORTS: "false",
      CLOUDFLARE_CF_FETCH_ENABLED: "false",
      WRANGLER_HIDE_BANNER: "true",
      CI: "1",
    },
    reuseExistingServer: false,
    timeout: 120_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 5000 },
  },
});

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
