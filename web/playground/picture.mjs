/** Makes a picture of the playground after one program, for the repository's page: `node web/playground/picture.mjs FILE.png`. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { chromium } from "@playwright/test";

const file = process.argv[2] ?? "playground.png";
const folder = join(import.meta.dirname, "../../dist/playground");
const types = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? "/", "http://page");
  const name = pathname === "/" ? "index.html" : pathname.slice(1);
  const body = await readFile(join(folder, name)).catch(() => undefined);
  response.writeHead(body ? 200 : 404, {
    "content-type": types[extname(name)] ?? "application/octet-stream",
  });
  response.end(body);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
/** As the tests find it: the one that is named, Debian's, Playwright's own. */
const debian = "/usr/bin/chromium";
const executablePath = process.env.CHROMIUM_PATH || (existsSync(debian) ? debian : undefined);
const browser = await chromium.launch({
  ...(executablePath ? { executablePath } : {}),
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
const page = await browser.newPage({ viewport: { width: 1120, height: 760 }, reducedMotion: "reduce" });
await page.goto(`http://127.0.0.1:${server.address().port}/`);
await page.getByRole("button", { name: "Analyse 3,201 films" }).click();
await page.getByRole("table", { name: "genres" }).waitFor();
await page.getByRole("status").filter({ hasText: "Ready" }).waitFor();
await page.screenshot({ path: file });
await browser.close();
server.close();
