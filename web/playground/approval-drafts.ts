/** What a person has changed in an approval and not sent yet: kept in this tab, so that a reload does not undo it. */

const PREFIX = "edge-interpreter:draft:";

export class ApprovalDraft {
  readonly #key: string;
  readonly #texts: Map<string, string>;

  constructor(approvalId: string, index: number) {
    this.#key = `${PREFIX}${approvalId}:${index}`;
    this.#texts = read(this.#key);
  }

  get(field: string): string | undefined {
    return this.#texts.get(field);
  }

  set(field: string, text: string): void {
    this.#texts.set(field, text);
    sessionStorage.setItem(this.#key, JSON.stringify([...this.#texts]));
  }

  clear(): void {
    sessionStorage.removeItem(this.#key);
  }
}

function read(key: string): Map<string, string> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(key) ?? "[]") as [string, string][]);
  } catch {
    return new Map();
  }
}
