/** What a person does on the playground's page, for the tests. */
import { expect, type Locator, type Page } from "@playwright/test";

export type Place = "tab" | "worker";

export async function openThread(page: Page, place: Place = "tab"): Promise<void> {
  await page.goto(`/#${place}/${crypto.randomUUID()}`);
  await waitFor(page, "Ready");
}

export async function waitFor(
  page: Page,
  status: "Ready" | "Waiting for you" | "Working" | "Failed",
): Promise<void> {
  await expect(page.getByRole("status")).toHaveText(status);
}

export async function ask(page: Page, question: string): Promise<void> {
  await page.getByLabel("Question").fill(question);
  await page.getByRole("button", { name: "Ask", exact: true }).click();
}

export async function startScenario(page: Page, title: string): Promise<void> {
  await page.getByRole("button", { name: title }).click();
}

/** Runs code in the session, as the person. */
export async function runCode(page: Page, code: string): Promise<void> {
  await page.getByRole("radio", { name: "Run code" }).check();
  await page.getByLabel("Code", { exact: true }).and(page.locator("textarea")).fill(code);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await waitFor(page, "Ready");
}

/** Programs and cells, in the order of the conversation. */
export function programs(page: Page): Locator {
  return page.getByRole("article");
}

export function workspace(page: Page): Locator {
  return page.getByRole("region", { name: "Workspace" });
}
