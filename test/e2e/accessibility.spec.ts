import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import { openThread, programs, startScenario, waitFor, workspace } from "./playground.js";

for (const width of [360, 1600]) {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`axe finds nothing serious at ${width} px in the ${colorScheme} theme`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const serious = async () => {
        const { violations } = await new AxeBuilder({ page }).analyze();
        return violations
          .filter(({ impact }) => impact === "serious" || impact === "critical")
          .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
      };
      await openThread(page);
      expect(await serious()).toEqual([]);
      await startScenario(page, "Draw a chart of 342 penguins");
      await waitFor(page, "Ready");
      expect(await serious()).toEqual([]);
      await page.getByRole("button", { name: "New" }).click();
      await startScenario(page, "Ask before publishing");
      await waitFor(page, "Waiting for you");
      expect(await serious()).toEqual([]);
      if (width < 900) await page.getByRole("radio", { name: "Workspace" }).check();
      await expect(workspace(page)).toBeVisible();
      expect(await serious()).toEqual([]);
      await page.getByRole("button", { name: "Settings" }).click();
      expect(await serious()).toEqual([]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
    });
  }
}

test("a question is asked, a program unfolded and an approval given with the keyboard alone", async ({
  page,
}) => {
  await openThread(page);
  await page.getByLabel("Question").focus();
  await page.keyboard.type("Summarise the cars by origin and publish the summary as a report.");
  await page.keyboard.press("Enter");
  await waitFor(page, "Waiting for you");
  const approve = page.getByRole("button", { name: "Approve" });
  for (
    let presses = 0;
    presses < 60 && !(await approve.evaluate((element) => element === document.activeElement));
    presses++
  )
    await page.keyboard.press("Shift+Tab");
  await expect(approve).toBeFocused();
  await page.keyboard.press("Enter");
  await waitFor(page, "Ready");
  await expect(programs(page).first()).toContainText("ran for");
});
