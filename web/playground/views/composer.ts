/** Where a person writes: a question for the agent, or code for the session. */
import { scenarios } from "../../demo/scenarios/index.js";
import type { App } from "../app.js";
import { button, h, onSubmit, setText, show } from "../dom.js";

type Mode = "ask" | "code";

const MAX_ROWS = 8;

export class Composer {
  readonly element: HTMLElement;
  readonly #app: App;
  readonly #input = h("textarea", { rows: "1", autocomplete: "off", "aria-label": "Question" });
  readonly #send = h("button", { type: "submit", class: "button primary send" }, "Ask");
  readonly #stop: HTMLButtonElement;
  /** Which model answers; opens the settings. */
  readonly #model: HTMLButtonElement;
  readonly #status = h("p", { role: "status", class: "status" });
  readonly #problem = h("p", { role: "alert", class: "problem" });
  readonly #next = h("div", { class: "next" });
  readonly #modes: Record<Mode, HTMLInputElement>;
  #mode: Mode = "ask";

  constructor(app: App, openSettings: () => void) {
    this.#app = app;
    this.#model = button("", openSettings, { class: "model" });
    this.#stop = button("Stop", () => app.stop(), { class: "button send" });
    this.#modes = { ask: this.#choice("ask"), code: this.#choice("code") };
    const choices = h(
      "fieldset",
      { class: "segments small" },
      h("legend", { class: "visually-hidden" }, "What you write"),
      h("label", {}, this.#modes.ask, h("span", {}, "Ask the agent")),
      h("label", {}, this.#modes.code, h("span", {}, "Run code")),
    );
    const row = h("div", { class: "write" }, this.#input, this.#send, this.#stop);
    this.element = h(
      "form",
      { class: "composer", on: { submit: onSubmit(() => this.#submit()) } },
      this.#next,
      row,
      this.#problem,
      h("div", { class: "below" }, choices, this.#model, this.#status),
    );
    this.#input.addEventListener("input", () => this.#grow());
    this.#input.addEventListener("keydown", (event) => this.#key(event));
    for (const type of ["status", "thread", "model"]) app.addEventListener(type, () => this.#update());
    this.#update();
  }

  #choice(mode: Mode): HTMLInputElement {
    const select = () => {
      this.#mode = mode;
      this.#input.classList.toggle("code-input", mode === "code");
      this.#input.setAttribute("aria-label", mode === "code" ? "Code" : "Question");
      this.#update();
      this.#input.focus();
    };
    return h("input", {
      type: "radio",
      name: "mode",
      value: mode,
      checked: mode === "ask",
      on: { change: select },
    });
  }

  #submit(): void {
    const text = this.#input.value.trim();
    if (text === "" || this.#app.isRunning || this.#isBlocked) return;
    this.#input.value = "";
    this.#grow();
    void (this.#mode === "ask" ? this.#app.ask(text) : this.#app.runCode(text));
  }

  #key(event: KeyboardEvent): void {
    const sends = this.#mode === "ask" ? !event.shiftKey : event.ctrlKey || event.metaKey;
    if (event.key !== "Enter" || event.isComposing || !sends) return;
    event.preventDefault();
    this.#submit();
  }

  /** A thread that waits for a decision, or that another tab works on, takes nothing new. */
  get #isBlocked(): boolean {
    return this.#app.status.kind === "waiting" || this.#app.status.kind === "elsewhere";
  }

  #grow(): void {
    const lines = this.#input.value.split("\n").length;
    this.#input.rows = Math.min(MAX_ROWS, lines);
  }

  #update(): void {
    const { status, isRunning, thread } = this.#app;
    const isCode = this.#mode === "code";
    show(this.#send, !isRunning);
    show(this.#stop, isRunning);
    this.#send.disabled = this.#isBlocked;
    setText(this.#model, `Model: ${this.#app.modelText}`);
    this.#model.title = this.#model.textContent;
    setText(this.#send, isCode ? "Run" : "Ask");
    this.#input.placeholder = isCode ? "JavaScript or TypeScript" : "Ask about the data";
    this.#input.title = isCode ? "Runs in the agent's own session. Ctrl+Enter sends it." : "";
    setText(this.#status, status.kind === "failed" ? "Failed" : words[status.kind]);
    setText(this.#problem, status.kind === "failed" ? status.message : "");
    const next =
      isRunning || status.kind !== "ready"
        ? undefined
        : nextQuestion(
            thread.messages.findLast(({ kind, id }) => kind === "human" && !id.startsWith("cell-"))?.text,
          );
    const offers =
      status.kind === "elsewhere"
        ? [button("Take over here", () => void this.#app.takeOver(), { class: "suggestion" })]
        : next
          ? [button(next, () => void this.#app.ask(next), { class: "suggestion" })]
          : [];
    this.#next.replaceChildren(...offers);
  }
}

const words = {
  loading: "Loading",
  ready: "Ready",
  working: "Working",
  waiting: "Waiting for you",
  elsewhere: "Runs in another tab",
};

/** What the scenario's person would ask after this. */
function nextQuestion(last: string | undefined): string | undefined {
  for (const { turns } of scenarios) {
    const at = turns.findIndex(({ question }) => question === last);
    if (at >= 0) return turns[at + 1]?.question;
  }
  return undefined;
}
