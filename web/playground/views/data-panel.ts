/** Data the agent can use: what comes with the demo, and files a person drops anywhere on the page. */
import { dataSets } from "../../demo/data-sets.js";
import type { App } from "../app.js";
import { button, h, setText, show } from "../dom.js";
import { dropTable, keepTable, type OwnTable, readTable } from "../own-tables.js";
import { countText } from "../sizes.js";

export function dataPanel(app: App): HTMLElement {
  const list = h("ul", { class: "tables-own" });
  const problem = h("p", { class: "problem", role: "alert" });
  const add = async (files: Iterable<File>) => {
    problem.textContent = "";
    for (const file of files) {
      try {
        await keepTable(await readTable(file));
      } catch (error) {
        problem.textContent = error instanceof Error ? error.message : String(error);
      }
    }
    await app.refreshTables();
  };
  const input = h("input", {
    type: "file",
    accept: ".csv,.tsv,.json,text/csv,application/json",
    multiple: true,
    class: "visually-hidden",
    tabindex: "-1",
    "aria-label": "Data file",
  });
  input.addEventListener("change", async () => {
    await add(input.files ?? []);
    input.value = "";
  });
  acceptDrops(add);
  const note = h("p", { class: "quiet" });
  const draw = () => {
    show(list, app.tables.length > 0);
    show(note, app.tables.length > 0);
    list.replaceChildren(...app.tables.map((table) => ownTable(table, app)));
  };
  app.addEventListener("tables", draw);
  app.addEventListener("status", () => setText(note, app.address.place === "tab" ? IN_TAB : IN_WORKER));
  draw();
  return h(
    "section",
    { class: "data" },
    h("h3", { class: "label" }, "Data"),
    h("p", { class: "quiet" }, `In the demo: ${dataSets.map(({ name }) => name).join(", ")}.`),
    list,
    note,
    h(
      "div",
      { class: "drop" },
      h(
        "p",
        {},
        "Drop a CSV or JSON file anywhere. It becomes a tool of the agent and never leaves this tab.",
      ),
      button("Choose a file", () => input.click()),
      input,
    ),
    problem,
  );
}

const IN_TAB =
  "Your files stay in this tab. Rows that a program has loaded are variables of the thread, and go with it when you move or export it.";
const IN_WORKER =
  "Your files are tools in this tab only. This thread runs in the Worker; move it to this tab to use them.";

function ownTable({ name, file, rows }: OwnTable, app: App): HTMLElement {
  const remove = async () => {
    await dropTable(name);
    await app.refreshTables();
  };
  const toolName = `load_${name}`.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return h(
    "li",
    {},
    h("code", { class: "name" }, `tools.${toolName}()`),
    h("span", { class: "quiet" }, `${file}, ${countText(rows.length, "row")}`),
    button("Remove", () => void remove(), { class: "button small", "aria-label": `Remove ${file}` }),
  );
}

function acceptDrops(add: (files: Iterable<File>) => Promise<void>): void {
  const isFile = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  addEventListener("dragover", (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  const end = () => document.body.classList.remove("dropping");
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) end();
  });
  addEventListener("drop", (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    end();
    void add(event.dataTransfer?.files ?? []);
  });
}
