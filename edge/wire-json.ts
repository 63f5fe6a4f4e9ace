/**
 * Values as the LangGraph platform puts them on the wire: messages are flat (`{ type, content, ... }`), errors are
 * `{ error, message }`.
 */
import { writeText } from "./text-chunks.js";

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

/**
 * A list that is sent item by item: the states of a long conversation's history are each as large as it is, and an
 * isolate could not hold them all. A failure before the first item is thrown, one after it breaks the answer off.
 */
export async function listResponse<Item>(
  items: AsyncIterable<Item>,
  toWire: (item: Item) => unknown,
): Promise<Response> {
  const iterator = items[Symbol.asyncIterator]();
  const first = await iterator.next();
  const { readable, writable } = new IdentityTransformStream();
  const writer: WritableStreamDefaultWriter<Uint8Array> = writable.getWriter();
  const send = async () => {
    let before = "[";
    for (let item = first; !item.done; item = await iterator.next()) {
      await writeText(writer, before);
      await writeText(writer, toWireJson(toWire(item.value)));
      before = ",";
    }
    await writeText(writer, before === "[" ? "[]" : "]");
    await writer.close();
  };
  send().catch((reason: unknown) => writer.abort(reason).catch(() => {}));
  return new Response(readable, { headers: { "content-type": "application/json" } });
}
