/** What an eval kept out of the model's context: the two sizes, side by side and to scale. */
import type { EvalActivity } from "../activity.js";
import { h } from "../dom.js";
import { bytesText, tokensText } from "../sizes.js";

export function balanceView(activity: EvalActivity | undefined, read: string): HTMLElement {
  const moved = (activity?.calls ?? []).reduce((sum, { chars = 0 }) => sum + chars, 0);
  const model = read.length;
  const kept = Math.max(0, moved - model);
  const share = moved + model === 0 ? 1 : model / Math.max(moved, model);
  const track = h(
    "span",
    { class: "balance-track", "aria-hidden": "true" },
    h("span", { class: "balance-model" }),
  );
  track.style.setProperty("--share", String(share));
  const facts = h(
    "p",
    {},
    h("strong", {}, `${bytesText(model)} `),
    `to the model, about ${tokensText(model)} tokens`,
  );
  const saved =
    kept > 0
      ? h(
          "p",
          {},
          h("strong", {}, `${bytesText(kept)} `),
          `stayed in the workspace, about ${tokensText(kept)} tokens`,
        )
      : null;
  const whole = h(
    "details",
    { class: "model-read" },
    h("summary", {}, "What the model read"),
    h("pre", { class: "plain", tabindex: "0" }, read),
  );
  return h(
    "footer",
    { class: "balance" },
    kept > 0 ? track : null,
    h("div", { class: "balance-facts" }, saved, facts),
    whole,
  );
}
