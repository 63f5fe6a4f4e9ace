import { expect, test } from "@playwright/test";
import { openThread, programs, runCode, waitFor } from "./playground.js";

test("a second tab follows a run live, and can take the thread over", async ({ page, context }) => {
  await openThread(page);
  await runCode(page, "var shared = 20");
  const other = await context.newPage();
  await other.goto(page.url());
  await waitFor(other, "Ready");
  await page
    .locator("textarea")
    .fill(
      "shared++; console.log('first tab at work'); await new Promise((done) => setTimeout(done, 600_000));",
    );
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(programs(other).last().getByLabel("Console")).toHaveText("first tab at work");
  await expect(other.getByRole("status")).toHaveText("Runs in another tab");
  await other.getByRole("button", { name: "Take over here" }).click();
  await waitFor(other, "Working");
  await expect(page.getByRole("status")).toHaveText("Runs in another tab");
  await other.getByRole("button", { name: "Stop" }).first().click();
  await waitFor(other, "Ready");
  await waitFor(page, "Ready");
  await expect(page.getByText("Stopped.", { exact: true })).toBeVisible();
});
