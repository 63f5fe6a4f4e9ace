/** What a person reads when their own model fails: a client only says that there was an error. */
import { type ModelSettings, modelText } from "./settings.js";

export function failureText(error: unknown, model: ModelSettings | undefined): string {
  const message = error instanceof Error ? error.message : String(error);
  if (!model || !("url" in model)) return message;
  const { status } = error as { status?: unknown };
  const what = `${modelText(model)}: ${message}`;
  if (status === 401 || status === 403) return `${what} Look at the key in the settings.`;
  if (/^(connection error|failed to fetch|networkerror)/i.test(message))
    return `${what} Look at the address in the settings; its server has to allow calls from pages (CORS).`;
  return typeof status === "number" ? what : message;
}
