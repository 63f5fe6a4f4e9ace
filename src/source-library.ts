import type { TransformResult } from "./transform/index.js";

interface KnownSource {
  readonly lines: readonly string[];
  readonly mapPosition: (line: number, column: number) => { line: number; column: number } | undefined;
}

/** Sources of recent evals, so that an error can point at the line the model wrote, also from a later eval. */
const KEPT = 50;

export class SourceLibrary {
  readonly #sources = new Map<string, KnownSource>();

  /** The name the engine knows the eval by. */
  label(number: number): string {
    return `eval-${number}.js`;
  }

  add(number: number, source: string, transformed: TransformResult & { ok: true }): string {
    const file = this.label(number);
    const { mapPosition } = transformed;
    this.#sources.set(file, { lines: source.split(/\r?\n/), mapPosition });
    const oldest = this.#sources.keys().next().value;
    if (this.#sources.size > KEPT && oldest !== undefined) this.#sources.delete(oldest);
    return file;
  }

  /** What turning an engine error into the model's terms needs. */
  context(): {
    label: (file: string) => string | undefined;
    mapPosition: (file: string, line: number, column: number) => { line: number; column: number } | undefined;
    sourceLine: (file: string, line: number) => string | undefined;
  } {
    return {
      label: (file) => {
        const number = /^eval-(\d+)\.js$/.exec(file)?.[1];
        return number === undefined ? undefined : `eval ${number}`;
      },
      mapPosition: (file, line, column) =>
        this.#sources.has(file) ? this.#sources.get(file)?.mapPosition(line, column) : { line, column },
      sourceLine: (file, line) => this.#sources.get(file)?.lines[line - 1],
    };
  }
}
