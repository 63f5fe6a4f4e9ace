import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { openThread, type Place, programs, runCode, waitFor } from "./playground.js";

/** Opens a thread in which `shared` is 20, and again in another tab. */
async function openTwice(page: Page, context: BrowserContext, place: Place): Promise<Page> {
  await openThread(page, place);
  await runCode(page, "var shared = 20");
  const other = await context.newPage();
  await other.goto(page.url());
  await waitFor(other, "Ready");
  return other;
}

/** Starts code in the first tab that goes on until it is stopped. */
async function startEndless(page: Page, code: string): Promise<void> {
  const endless = `${code}; await new Promise((done) => setTimeout(done, 600_000));`;
  await page.locator("textarea").fill(endless);
  await page.getByRole("button", { name: "Run", exact: true }).click();
}

test("a second tab follows a run live, and can take the thread over", async ({ page, context }) => {
  const other = await openTwice(page, context, "tab");
  await startEndless(page, "shared++; console.log('first tab at work')");
  await expect(programs(other).last().getByLabel("Console")).toHaveText("first tab at work");
  await expect(other.getByRole("status")).toHaveText("Runs in another tab");
  await expect(programs(other).last()).toContainText("runs in another tab");
  await other.getByRole("button", { name: "Take over here" }).click();
  await waitFor(other, "Working");
  await expect(page.getByRole("status")).toHaveText("Runs in another tab");
  await other.getByRole("button", { name: "Stop" }).first().click();
  await waitFor(other, "Ready");
  await waitFor(page, "Ready");
  await expect(page.getByText("Stopped.", { exact: true })).toBeVisible();
});

test("two tabs follow one run in the Worker live, each from its start, and either can stop it", async ({
  page,
  context,
}) => {
  const other = await openTwice(page, context, "worker");
  await startEndless(page, "shared++; console.log('at work'); await tools.listDatasets({})");
  const card = programs(other).last();
  await expect(card.getByLabel("Console")).toHaveText("at work");
  await expect(card.getByRole("listitem").filter({ hasText: "listDatasets" })).toBeVisible();
  await waitFor(other, "Working");
  await card.getByRole("button", { name: "Stop" }).click();
  for (const each of [other, page]) {
    await waitFor(each, "Ready");
    await expect(each.getByText("Stopped.", { exact: true })).toBeVisible();
  }
  // What the stopped program had changed stays, and the other tab sees the next one too.
  await runCode(page, "shared");
  await expect(programs(other).last().locator(".value")).toContainText("21");
});

test("what another device did with a thread in the Worker is there when the page is looked at again", async ({
  page,
  browser,
}) => {
  await openThread(page, "worker");
  const elsewhere = await browser.newContext();
  const other = await elsewhere.newPage();
  await other.goto(page.url());
  await waitFor(other, "Ready");
  await runCode(other, "'from afar'");
  await expect(programs(page)).toHaveCount(0);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(programs(page).last().locator(".value")).toHaveText("from afar");
  await elsewhere.close();
});
