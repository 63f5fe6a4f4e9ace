import { expect, test } from "@playwright/test";
import { moviesScenario } from "../../web/demo/scenario.js";
import { ask, openThread, type Place, programs, runCode, waitFor } from "./playground.js";

const [first, second] = moviesScenario.map(({ question }) => question) as [string, string];

for (const place of ["tab", "worker"] satisfies Place[]) {
  test(`what code declared is still there after a reload, with the agent in the ${place}`, async ({
    page,
  }) => {
    await openThread(page, place);
    await ask(page, first);
    await expect(page.getByText(/^Gross per dollar/)).toBeVisible();
    await page.reload();
    await expect(page.getByText(/^Gross per dollar/)).toBeVisible();
    await waitFor(page, "Ready");
    await ask(page, second);
    await expect(page.getByText(/^Nothing had to be loaded again/)).toBeVisible();
    await waitFor(page, "Ready");
    await runCode(page, "[movies.length, typeof rankBy]");
    await expect(programs(page).last()).toContainText('[3201, "function"]');
  });
}
