/** Runs suites in a page of Chromium. The page is cross-origin isolated: its clock then has a resolution of 5 µs. */
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { chromium } from "@playwright/test";
import { bundle, engines, readEngine } from "./bundle.mjs";

export async function runInChromium(suites, { rounds }) {
  const script = await bundle("chromium-entry.mjs", {
    conditions: ["browser"],
    define: { "process.platform": '"linux"', "process.env": "{}" },
  });
  const files = new Map([
    [
      "/",
      ["text/html", '<!doctype html><title>bench</title><script type="module" src="/bench.js"></script>'],
    ],
    ["/bench.js", ["text/javascript", script]],
  ]);
  for (const name of Object.keys(engines))
    files.set(`/${name}`, ["application/wasm", await readEngine(name)]);
  const server = createServer(({ url }, response) => {
    const [type, body] = files.get(url) ?? ["text/plain", undefined];
    const isolated = {
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-embedder-policy": "require-corp",
      "cross-origin-resource-policy": "same-origin",
    };
    response.writeHead(body === undefined ? 404 : 200, { "content-type": type, ...isolated }).end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const executablePath =
    process.env.CHROMIUM_PATH || (existsSync("/usr/bin/chromium") ? "/usr/bin/chromium" : undefined);
  const args = process.getuid?.() === 0 ? ["--no-sandbox", "--disable-gpu"] : ["--disable-gpu"];
  const browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args });
  try {
    const page = await browser.newPage();
    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page
      .waitForFunction(() => "runSuites" in globalThis, undefined, { timeout: 30_000 })
      .catch((error) => {
        throw new Error(`The page did not load: ${problems.join("; ") || error.message}`);
      });
    return await page.evaluate(([names, count]) => globalThis.runSuites(names, count), [suites, rounds]);
  } finally {
    await browser.close();
    server.close();
  }
}
