import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { build } from "esbuild";

const entry = fileURLToPath(new URL("./use-stream-page.mjs", import.meta.url));

test("a page with the SDK's React hook talks to the Worker: its answer comes, and the next question finds what the first one loaded", async ({
  page,
}) => {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    platform: "browser",
    define: { "process.env.NODE_ENV": '"production"' },
    write: false,
  });
  const script = outputFiles[0]?.text ?? "";
  await page.route("**/hook/", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: '<!doctype html><title>Hook</title><body><script type="module" src="/hook/page.js"></script>',
    }),
  );
  await page.route("**/hook/page.js", (route) =>
    route.fulfill({ contentType: "text/javascript", body: script }),
  );
  await page.goto("/hook/");
  const messages = page.getByRole("list", { name: "Messages" }).getByRole("listitem");
  const ask = async (question: string, answer: string) => {
    await page.getByLabel("Question").fill(question);
    await page.getByRole("button", { name: "Ask" }).click();
    await expect(messages.filter({ hasText: answer })).toHaveAttribute("data-type", "ai");
    await expect(page.getByRole("status")).toHaveText("Ready");
    await expect(page.getByRole("alert")).toHaveCount(0);
  };
  await ask(
    "Which genres earn the most per dollar of budget, and who directs them best?",
    "Gross per dollar of budget, by genre: **Documentary**",
  );
  await expect(messages.first()).toHaveAttribute("data-type", "human");
  await ask("And by distributor? Keep using what you have loaded.", "Nothing had to be loaded again");
});
