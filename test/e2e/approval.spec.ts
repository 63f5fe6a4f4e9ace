import { expect, test } from "@playwright/test";
import { openThread, type Place, programs, startScenario, waitFor } from "./playground.js";

const answer = /^Published "Cars by origin, 1970 to 1982" with \d+ characters/;

for (const place of ["tab", "worker"] satisfies Place[]) {
  test(`an approval survives a reload and goes on where the program paused, in the ${place}`, async ({
    page,
  }) => {
    await openThread(page, place);
    await startScenario(page, "Ask before publishing");
    await waitFor(page, "Waiting for you");
    await page.reload();
    await waitFor(page, "Waiting for you");
    const form = page.getByRole("region", { name: "Approval needed" });
    await expect(form.getByLabel("The code around the call")).toContainText("tools.publishReport({");
    await expect(form.getByLabel("title")).toHaveValue("Cars by origin, 1970 to 1982");
    await form.getByRole("button", { name: "Approve" }).click();
    await expect(page.getByText(answer)).toBeVisible();
    await waitFor(page, "Ready");
    // The rows were loaded once: what ran before the pause did not run again.
    await expect(programs(page).first().getByLabel("Console")).toHaveText("summary ready, asking to publish");
  });
}

test("arguments a person changes are those the tool gets; what was changed before a reload is still there", async ({
  page,
}) => {
  await openThread(page);
  await startScenario(page, "Ask before publishing");
  await waitFor(page, "Waiting for you");
  await page.getByLabel("title").fill("Three origins");
  await page.reload();
  await waitFor(page, "Waiting for you");
  await expect(page.getByLabel("title")).toHaveValue("Three origins");
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText(/^Published "Three origins"/)).toBeVisible();
});

test("a rejected call fails in the code, with the person's reason", async ({ page }) => {
  await openThread(page);
  await startScenario(page, "Ask before publishing");
  await waitFor(page, "Waiting for you");
  await page.getByLabel("Reason").fill("not before Monday");
  await page.getByRole("button", { name: "Reject" }).click();
  await expect(programs(page).first().locator(".failure")).toContainText("not before Monday");
  await waitFor(page, "Ready");
});
