/** Which model answers in this tab, what answers in the Worker, and how the page looks. */
import type { App } from "../app.js";
import { button, h, onSubmit, setText, show } from "../dom.js";
import {
  hasBrowserModel,
  type ModelSettings,
  readTheme,
  type Theme,
  workerModelText,
  writeTheme,
} from "../settings.js";

export interface SettingsDialog {
  readonly element: HTMLDialogElement;
  open(): void;
}

export function settingsDialog(app: App): SettingsDialog {
  const url = textField("Address", "", "url");
  const model = textField("Model", "");
  const key = textField("Key", "", "password");
  const kinds: [ModelSettings["kind"], string][] = [
    ["script", "Scripted demo, no model"],
    ["openai", "OpenAI-compatible: OpenAI, OpenRouter, Ollama, vLLM"],
    ["anthropic", "Anthropic"],
    ["browser", "The model built into this browser"],
  ];
  const radios = new Map(
    kinds.map(([kind]) => [
      kind,
      h("input", { type: "radio", name: "model", value: kind, on: { change: () => update() } }),
    ]),
  );
  const browser = radios.get("browser")!;
  browser.disabled = true;
  void hasBrowserModel().then((has) => {
    browser.disabled = !has;
  });
  const chosen = () => [...radios].find(([, radio]) => radio.checked)?.[0] ?? "script";
  const own = h(
    "div",
    { class: "own-model" },
    url.element,
    model.element,
    key.element,
    h("p", { class: "quiet" }, KEY_TEXT),
  );
  const update = () => {
    const defaults = DEFAULTS[chosen()];
    show(own, defaults !== undefined);
    for (const { input } of [url, model]) input.required = defaults !== undefined;
    if (!defaults) return;
    // What was written for the other kind would be sent to the wrong address.
    if (url.input.value === "" || Object.values(DEFAULTS).some((other) => other?.url === url.input.value))
      url.input.value = defaults.url;
    model.input.placeholder = defaults.model;
  };
  const inWorker = h("p", { class: "notice" });
  const themes = (["system", "light", "dark"] as const).map((theme) => themeChoice(theme));
  const save = () => {
    app.chooseModel(read(chosen(), url.input.value, model.input.value, key.input.value));
    element.close();
  };
  const element = h(
    "dialog",
    { class: "settings", "aria-labelledby": "settings-title" },
    h(
      "form",
      { on: { submit: onSubmit(save) } },
      h("h2", { id: "settings-title" }, "Settings"),
      h(
        "fieldset",
        {},
        h("legend", { class: "label" }, "Model in this tab"),
        ...kinds.map(([kind, text]) =>
          h("label", { class: "choice" }, radios.get(kind)!, h("span", {}, text)),
        ),
      ),
      own,
      inWorker,
      h(
        "fieldset",
        {},
        h("legend", { class: "label" }, "Appearance"),
        h("div", { class: "segments" }, ...themes),
      ),
      h(
        "div",
        { class: "decide" },
        h("button", { type: "submit", class: "button primary" }, "Save"),
        button("Cancel", () => element.close()),
      ),
    ),
  );
  return {
    element,
    open() {
      const { model: current } = app;
      show(inWorker, app.worker !== null);
      setText(inWorker, workerText(app));
      radios.get(current.kind)!.checked = true;
      if (current.kind === "openai" || current.kind === "anthropic") {
        url.input.value = current.url;
        model.input.value = current.model;
        key.input.value = current.key;
      }
      update();
      element.showModal();
    },
  };
}

/** A key never goes to the Worker, so what is chosen here cannot count there. */
function workerText({ worker, address }: App): string {
  const text = `In the Worker another model answers: ${workerModelText(worker?.model)}. It is set where the Worker runs; what is chosen here, and the key, are never sent there.`;
  return address.place === "worker"
    ? `This thread runs in the Worker, so the choice above does not count until it is moved to this tab. ${text}`
    : text;
}

const DEFAULTS: { readonly [Kind in ModelSettings["kind"]]?: { url: string; model: string } } = {
  openai: { url: "https://api.openai.com/v1", model: "gpt-5-mini" },
  anthropic: { url: "https://api.anthropic.com", model: "claude-sonnet-4-5" },
};

const KEY_TEXT =
  "The key stays in this tab: it is kept in the tab's session storage, sent only to the address above, and gone when the tab is closed.";

function read(kind: ModelSettings["kind"], url: string, model: string, key: string): ModelSettings {
  if (kind === "openai" || kind === "anthropic") return { kind, url: url.replace(/\/+$/, ""), model, key };
  return { kind };
}

function textField(label: string, placeholder: string, type = "text") {
  const input = h("input", { type, placeholder, autocomplete: "off", spellcheck: "false" });
  return { input, element: h("label", { class: "field" }, h("span", { class: "label" }, label), input) };
}

function themeChoice(theme: Theme): HTMLElement {
  const name = { system: "As the system", light: "Light", dark: "Dark" }[theme];
  const checked = readTheme() === theme;
  const input = h("input", {
    type: "radio",
    name: "theme",
    value: theme,
    checked,
    on: { change: () => writeTheme(theme) },
  });
  return h("label", {}, input, h("span", {}, name));
}
