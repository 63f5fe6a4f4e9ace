import { expect, test } from "@playwright/test";
import { openThread, programs, runCode, startScenario, waitFor, workspace } from "./playground.js";

const csv = 'region;amount\n"north;1";3\nsouth;5.5\n';

test("a dropped CSV becomes a tool, outlives a reload, and leaves the tab by no request", async ({
  page,
}) => {
  const sent: string[] = [];
  page.on("request", (request) =>
    sent.push(`${request.method()} ${request.url()} ${request.postData() ?? ""}`),
  );
  await openThread(page);
  const transfer = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "My sales.csv", { type: "text/csv" }));
    return data;
  }, csv);
  await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
  await expect(workspace(page).getByText("tools.loadMySales()")).toBeVisible();
  await expect(workspace(page).getByText("Your files stay in this tab.")).toBeVisible();
  await page.reload();
  await waitFor(page, "Ready");
  await startScenario(page, "Look at my own file");
  await expect(
    page.getByText(/^tools\.loadMySales has 2 rows and 2 columns, 1 of them numbers/),
  ).toBeVisible();
  await waitFor(page, "Ready");
  await runCode(page, "(await tools.loadMySales())[0]");
  await expect(programs(page).last()).toContainText("north;1");
  expect(sent.filter((request) => request.startsWith("POST") || request.includes("north"))).toEqual([]);
  await workspace(page).getByRole("button", { name: "Remove My sales.csv" }).click();
  await expect(workspace(page).getByText("tools.loadMySales()")).toHaveCount(0);
});

test("JSON with a list of rows is data too, and a file that is none says what is wrong with it", async ({
  page,
}) => {
  await openThread(page);
  const rows = [
    { city: "Oslo", rain: 763 },
    { city: "Lima", rain: 16 },
  ];
  const file = (name: string, text: string) => ({
    name,
    mimeType: "application/json",
    buffer: Buffer.from(text),
  });
  await page.getByLabel("Data file").setInputFiles(file("Rain.json", JSON.stringify({ source: "me", rows })));
  await expect(workspace(page).getByText("tools.loadRain()")).toBeVisible();
  await runCode(page, "(await tools.loadRain()).map(({ city, rain }) => ({ city, rain }))");
  await expect(programs(page).last().getByRole("table").getByRole("row")).toHaveCount(3);
  await page.getByLabel("Data file").setInputFiles(file("bad.json", "{ not json"));
  await expect(workspace(page).getByRole("alert")).toContainText("bad.json");
});
