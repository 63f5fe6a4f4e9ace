/** What an empty thread shows: what this is, and scenarios to begin with. */
import { scenarios } from "../../demo/scenarios/index.js";
import type { App } from "../app.js";
import { h } from "../dom.js";

export function startView(app: App): HTMLElement {
  const cards = scenarios.map(({ title, shows, turns }) =>
    h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: "scenario", on: { click: () => void app.ask(turns[0]!.question) } },
        h("strong", {}, title),
        h("span", {}, shows),
      ),
    ),
  );
  return h(
    "section",
    { class: "start", hidden: true },
    h("h1", {}, "An agent that answers with programs"),
    h(
      "p",
      { class: "lead" },
      "It writes code, runs it in a sandbox beside the conversation, and reads only what the code returns. Variables, functions and even a half finished program survive a reload and can move to a server.",
    ),
    h("h2", { class: "label" }, "Try it"),
    h("ul", { class: "scenarios" }, ...cards),
  );
}
