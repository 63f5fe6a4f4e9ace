import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { programs, startScenario, waitFor } from "./playground.js";

const folder = fileURLToPath(new URL("../../dist/playground", import.meta.url));
const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

test("the page works from any folder of static files, without headers of its own, and says that there is no Worker", async ({
  page,
}) => {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://page");
    const name = pathname.replace(/^\/deep\/path\/$/, "/deep/path/index.html").replace("/deep/path/", "");
    const body = await readFile(join(folder, name)).catch(() => undefined);
    response.writeHead(body ? 200 : 404, { "content-type": types[extname(name)] ?? "text/plain" });
    response.end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  try {
    await page.goto(`http://127.0.0.1:${port}/deep/path/`);
    await waitFor(page, "Ready");
    await expect(page.getByRole("radio", { name: "Worker" })).toBeDisabled();
    await expect(page.getByText("No Worker serves this page")).toBeAttached();
    await startScenario(page, "Draw a chart of 342 penguins");
    await waitFor(page, "Ready");
    await expect(programs(page).first().locator("circle")).toHaveCount(342);
    // Not isolated: a stop cannot reach a loop, which ends with its worker, and the session goes on.
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
