/**
 * What kind of results a tool has had. After a resume in a process that has seen no request of the model, a tool is
 * only known by its name and its result only as LangChain's message, in which the number 5 and the text "5" are the
 * same: there a tool's results are what they were before.
 */
export type ResultKind =
  | "text"
  /** Anything but text, which LangChain writes as JSON. */
  | "value"
  | "both"
  /** Deep Agents' `read_file`, of which code gets the file itself. */
  | "file";

export type ResultKinds = Readonly<Record<string, ResultKind>>;

export class SeenResults {
  readonly #kinds: Map<string, ResultKind>;

  constructor(...known: readonly (ResultKinds | undefined)[]) {
    this.#kinds = new Map(known.flatMap((kinds) => Object.entries(kinds ?? {})));
  }

  of(name: string): ResultKind | undefined {
    return this.#kinds.get(name);
  }

  note(name: string, value: unknown): void {
    const kind = typeof value === "string" ? "text" : "value";
    const before = this.#kinds.get(name);
    if (before === "file" || before === kind) return;
    this.#kinds.set(name, before === undefined ? kind : "both");
  }

  get kinds(): ResultKinds {
    return Object.fromEntries(this.#kinds);
  }

  /** The value behind the text of a message. Of a tool never seen before, only JSON objects and lists are taken for one. */
  fromText(name: string, text: string): unknown {
    const kind = this.of(name) ?? "both";
    if (kind === "text" || kind === "file" || (kind === "both" && !/^[[{]/.test(text))) return text;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return text;
    }
  }
}
