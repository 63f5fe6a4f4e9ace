import { expect, test } from "@playwright/test";
import {
  ask,
  openThread,
  type Place,
  programs,
  runCode,
  startScenario,
  waitFor,
  workspace,
} from "./playground.js";

for (const place of ["tab", "worker"] satisfies Place[]) {
  test(`a program's card shows what it did, in the ${place}`, async ({ page }) => {
    await openThread(page, place);
    await startScenario(page, "Analyse 3,201 films");
    const card = programs(page).first();
    await expect(card.getByLabel("Code")).toContainText('tools.describeDataset({ dataset: "movies" })');
    await waitFor(page, "Ready");
    await expect(card).toContainText(/ran for \d/);
    await expect(card.getByRole("heading", { name: "5 calls, up to 4 at once" })).toBeVisible();
    await expect(card.getByRole("listitem").filter({ hasText: "loadRows" })).toHaveCount(4);
    await expect(card.getByLabel("Console")).toHaveText("3201 films loaded in 4 parallel calls");
    await expect(card.getByRole("table", { name: "genres" }).getByRole("row")).toHaveCount(6);
    await expect(card).toContainText(/MB stayed in the workspace, about \d+k tokens/);
    await page.reload();
    await expect(card.getByRole("heading", { name: "5 calls, up to 4 at once" })).toBeVisible();
  });
}

test("a chart that code hands to the page is drawn, and its points stay out of the conversation", async ({
  page,
}) => {
  await openThread(page);
  await startScenario(page, "Draw a chart of 342 penguins");
  const chart = page.getByRole("img", { name: /point chart of Body mass \(g\) against Flipper length/ });
  await expect(chart.locator("circle")).toHaveCount(342);
  await waitFor(page, "Ready");
  await page.getByText("What the model read").click();
  await expect(programs(page).first().locator("details pre")).not.toContainText('flipper":');
  await page.reload();
  await expect(chart.locator("circle")).toHaveCount(342);
});

test("a small Vega-Lite specification that code returns is drawn, whatever its mark", async ({ page }) => {
  await openThread(page);
  const values =
    "data: { values: [{ day: 'Mon', rain: 3 }, { day: 'Tue', rain: 5 }, { day: 'Wed', rain: 1 }] }";
  const encoding =
    "encoding: { x: { field: 'day', type: 'nominal' }, y: { field: 'rain', type: 'quantitative', title: 'Rain (mm)' } }";
  for (const [mark, shapes] of [
    ["bar", "rect.fill"],
    ["line", "path.stroke"],
    ["area", "path.area"],
    ["point", "circle"],
  ] as const) {
    await runCode(page, `({ mark: '${mark}', ${values}, ${encoding} })`);
    const chart = programs(page)
      .last()
      .getByRole("img", { name: new RegExp(`${mark} chart of Rain`) });
    await expect(chart.locator(shapes).first()).toBeVisible();
  }
});

test("subagents that code sends out run side by side, each with a row of its own", async ({ page }) => {
  await openThread(page);
  await startScenario(page, "Send out six analysts");
  await waitFor(page, "Ready");
  const card = programs(page).first();
  await expect(card.getByRole("heading", { name: "6 calls, up to 6 at once" })).toBeVisible();
  for (const genre of ["Action", "Adventure", "Comedy", "Drama", "Horror", "Thriller/Suspense"])
    await expect(card.getByRole("listitem").filter({ hasText: genre })).toBeVisible();
  await expect(page.getByText(/^Horror: half of its 217 films/)).toBeVisible();
});

test("an endless loop is ended, and what it loaded is used by the next program", async ({ page }) => {
  await openThread(page);
  await startScenario(page, "Survive an endless loop");
  await expect(programs(page).first()).toContainText("failed after");
  await waitFor(page, "Ready");
  await expect(programs(page)).toHaveCount(2);
  await expect(page.getByText(/^My first program looped for ever/)).toBeVisible();
});

for (const [what, code] of [
  ["waits", "kept = 42; console.log('begun'); await new Promise((done) => setTimeout(done, 600_000));"],
  ["loops", "kept = 42; console.log('begun'); for (;;);"],
] as const) {
  test(`a person stops a program that ${what}, and what it had changed is there for the next one`, async ({
    page,
  }) => {
    await openThread(page);
    await runCode(page, "var kept = 41");
    await page.locator("textarea").fill(code);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    const card = programs(page).last();
    await expect(card.getByLabel("Console")).toHaveText("begun");
    await expect(card).toContainText(/running \d/);
    await card.getByRole("button", { name: "Stop" }).click();
    await waitFor(page, "Ready");
    await expect(page.getByText("Stopped.", { exact: true })).toBeVisible();
    await expect(card).toContainText("stopped after");
    await expect(card).toContainText("What it had changed by then stays.");
    await expect(workspace(page).getByRole("listitem").filter({ hasText: "kept" })).toContainText("42");
    await page.reload();
    await waitFor(page, "Ready");
    await runCode(page, "kept");
    await expect(programs(page).last().locator(".value")).toHaveText("42");
  });
}

test("a person's own code runs in the agent's session with its tools", async ({ page }) => {
  await openThread(page);
  await runCode(page, "const own = await tools.loadRows({ dataset: 'penguins' }); own.length");
  await expect(programs(page).last().locator(".value")).toHaveText("344");
  await page.getByRole("radio", { name: "Ask the agent" }).check();
  await ask(page, "Which genres earn the most per dollar of budget, and who directs them best?");
  await expect(page.getByText(/^Gross per dollar/)).toBeVisible();
  await waitFor(page, "Ready");
  await runCode(page, "[own.length, movies.length]");
  await expect(programs(page).last().locator(".value")).toHaveText("[344, 3201]");
});

test("a reload in the middle of an answer goes on with it", async ({ page }) => {
  await openThread(page);
  await startScenario(page, "Analyse 3,201 films");
  await expect(programs(page).first()).toContainText("ran for");
  await page.reload();
  await expect(page.getByText(/^Gross per dollar/)).toBeVisible();
  await waitFor(page, "Ready");
});
