/** What an empty thread shows: what this is, and scenarios to begin with. */
import { scenarios } from "../../demo/scenarios/index.js";
import type { App } from "../app.js";
import { h } from "../dom.js";

/** What happens between a question and its answer. */
const STEPS: readonly (readonly [what: string, how: string])[] = [
  ["You ask", "in plain words"],
  ["The agent writes code", "a program that calls its tools"],
  ["A sandbox runs it", "its variables stay for the next one"],
  ["It reads the result", "and not the rows behind it"],
];

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
      "A model that reads every row itself is slow, costly and often wrong. This one writes a program instead and reads only what the program found.",
    ),
    h(
      "ol",
      { class: "steps" },
      ...STEPS.map(([what, how]) => h("li", {}, h("strong", {}, what), h("span", {}, how))),
    ),
    h("h2", { class: "label" }, "Try it, without a key or an account"),
    h("ul", { class: "scenarios" }, ...cards),
  );
}
