import type { LogLine } from "../result/outcome.js";

const levels: ReadonlySet<string> = new Set(["log", "info", "warn", "error", "debug"]);

/** Console lines of one eval: the first and the last of them when there are too many, with a line that says so. */
export class LogBuffer {
  readonly #half: number;
  readonly #onLine: ((line: LogLine) => void) | undefined;
  readonly #head: LogLine[] = [];
  #tail: LogLine[] = [];
  #headChars = 0;
  #tailChars = 0;
  #droppedLines = 0;
  #droppedChars = 0;

  constructor(maxChars: number, onLine?: (line: LogLine) => void, earlier: readonly LogLine[] = []) {
    this.#half = Math.floor(maxChars / 2);
    for (const line of earlier) this.#keep(line);
    this.#onLine = onLine;
  }

  add(level: string, text: string): void {
    const line: LogLine = { level: levels.has(level) ? (level as LogLine["level"]) : "log", text };
    this.#keep(line);
    try {
      this.#onLine?.(line);
    } catch {
      // An observer's failure is its own.
    }
  }

  #keep(line: LogLine): void {
    const size = line.text.length + 1;
    if (this.#tail.length === 0 && this.#headChars + size <= this.#half) {
      this.#head.push(line);
      this.#headChars += size;
      return;
    }
    this.#tail.push(size > this.#half ? { ...line, text: line.text.slice(-this.#half) } : line);
    this.#droppedChars += Math.max(0, size - this.#half - 1);
    this.#tailChars += Math.min(size, this.#half + 1);
    let first = 0;
    while (this.#tailChars > this.#half && first < this.#tail.length - 1) {
      const dropped = this.#tail[first++]!.text.length + 1;
      this.#tailChars -= dropped;
      this.#droppedChars += dropped;
      this.#droppedLines++;
    }
    if (first > 0) this.#tail = this.#tail.slice(first);
  }

  lines(): LogLine[] {
    const cut = this.#droppedChars > 0;
    const marker: LogLine = {
      level: "log",
      text: `[${this.#droppedChars} characters in ${this.#droppedLines} lines of output left out]`,
    };
    return [...this.#head, ...(cut ? [marker] : []), ...this.#tail];
  }
}
