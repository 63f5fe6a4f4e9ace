/** What a person chose. The model and its key are kept in this tab's session storage and are gone with the tab. */

export type ModelSettings =
  | { readonly kind: "script" }
  | { readonly kind: "openai"; readonly url: string; readonly model: string; readonly key: string }
  | { readonly kind: "anthropic"; readonly url: string; readonly model: string; readonly key: string }
  | { readonly kind: "browser" };

/** The model in a few words, for the page. */
export function modelText(settings: ModelSettings): string {
  switch (settings.kind) {
    case "openai":
    case "anthropic":
      return `${settings.model}, ${hostOf(settings.url)}`;
    case "browser":
      return "this browser's own";
    case "script":
      return "scripted demo";
  }
}

/** The same for what a Worker says of itself. */
export function workerModelText(model: string | undefined): string {
  if (model === undefined) return "the Worker's own";
  return model === "demo" ? "scripted demo, the Worker's" : `${model}, the Worker's`;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

export type Theme = "system" | "light" | "dark";

const MODEL = "edge-interpreter:model";
const THEME = "edge-interpreter:theme";

export function readModel(): ModelSettings {
  try {
    const value = JSON.parse(sessionStorage.getItem(MODEL) ?? "null") as ModelSettings | null;
    if (value?.kind === "browser" || (value && "url" in value)) return value;
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

/** Whether this browser has a model of its own (the Prompt API) that it can run here, now or after a download. */
export async function hasBrowserModel(): Promise<boolean> {
  const { LanguageModel } = globalThis as { LanguageModel?: { availability(): Promise<string> } };
  const availability = await LanguageModel?.availability().catch(() => undefined);
  return availability !== undefined && availability !== "unavailable";
}
