/** The bar at the top: where the thread lives, what can be done with it, settings. */
import type { PlaceName } from "../address.js";
import type { App } from "../app.js";
import { button, h, setText } from "../dom.js";
import { exportThread, importThread } from "../thread-transfer.js";

export function headerView(app: App, openSettings: () => void): HTMLElement {
  const choices = { tab: placeChoice(app, "tab"), worker: placeChoice(app, "worker") };
  const note = h("p", { class: "visually-hidden", id: "place-note" });
  const places = h(
    "fieldset",
    { class: "segments", "aria-describedby": "place-note" },
    h("legend", { class: "visually-hidden" }, "Where the agent runs"),
    h("span", { class: "lead-in", "aria-hidden": "true" }, "Runs in"),
    h("label", {}, choices.tab, h("span", {}, "This tab")),
    h("label", {}, choices.worker, h("span", {}, "Worker")),
  );
  const update = () => {
    const served = app.worker !== null;
    choices[app.destination].checked = true;
    const waits = app.thread.approvals.length > 0;
    places.disabled = waits || !["ready", "failed"].includes(app.status.kind);
    choices.worker.disabled = !served;
    const text = !served
      ? "No Worker serves this page: start it with npm start."
      : waits
        ? "The thread can move once its approval is decided."
        : "The thread moves with its variables and functions. Models and their keys do not move.";
    places.title = text;
    setText(note, text);
  };
  for (const type of ["status", "thread", "model"]) app.addEventListener(type, update);
  update();
  return h(
    "header",
    { class: "bar" },
    h(
      "p",
      { class: "brand" },
      h("span", { class: "mark", "aria-hidden": "true" }, "{ }"),
      " edge-interpreter",
    ),
    places,
    note,
    h(
      "nav",
      { "aria-label": "Thread" },
      button("New thread", () => void app.newThread()),
      ...fileButtons(app),
      button("Settings", openSettings),
    ),
  );
}

function placeChoice(app: App, place: PlaceName): HTMLInputElement {
  return h("input", {
    type: "radio",
    name: "place",
    value: place,
    on: { change: () => void app.move(place) },
  });
}

function fileButtons(app: App): HTMLElement[] {
  const input = h("input", {
    type: "file",
    accept: "application/json,.json",
    class: "visually-hidden",
    tabindex: "-1",
    "aria-label": "Thread file",
  });
  input.addEventListener("change", async () => {
    const file = input.files?.[0];
    input.value = "";
    if (!file) return;
    await app.attempt(async () => {
      const threadId = await importThread(await app.place, await file.text());
      await app.open({ place: app.address.place, threadId });
    });
  });
  const save = () =>
    void app.attempt(async () => {
      const blob = await exportThread(await app.place, app.address.threadId, app.activity);
      const url = URL.createObjectURL(blob);
      h("a", { href: url, download: `thread-${app.address.threadId.slice(0, 8)}.json` }).click();
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
    });
  return [button("Export", save), button("Import", () => input.click()), input];
}
