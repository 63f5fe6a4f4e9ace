import { jsonResponse } from "./wire-json.js";

/** A request that cannot be served, with the status the client gets. The text is shown to the client. */
export class HttpError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.name = "HttpError";
    this.status = status;
    this.headers = headers;
  }
}

/** `{ detail }` is what the platform answers with; the SDK puts the whole body into its error's text. */
export function errorResponse(error: unknown): Response {
  if (error instanceof HttpError)
    return jsonResponse({ detail: error.message }, { status: error.status, headers: error.headers });
  // What went wrong inside is for the log of the Worker, not for the client.
  console.error(error);
  return jsonResponse({ detail: "Internal error" }, { status: 500 });
}
