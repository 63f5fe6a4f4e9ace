/**
 * Values as the LangGraph platform puts them on the wire: messages are flat (`{ type, content, ... }`), errors are
 * `{ error, message }`.
 */

interface DictLike {
  toDict(): { type: string; data: Record<string, unknown> };
}

function isDictLike(value: unknown): value is DictLike {
  return (
    typeof value === "object" && value !== null && "toDict" in value && typeof value.toDict === "function"
  );
}

export function toWireJson(value: unknown): string {
  const text = JSON.stringify(value, function (this: Record<string, unknown>, key, replaced: unknown) {
    // `this[key]` and not `replaced`: a message's own toJSON has already run on the latter.
    const raw = this[key];
    if (isDictLike(raw)) {
      const { type, data } = raw.toDict();
      return { ...data, type };
    }
    return typeof replaced === "bigint" ? String(replaced) : replaced;
  });
  return text ?? "null";
}

export function toWireError(error: unknown): { error: string; message: string } {
  if (error instanceof Error) return { error: error.name, message: error.message };
  return { error: "Error", message: typeof error === "string" ? error : toWireJson(error) };
}

export function jsonResponse(value: unknown, init: ResponseInit = {}): Response {
  const headers = new Headers(init.headers);
  headers.set("content-type", "application/json");
  return new Response(toWireJson(value), { ...init, headers });
}
