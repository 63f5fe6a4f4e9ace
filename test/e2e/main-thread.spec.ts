import { expect, test } from "@playwright/test";
import { openThread, programs, runCode, waitFor } from "./playground.js";

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Processor time in microseconds, which does not count what other processes of the machine took. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

test("no task of the page's main thread exceeds 50 ms while guest code loops for 5 seconds", async ({
  page,
  browser,
}) => {
  await openThread(page);
  await runCode(page, "var before = 1");
  await page.locator("textarea").fill("before = 2; for (;;);");
  await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline", "__metadata"] });
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(programs(page).last()).toContainText(/failed after [5-9]/);
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  await waitFor(page, "Ready");
  const names = trace.traceEvents.filter(({ name }) => name === "thread_name");
  const isMain = (event: TraceEvent) =>
    names.some(
      ({ pid, tid, args }) => args?.name === "CrRendererMain" && pid === event.pid && tid === event.tid,
    );
  const tasks = trace.traceEvents.filter(
    (event) => event.ph === "X" && event.tdur !== undefined && isMain(event),
  );
  expect(tasks.length).toBeGreaterThan(10);
  const longest = tasks.reduce((a, b) => ((a.tdur ?? 0) > (b.tdur ?? 0) ? a : b));
  expect({ name: longest.name, ms: Math.round((longest.tdur ?? 0) / 1000) }.ms).toBeLessThanOrEqual(50);
  await runCode(page, "before");
  await expect(programs(page).last().locator(".value")).toHaveText("2");
});

test("what the engine cannot stop is ended by the person, and the session is there again", async ({
  page,
}) => {
  await openThread(page);
  await runCode(page, "var saved = 'kept'");
  await page.locator("textarea").fill('console.log("begun"); "a".repeat(2e7).indexOf("a".repeat(1e7) + "b")');
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const card = programs(page).last();
  await expect(card.getByLabel("Console")).toHaveText("begun");
  await card.getByRole("button", { name: "Stop" }).click();
  await waitFor(page, "Ready");
  await expect(card).toContainText("what it had changed is lost");
  await runCode(page, "saved");
  await expect(programs(page).last().locator(".value")).toHaveText("kept");
});
