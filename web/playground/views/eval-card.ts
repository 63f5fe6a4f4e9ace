/** One program: its code, what it does while it runs, and what came of it. */
import type { EvalActivity } from "../activity.js";
import type { Decision } from "../agent/place.js";
import type { ApprovalView, MessageView } from "../agent/thread-view.js";
import { CELL_PREFIX } from "../cell-prefix.js";
import { chartView } from "../chart/draw.js";
import { parseSpec } from "../chart/spec.js";
import { h, setText, show } from "../dom.js";
import { STOPPED_CALL } from "../leaving.js";
import { factsOf, resultParts, tablesOf } from "../result-value.js";
import { durationText } from "../sizes.js";
import { approvalForm } from "./approval-form.js";
import { balanceView } from "./balance.js";
import { CodeView } from "./code-view.js";
import { tableView } from "./table-view.js";
import { Timeline } from "./timeline.js";

export interface EvalCardState {
  readonly number: number;
  readonly id: string;
  readonly code: string;
  /** The model is still writing it. */
  readonly isWriting: boolean;
  readonly isRunning: boolean;
  /** Another tab runs it. */
  readonly isElsewhere: boolean;
  readonly elapsed: number | undefined;
  readonly activity: EvalActivity | undefined;
  readonly result: MessageView | undefined;
  readonly approval: ApprovalView | undefined;
}

export interface EvalCardActions {
  readonly stop: () => void;
  readonly decide: (approval: ApprovalView, decisions: readonly Decision[]) => void;
}

export class EvalCard {
  readonly element: HTMLElement;
  readonly #actions: EvalCardActions;
  readonly #title = h("h3", {});
  readonly #state = h("span", { class: "state" });
  readonly #stop = h(
    "button",
    { type: "button", class: "button small", on: { click: () => this.#actions.stop() } },
    "Stop",
  );
  readonly #code = new CodeView("Code");
  readonly #timeline = new Timeline();
  readonly #console = h("ol", { class: "console", "aria-label": "Console" });
  readonly #charts = h("div", { class: "charts" });
  readonly #approval = h("div");
  readonly #result = h("div", { class: "result" });
  #drawn = { charts: 0, result: "", approval: "" };

  constructor(actions: EvalCardActions) {
    this.#actions = actions;
    this.element = h(
      "article",
      { class: "eval" },
      h("header", {}, this.#title, this.#state, this.#stop),
      this.#code.element,
      this.#timeline.element,
      this.#console,
      this.#charts,
      this.#approval,
      this.#result,
    );
  }

  update(state: EvalCardState): void {
    const { activity, code, elapsed, isRunning, result } = state;
    setText(this.#title, state.id.startsWith(CELL_PREFIX) ? "Your code" : `Program ${state.number}`);
    const [kind, text] = describeState(state);
    this.element.dataset["state"] = kind;
    setText(this.#state, text);
    show(this.#stop, isRunning && !state.isWriting && !state.isElsewhere);
    this.#code.set(code, state.isWriting);
    this.#timeline.set(activity?.calls ?? [], isRunning ? elapsed : undefined);
    this.#print(activity?.lines ?? []);
    this.#draw(activity?.charts ?? []);
    this.#ask(state);
    this.#answer(result, activity);
  }

  #print(lines: EvalActivity["lines"]): void {
    show(this.#console, lines.length > 0);
    for (const { level, text } of lines.slice(this.#console.childElementCount))
      this.#console.append(h("li", { class: level }, text));
  }

  #draw(charts: readonly unknown[]): void {
    for (const spec of charts.slice(this.#drawn.charts)) {
      const parsed = parseSpec(spec);
      this.#charts.append(
        parsed ? chartView(parsed) : h("p", { class: "quiet" }, "A chart this page cannot draw."),
      );
    }
    this.#drawn.charts = charts.length;
  }

  #ask({ approval, code }: EvalCardState): void {
    if (this.#drawn.approval === (approval?.id ?? "")) return;
    this.#drawn.approval = approval?.id ?? "";
    if (!approval) this.#approval.replaceChildren();
    else
      this.#approval.replaceChildren(
        approvalForm(approval, code, (decisions) => this.#actions.decide(approval, decisions)),
      );
  }

  #answer(result: MessageView | undefined, activity: EvalActivity | undefined): void {
    const key = result ? `${result.text.length}:${activity?.duration ?? 0}:${result.text.slice(0, 80)}` : "";
    if (this.#drawn.result === key) return;
    this.#drawn.result = key;
    this.#result.replaceChildren();
    if (!result) return;
    const { text, value } = resultParts(result.text, result.failed === true, activity?.lines ?? []);
    this.#result.append(
      ...valueView(text, value, result.failed === true),
      balanceView(activity, result.text),
    );
  }
}

function describeState({
  isWriting,
  isRunning,
  isElsewhere,
  elapsed,
  result,
  approval,
  activity,
}: EvalCardState): [string, string] {
  if (approval) return ["waiting", "waits for you"];
  if (isWriting) return ["writing", "being written"];
  if (result?.text.startsWith(STOPPED_CALL))
    return ["stopped", activity?.duration ? `stopped after ${durationText(activity.duration)}` : "stopped"];
  if (result?.failed)
    return ["failed", activity?.duration ? `failed after ${durationText(activity.duration)}` : "failed"];
  if (result) return ["done", activity?.duration ? `ran for ${durationText(activity.duration)}` : "done"];
  if (isElsewhere) return ["running", "runs in another tab"];
  if (isRunning) return ["running", `running ${((elapsed ?? 0) / 1000).toFixed(1)} s`];
  return ["idle", "not run"];
}

function valueView(text: string, value: unknown, failed: boolean): HTMLElement[] {
  if (text.startsWith(STOPPED_CALL)) return [h("p", { class: "quiet" }, text)];
  if (failed) return [h("pre", { class: "failure", tabindex: "0" }, text)];
  const spec = parseSpec(value);
  if (spec) return [chartView(spec)];
  const tables = tablesOf(value);
  if (tables.length === 0) return text === "" ? [] : [h("pre", { class: "value", tabindex: "0" }, text)];
  const facts = factsOf(value).map(([name, fact]) => h("div", {}, h("dt", {}, name), h("dd", {}, fact)));
  return [
    ...(facts.length > 0 ? [h("dl", { class: "facts" }, ...facts)] : []),
    h("div", { class: "tables" }, ...tables.map(tableView)),
  ];
}
