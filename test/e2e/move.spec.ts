import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { openThread, programs, runCode, waitFor } from "./playground.js";

test("one control moves a thread into the Worker and back, with its functions", async ({ page }) => {
  await openThread(page);
  await runCode(page, "let count = 1; const next = () => ++count; next()");
  const places = page.getByRole("group", { name: "Where the agent runs" });
  await places.getByRole("radio", { name: "Worker" }).check();
  await expect.poll(() => page.url()).toContain("#worker/");
  await waitFor(page, "Ready");
  await runCode(page, "next()");
  await expect(programs(page).last().locator(".value")).toHaveText("3");
  await places.getByRole("radio", { name: "This tab" }).check();
  await expect.poll(() => page.url()).toContain("#tab/");
  await waitFor(page, "Ready");
  await expect(programs(page)).toHaveCount(2);
  await runCode(page, "next()");
  await expect(programs(page).last().locator(".value")).toHaveText("4");
});

test("a thread goes into a file and comes out of it in another browser", async ({ page, browser }) => {
  await openThread(page);
  await runCode(page, "const secret = new Map([['a', 1]]); const read = (key) => secret.get(key); read('a')");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  const file = await (await download).path();
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({
    format: "edge-interpreter-thread",
    version: 1,
  });

  const context = await browser.newContext();
  const other = await context.newPage();
  await openThread(other);
  await other.getByLabel("Thread file").setInputFiles(file);
  await expect(programs(other)).toHaveCount(1);
  await waitFor(other, "Ready");
  await runCode(other, "read('a') + 1");
  await expect(programs(other).last().locator(".value")).toHaveText("2");
  await other
    .getByLabel("Thread file")
    .setInputFiles({ name: "x.json", mimeType: "application/json", buffer: Buffer.from("{}") });
  await expect(other.getByRole("alert")).toHaveText("This file is not a thread that was exported here.");
  await context.close();
});
