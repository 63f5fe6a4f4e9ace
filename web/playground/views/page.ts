/**
 * The page: the bar, the conversation with its composer, and the workspace, beside it or behind a switch.
 *
 * There is no framework: messages only come at the end and a card is updated in place, so `dom.ts` is all it would be
 * used for, and the first load has no room for one that does not pay for itself.
 */
import type { App } from "../app.js";
import { h } from "../dom.js";
import { Composer } from "./composer.js";
import { Conversation } from "./conversation.js";
import { dataPanel } from "./data-panel.js";
import { headerView } from "./header.js";
import { settingsDialog } from "./settings-dialog.js";
import { startView } from "./start.js";
import { Workspace } from "./workspace.js";

export function buildPage(app: App): void {
  const settings = settingsDialog(app);
  const conversation = new Conversation(app, startView(app));
  const composer = new Composer(app, () => settings.open());
  const workspace = new Workspace(app);
  const talk = h(
    "section",
    { class: "talk", id: "talk", "aria-label": "Conversation" },
    conversation.element,
    composer.element,
  );
  const side = h(
    "section",
    { class: "side", id: "side", "aria-label": "Workspace" },
    h("h2", {}, "Workspace"),
    workspace.element,
    dataPanel(app),
  );
  document.body.append(
    headerView(app, () => settings.open()),
    viewSwitch(),
    h("main", {}, talk, side),
    settings.element,
  );
}

/** On a narrow screen one of the two is shown. */
function viewSwitch(): HTMLElement {
  const choice = (view: "talk" | "side", text: string) => {
    const change = () => {
      document.body.dataset["view"] = view;
    };
    return h(
      "label",
      {},
      h("input", { type: "radio", name: "view", value: view, checked: view === "talk", on: { change } }),
      h("span", {}, text),
    );
  };
  document.body.dataset["view"] = "talk";
  return h(
    "fieldset",
    { class: "segments view-switch" },
    h("legend", { class: "visually-hidden" }, "What is shown"),
    choice("talk", "Conversation"),
    choice("side", "Workspace"),
  );
}
