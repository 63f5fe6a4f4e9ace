/** What a person chose. The model and its key are kept in this tab's session storage and are gone with the tab. */

export type ModelSettings =
  | { readonly kind: "script" }
  | { readonly kind: "openai"; readonly url: string; readonly model: string; readonly key: string }
  | { readonly kind: "anthropic"; readonly model: string; readonly key: string }
  | { readonly kind: "browser" };

export type Theme = "system" | "light" | "dark";

const MODEL = "edge-interpreter:model";
const THEME = "edge-interpreter:theme";

export function readModel(): ModelSettings {
  try {
    const value = JSON.parse(sessionStorage.getItem(MODEL) ?? "null") as ModelSettings | null;
    if (value && ["openai", "anthropic", "browser"].includes(value.kind)) return value;
  } catch {
    // Whatever was there is not ours.
  }
  return { kind: "script" };
}

export function writeModel(settings: ModelSettings): void {
  sessionStorage.setItem(MODEL, JSON.stringify(settings));
}

export function readTheme(): Theme {
  const theme = localStorage.getItem(THEME);
  return theme === "light" || theme === "dark" ? theme : "system";
}

export function writeTheme(theme: Theme): void {
  localStorage.setItem(THEME, theme);
  applyTheme(theme);
}

export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

/** Chrome's built-in model, where there is one. */
export const hasBrowserModel = (): boolean => "LanguageModel" in globalThis;
