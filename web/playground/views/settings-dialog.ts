/** Which model answers, and how the page looks. */
import type { App } from "../app.js";
import { button, h, onSubmit, show } from "../dom.js";
import {
  hasBrowserModel,
  type ModelSettings,
  readTheme,
  type Theme,
  writeModel,
  writeTheme,
} from "../settings.js";

export interface SettingsDialog {
  readonly element: HTMLDialogElement;
  open(): void;
}

export function settingsDialog(app: App): SettingsDialog {
  const url = textField("Address", "https://api.openai.com/v1", "url");
  const model = textField("Model", "gpt-5-mini");
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
  radios.get("browser")!.disabled = !hasBrowserModel();
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
    show(own, chosen() === "openai" || chosen() === "anthropic");
    show(url.element, chosen() === "openai");
    url.input.required = chosen() === "openai";
    model.input.required = own.hidden === false;
  };
  const themes = (["system", "light", "dark"] as const).map((theme) => themeChoice(theme));
  const save = () => {
    app.model = read(chosen(), url.input.value, model.input.value, key.input.value);
    writeModel(app.model);
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
      h("p", { class: "quiet" }, "In the Worker the agent uses the model that is configured there."),
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
      radios.get(current.kind)!.checked = true;
      if (current.kind === "openai") url.input.value = current.url;
      if (current.kind === "openai" || current.kind === "anthropic") {
        model.input.value = current.model;
        key.input.value = current.key;
      }
      update();
      element.showModal();
    },
  };
}

const KEY_TEXT =
  "The key stays in this tab: it is kept in the tab's session storage, sent only to the address above, and gone when the tab is closed.";

function read(kind: ModelSettings["kind"], url: string, model: string, key: string): ModelSettings {
  if (kind === "openai") return { kind, url: url.replace(/\/+$/, ""), model, key };
  return kind === "anthropic" ? { kind, model, key } : { kind };
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
