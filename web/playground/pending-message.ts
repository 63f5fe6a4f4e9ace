/** A message of the model while it arrives: text, and the code of a call whose JSON is not whole yet. */
import type { MessageChunk } from "./agent/stream-events.js";
import type { MessageView, ToolCallView } from "./agent/thread-view.js";

interface PartialCall {
  id: string;
  name: string;
  args: string;
}

export class PendingMessage {
  readonly id: string;
  #text = "";
  readonly #calls: PartialCall[] = [];

  constructor(id: string) {
    this.id = id;
  }

  add(chunk: MessageChunk): void {
    this.#text += chunk.text;
    for (const { index, id, name, args } of chunk.calls) {
      this.#calls[index] ??= { id: "", name: "", args: "" };
      const call = this.#calls[index];
      if (id) call.id = id;
      if (name) call.name = name;
      call.args += args;
    }
  }

  get view(): MessageView {
    const calls = this.#calls
      .filter(Boolean)
      .map(({ id, name, args }): ToolCallView => ({ id, name, args: { code: partialCode(args) } }));
    return { id: this.id, kind: "ai", text: this.#text, calls };
  }
}

/** The value of `code` in JSON that may end anywhere. */
export function partialCode(json: string): string {
  const start = /"code"\s*:\s*"/.exec(json);
  if (!start) return "";
  const rest = json.slice(start.index + start[0].length);
  const end = /^(?:[^"\\]|\\.)*"/s.exec(rest);
  // An escape that is cut in the middle waits for its other half.
  const body = end ? end[0].slice(0, -1) : rest.replace(/\\(?:u[0-9a-fA-F]{0,3})?$/, "");
  try {
    return JSON.parse(`"${body}"`) as string;
  } catch {
    return body;
  }
}
