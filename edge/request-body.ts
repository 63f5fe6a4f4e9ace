import { HttpError } from "./http-error.js";

/** The body of a request as text, up to a limit that is counted and not believed. */
export async function readBody(request: Request, limitBytes: number): Promise<string | undefined> {
  if (request.body === null) return undefined;
  const tooLarge = () => new HttpError(413, `The body is larger than ${limitBytes} bytes.`);
  if (Number(request.headers.get("content-length") ?? 0) > limitBytes) throw tooLarge();
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = "";
  for await (const chunk of request.body as ReadableStream<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > limitBytes) throw tooLarge();
    text += decoder.decode(chunk, { stream: true });
  }
  text += decoder.decode();
  if (text === "") return undefined;
  // Anything else a page could send across origins without asking first.
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw new HttpError(415, "The body must be application/json.");
  return text;
}

/** @throws {HttpError} 400 for what is not a JSON object. */
export function parseObject(body: string | undefined): Record<string, unknown> {
  let json: unknown;
  try {
    json = JSON.parse(body ?? "{}");
  } catch {
    throw new HttpError(400, "The body is not valid JSON.");
  }
  if (typeof json !== "object" || json === null || Array.isArray(json))
    throw new HttpError(422, "The body must be a JSON object.");
  return json as Record<string, unknown>;
}
