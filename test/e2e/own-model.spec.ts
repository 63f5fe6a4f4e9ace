import { expect, test } from "@playwright/test";
import { serveChatCompletions } from "./chat-completions.js";
import { ask, openThread, programs, waitFor } from "./playground.js";

test("an OpenAI-compatible model streams programs and answers; its key is gone with the tab", async ({
  page,
  context,
}) => {
  const code = "const cars = await tools.loadRows({ dataset: 'cars' });\ncars.length // \"cars\" \\ done";
  const model = await serveChatCompletions(code, "There are 406 cars in the data.");
  try {
    await openThread(page);
    await page.getByRole("button", { name: "Settings" }).click();
    const dialog = page.getByRole("dialog", { name: "Settings" });
    await dialog.getByRole("radio", { name: /OpenAI-compatible/ }).check();
    await expect(dialog).toContainText("The key stays in this tab");
    await dialog.getByLabel("Address").fill(model.url);
    await dialog.getByLabel("Model", { exact: true }).fill("local-model");
    await dialog.getByLabel("Key").fill("sk-local-test");
    await dialog.getByRole("button", { name: "Save" }).click();
    await ask(page, "How many cars are there?");
    await expect(page.getByText("There are 406 cars in the data.")).toBeVisible();
    await waitFor(page, "Ready");
    await expect(programs(page).first().getByLabel("Code")).toHaveText(code);
    await expect(programs(page).first().locator(".value")).toHaveText("406");
    expect(model.received.map(({ authorization }) => authorization)).toEqual([
      "Bearer sk-local-test",
      "Bearer sk-local-test",
    ]);
    expect(model.received[0]!.body).toMatchObject({ model: "local-model", stream: true });
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain("sk-local-test");
    const other = await context.newPage();
    await openThread(other);
    expect(await other.evaluate(() => JSON.stringify(sessionStorage))).not.toContain("sk-local-test");
  } finally {
    await model.close();
  }
});

test("a model that cannot be reached is a failure with its reason, and the thread can be used again", async ({
  page,
}) => {
  await openThread(page);
  await page.evaluate(() => {
    const settings = { kind: "openai", url: "http://127.0.0.1:9", model: "none", key: "" };
    sessionStorage.setItem("edge-interpreter:model", JSON.stringify(settings));
  });
  await page.reload();
  await waitFor(page, "Ready");
  await ask(page, "Anybody there?");
  await waitFor(page, "Failed");
  await expect(page.getByRole("alert")).not.toBeEmpty();
});
