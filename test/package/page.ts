/** Opens what a bundler wrote in Chromium, under a policy that forbids code from strings, and reads what it prints. */

import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { type Browser, type BrowserContext, chromium } from "@playwright/test";
import { chromiumLaunch } from "../support/chromium.js";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".wasm": "application/wasm",
};
const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; img-src data:";

export async function launch(): Promise<Browser> {
  return chromium.launch(chromiumLaunch);
}

/** Resolves to the first `count` lines on the page's console. Rejects with the first error of the page. */
export async function printedByPage(
  browser: Browser | BrowserContext,
  url: string,
  count: number,
): Promise<string> {
  const page = await browser.newPage();
  try {
    return await new Promise<string>((resolve, reject) => {
      const lines: string[] = [];
      page.on("pageerror", reject);
      page.on("console", (message) => {
        if (message.type() === "error") reject(new Error(message.text()));
        if (message.type() !== "log") return;
        lines.push(...message.text().split("\n"));
        if (lines.length >= count) resolve(lines.map((line) => `${line}\n`).join(""));
      });
      page.goto(url).catch(reject);
    });
  } finally {
    await page.close();
  }
}

/** Serves a folder on loopback, with the policy unless another one is given. */
export async function serve(
  directory: string,
  contentSecurityPolicy: string = policy,
): Promise<{ url: string; close(): void }> {
  const server: Server = createServer(async (request, response) => {
    const path = new URL(request.url ?? "/", "http://page").pathname;
    const file = path === "/" ? "index.html" : path.slice(1);
    try {
      const body = await readFile(join(directory, file));
      const type = types[extname(file)] ?? "application/octet-stream";
      response
        .writeHead(200, { "content-type": type, "content-security-policy": contentSecurityPolicy })
        .end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}
