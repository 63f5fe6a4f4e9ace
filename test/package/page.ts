/** Opens what a bundler wrote in Chromium, under a policy that forbids code from strings, and reads what it prints. */
import { type Browser, type BrowserContext, chromium } from "@playwright/test";
import { chromiumLaunch } from "../support/chromium.js";
import { type StaticFolder, serveFolder } from "../support/static-folder.js";

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
export function serve(directory: string, contentSecurityPolicy: string = policy): Promise<StaticFolder> {
  return serveFolder(directory, { headers: { "content-security-policy": contentSecurityPolicy } });
}
