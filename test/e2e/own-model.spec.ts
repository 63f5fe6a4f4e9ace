import { expect, type Page, test } from "@playwright/test";
import { startModelEndpoint } from "../support/model-endpoint.js";
import { ask, openThread, programs, waitFor } from "./playground.js";

const code = "const cars = await tools.loadRows({ dataset: 'cars' });\ncars.length // \"cars\" \\ done";

/** Says something and runs the code, then tells the answer. */
const startCountingModel = () =>
  startModelEndpoint((_last, isResult) =>
    isResult
      ? { pieces: ["There ", "are ", "406 ", "cars ", "in ", "the ", "data."] }
      : { pieces: ["I will ", "count them."], code },
  );

interface Choice {
  readonly kind: RegExp;
  readonly url: string;
  readonly model: string;
  readonly key: string;
}

async function choose(page: Page, { kind, url, model, key }: Choice): Promise<void> {
  await page.getByRole("button", { name: "Settings" }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.getByRole("radio", { name: kind }).check();
  await expect(dialog).toContainText("The key stays in this tab");
  await dialog.getByLabel("Address").fill(url);
  await dialog.getByLabel("Model", { exact: true }).fill(model);
  await dialog.getByLabel("Key").fill(key);
  await dialog.getByRole("button", { name: "Save" }).click();
}

test("an OpenAI-compatible model streams programs and answers; its key is gone with the tab", async ({
  page,
  context,
}) => {
  const model = await startCountingModel();
  try {
    await openThread(page);
    await choose(page, {
      kind: /OpenAI-compatible/,
      url: `${model.url}/v1`,
      model: "local-model",
      key: "sk-local-test",
    });
    await expect(page.getByRole("button", { name: "Model: local-model, 127.0.0.1" })).toBeVisible();
    await ask(page, "How many cars are there?");
    await expect(page.getByText("There are 406 cars in the data.")).toBeVisible();
    await waitFor(page, "Ready");
    await expect(programs(page).first().getByLabel("Code")).toHaveText(code);
    await expect(programs(page).first().locator(".value")).toHaveText("406");
    expect(model.seen.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer sk-local-test",
      "Bearer sk-local-test",
    ]);
    expect(model.seen[0]!.body).toMatchObject({ model: "local-model", stream: true });
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain("sk-local-test");
    const other = await context.newPage();
    await openThread(other);
    expect(await other.evaluate(() => JSON.stringify(sessionStorage))).not.toContain("sk-local-test");
  } finally {
    model.close();
  }
});

test("Anthropic's client streams words, programs and answers, and sends results back", async ({ page }) => {
  const model = await startCountingModel();
  try {
    await openThread(page);
    await choose(page, {
      kind: /Anthropic/,
      url: model.url,
      model: "claude-local",
      key: "sk-ant-local-test",
    });
    await ask(page, "How many cars are there?");
    await expect(page.getByText("I will count them.")).toBeVisible();
    await expect(page.getByText("There are 406 cars in the data.")).toBeVisible();
    await waitFor(page, "Ready");
    await expect(programs(page).first().getByLabel("Code")).toHaveText(code);
    await expect(programs(page).first().locator(".value")).toHaveText("406");
    const headers = { "x-api-key": "sk-ant-local-test" };
    expect(model.seen).toMatchObject([
      { headers, path: "/v1/messages", body: { model: "claude-local", stream: true } },
      { headers, path: "/v1/messages" },
    ]);
    expect(model.seen[0]!.body["tools"]).toContainEqual(expect.objectContaining({ name: "eval" }));
    expect(JSON.stringify(model.seen[1]!.body["messages"])).toContain("→ 406");
  } finally {
    model.close();
  }
});

test("the model built into the browser writes programs and answers without a key", async ({ page }) => {
  await page.addInitScript((program) => {
    interface Prompt {
      readonly role: string;
      readonly content: string;
    }
    const asked: string[] = [];
    /** As the browser's own: one system prompt in front, then turns; an answer is a stream of pieces. */
    class LanguageModel {
      static availability = async () => "available";
      static async create({ initialPrompts }: { initialPrompts: readonly Prompt[] }) {
        const systems = initialPrompts.filter(({ role }) => role === "system");
        if (systems.length > 1 || initialPrompts[0]?.role !== "system")
          throw new TypeError("The system prompt has to be the first.");
        asked.push(systems[0]!.content);
        return new LanguageModel();
      }
      promptStreaming(text: string): ReadableStream<string> {
        const answer = text.startsWith("Result:")
          ? `There are ${/→ (\d+)/.exec(text)?.[1]} cars here.`
          : `\`\`\`js\n${program}\n\`\`\``;
        return new ReadableStream({
          start(controller) {
            for (const piece of answer.match(/.{1,7}/gs) ?? []) controller.enqueue(piece);
            controller.close();
          },
        });
      }
      destroy() {}
    }
    Object.assign(globalThis, { LanguageModel, asked });
  }, code);
  await openThread(page);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("radio", { name: "The model built into this browser" }).check();
  await expect(page.getByRole("dialog").getByLabel("Key")).toBeHidden();
  await page.getByRole("button", { name: "Save" }).click();
  await ask(page, "How many cars are there?");
  await expect(page.getByText("There are 406 cars here.")).toBeVisible();
  await waitFor(page, "Ready");
  await expect(programs(page).first().getByLabel("Code")).toHaveText(code);
  const [system] = await page.evaluate(() => (globalThis as unknown as { asked: string[] }).asked);
  expect(system).toContain("loadRows(input:");
});

test("a browser without a model of its own does not offer one", async ({ page }) => {
  await openThread(page);
  await page.getByRole("button", { name: "Settings" }).click();
  await expect(page.getByRole("radio", { name: "The model built into this browser" })).toBeDisabled();
});

test("in the Worker the Worker's model answers; a tab's choice and its key are not sent there, and the page says so", async ({
  page,
}) => {
  const model = await startCountingModel();
  const sent: string[] = [];
  page.on("request", (request) =>
    sent.push(JSON.stringify([request.url(), request.headers(), request.postData()])),
  );
  try {
    await openThread(page, "worker");
    await choose(page, {
      kind: /OpenAI-compatible/,
      url: `${model.url}/v1`,
      model: "local-model",
      key: "sk-local-test",
    });
    const badge = page.getByRole("button", { name: "Model: scripted demo, the Worker's" });
    await expect(badge).toBeVisible();
    await badge.click();
    await expect(page.getByRole("dialog")).toContainText("the choice above does not count");
    await expect(page.getByRole("dialog")).toContainText("and the key, are never sent there");
    await page.keyboard.press("Escape");
    await ask(page, "How many cars are there?");
    await waitFor(page, "Ready");
    await expect(programs(page)).toHaveCount(1);
    expect(model.seen).toEqual([]);
    expect(sent.filter((request) => request.includes("sk-local-test"))).toEqual([]);
    await page
      .getByRole("group", { name: "Where the agent runs" })
      .getByRole("radio", { name: "This tab" })
      .check();
    await expect(page.getByRole("button", { name: "Model: local-model, 127.0.0.1" })).toBeVisible();
  } finally {
    model.close();
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
  await expect(page.getByRole("alert").filter({ hasText: "Connection error" })).toContainText(
    "none, 127.0.0.1:9: Connection error. Look at the address in the settings",
  );
});
