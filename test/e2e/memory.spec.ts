import { expect, type Page, test } from "@playwright/test";

async function ask(page: Page, question: string, answer: RegExp): Promise<void> {
  await page.getByLabel("Question").fill(question);
  await page.getByRole("button", { name: "Ask" }).click();
  await expect(page.getByText(answer).last()).toBeVisible();
  await expect(page.getByRole("status")).toHaveText("Ready");
}

for (const place of ["tab", "worker"]) {
  test(`what code declared is still there after a reload, with the agent in the ${place}`, async ({
    page,
  }) => {
    await page.goto(`/#${place}/${crypto.randomUUID()}`);
    await expect(page.getByRole("status")).toHaveText("Ready");
    await ask(page, "Which genres earn the most per dollar of budget?", /genres:/);
    await page.reload();
    await expect(page.getByText(/genres:/).first()).toBeVisible();
    await ask(page, "And by distributor?", /distributors:/);
    await expect(page.getByText("rankBy is not defined")).toHaveCount(0);
  });
}
