import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { serveFolder } from "../support/static-folder.js";
import { programs, startScenario, waitFor } from "./playground.js";

const folder = fileURLToPath(new URL("../../dist/playground", import.meta.url));

test("the page works from any folder of static files, without headers of its own, and says that there is no Worker", async ({
  page,
}) => {
  const served = await serveFolder(folder, { at: "/deep/path/" });
  try {
    await page.goto(served.url);
    await waitFor(page, "Ready");
    await expect(page.getByRole("radio", { name: "Worker" })).toBeDisabled();
    await expect(page.getByText("No Worker serves this page")).toBeAttached();
    await startScenario(page, "Draw a chart of 342 penguins");
    await waitFor(page, "Ready");
    await expect(programs(page).first().locator("circle")).toHaveCount(342);
    // Not isolated: a stop cannot reach a loop, which ends with its worker, and the session goes on.
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
  } finally {
    served.close();
  }
});
