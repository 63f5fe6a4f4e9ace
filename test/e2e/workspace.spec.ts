import { expect, test } from "@playwright/test";
import { openThread, type Place, programs, runCode, waitFor, workspace } from "./playground.js";

for (const place of ["tab", "worker"] satisfies Place[]) {
  test(`the workspace lists names, memory and snapshots, and an old one can be forked, in the ${place}`, async ({
    page,
  }) => {
    await openThread(page, place);
    await runCode(page, "var first = [1, 2, 3]; function double(n) { return n * 2; }");
    await runCode(page, "first.push(4); var second = 'later'");
    const panel = workspace(page);
    await expect(panel.getByRole("heading", { name: "2 variables" })).toBeVisible();
    await expect(panel.getByRole("listitem").filter({ hasText: "double" })).toContainText("function");
    await expect(panel.getByRole("meter")).toHaveAttribute("aria-valuetext", /KB of 64 MB/);
    const points = panel.getByRole("button", { name: /^Version \d/ });
    await expect(points).toHaveCount(2);
    await expect(points.last()).toHaveAttribute("aria-pressed", "true");

    await points.first().click();
    await expect(panel.getByRole("listitem").filter({ hasText: "second" })).toContainText("came later");
    const changed = panel.getByRole("listitem").filter({ hasText: "first" });
    await expect(changed).toContainText("changed since");
    await expect(changed).toContainText("now [1, 2, 3, 4]");
    const before = page.url();
    await panel.getByRole("button", { name: "Fork a new thread here" }).click();
    await expect.poll(() => page.url()).not.toBe(before);
    await waitFor(page, "Ready");
    await runCode(page, "[first.length, double(4), typeof second]");
    await expect(programs(page).last().locator(".value")).toHaveText('[3, 8, "undefined"]');

    await page.goto(before);
    await waitFor(page, "Ready");
    await runCode(page, "[first.length, second]");
    await expect(programs(page).last().locator(".value")).toHaveText('[4, "later"]');
  });
}
