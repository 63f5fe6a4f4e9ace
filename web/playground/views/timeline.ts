/** The calls of an eval over time: a row per call, or per tool where there are many. */
import type { CallActivity } from "../activity.js";
import { h, setText } from "../dom.js";
import { countText, durationText } from "../sizes.js";

/** Calls above which those of one tool share a row. */
const MAX_ROWS = 8;

export class Timeline {
  readonly element: HTMLElement;
  readonly #heading = h("h4", { class: "label" });
  readonly #rows = h("ol", { class: "timeline" });

  constructor() {
    this.element = h("section", { class: "calls", hidden: true }, this.#heading, this.#rows);
  }

  /** `now` is the time the eval has been at it, undefined when it is over. */
  set(calls: readonly CallActivity[], now: number | undefined): void {
    this.element.hidden = calls.length === 0;
    if (calls.length === 0) return;
    const ends = calls.map(
      ({ start, duration }) => start + (duration ?? Math.max(0, (now ?? start) - start)),
    );
    const first = Math.min(...calls.map(({ start }) => start));
    const span = Math.max(1, Math.max(...ends) - first);
    const width = Math.max(...calls.map(({ atOnce }) => atOnce));
    const atOnce = width > 1 ? `, up to ${width} at once` : "";
    setText(this.#heading, `${countText(calls.length, "call")}${atOnce}`);
    const groups = calls.length > MAX_ROWS ? byName(calls) : calls.map((call) => [call]);
    this.#rows.replaceChildren(
      ...groups.map((group) => {
        const bars = group.map((call) =>
          bar(call, (call.start - first) / span, ends[calls.indexOf(call)]!, first, span),
        );
        return h(
          "li",
          {},
          name(group),
          h("span", { class: "track", "aria-hidden": "true" }, ...bars),
          took(group, now),
        );
      }),
    );
  }
}

function bar(call: CallActivity, from: number, end: number, first: number, span: number): HTMLElement {
  const state = call.ok === undefined ? "open" : call.ok ? "ok" : "failed";
  const element = h("span", { class: `call-bar ${call.kind} ${state}` });
  element.style.setProperty("--from", String(from));
  element.style.setProperty("--size", String((end - first) / span - from));
  return element;
}

function name([call, ...more]: readonly CallActivity[]): HTMLElement {
  const label = more.length > 0 ? `× ${more.length + 1}` : call!.label;
  return h(
    "span",
    { class: "call-name" },
    call!.name,
    label ? h("span", { class: "quiet" }, ` ${label}`) : null,
  );
}

function took(group: readonly CallActivity[], now: number | undefined): HTMLElement {
  const open = group.filter(({ ok }) => ok === undefined).length;
  const failed = group.filter(({ ok }) => ok === false).length;
  const longest = Math.max(...group.map(({ duration }) => duration ?? 0));
  const running = now === undefined ? "no answer" : group.length > 1 ? `${open} running` : "running";
  const text = open > 0 ? running : failed > 0 ? "failed" : durationText(longest);
  return h("span", { class: "took" }, text);
}

function byName(calls: readonly CallActivity[]): CallActivity[][] {
  const groups = new Map<string, CallActivity[]>();
  for (const call of calls) groups.set(call.name, [...(groups.get(call.name) ?? []), call]);
  return [...groups.values()];
}
