import type { TransformResult } from "../transform/index.js";
import type { ModuleDefinition } from "./module-graph.js";

interface KnownSource {
  readonly lines: readonly string[];
  readonly mapPosition: (line: number, column: number) => { line: number; column: number } | undefined;
}

/** Sources of recent evals, so that an error can point at the line the model wrote, also from a later eval. */
const KEPT = 50;

export class SourceLibrary {
  readonly #sources = new Map<string, KnownSource>();
  readonly #modules = new Map<string, KnownSource & { readonly label: string }>();

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

  /** The name the engine knows a module by. Never forgotten: a module runs once and is used for ever. */
  addModule(number: number, key: string, module?: Pick<ModuleDefinition, "source" | "mapPosition">): string {
    const file = `module-${number}.js`;
    this.#modules.set(file, {
      label: `module ${key}`,
      lines: module?.source.split(/\r?\n/) ?? [],
      mapPosition: module?.mapPosition ?? ((line, column) => ({ line, column })),
    });
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
        return number === undefined ? this.#modules.get(file)?.label : `eval ${number}`;
      },
      mapPosition: (file, line, column) => {
        const source = this.#find(file);
        return source === undefined ? { line, column } : source.mapPosition(line, column);
      },
      sourceLine: (file, line) => this.#find(file)?.lines[line - 1],
    };
  }

  #find(file: string): KnownSource | undefined {
    return this.#sources.get(file) ?? this.#modules.get(file);
  }
}
