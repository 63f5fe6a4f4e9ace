/** What a session knows of modules: finds those an eval imports and answers imports that are computed while it runs. */
import type { Timekeeper } from "../clock.js";
import type { Vm } from "../engine/vm.js";
import type { FailureCode } from "../errors.js";
import type { Evaluation } from "../eval/evaluation.js";
import type { GuestModule } from "../eval/evaluation-options.js";
import {
  type HostFunction,
  type HostFunctionSource,
  type HostFunctions,
  toSource,
} from "../eval/host-functions.js";
import type { EvalFailure } from "../result/outcome.js";
import { type GraphRequest, loadGraph } from "./module-graph.js";
import type { ModuleFinder } from "./module-source.js";
import type { SourceLibrary } from "./source-library.js";

/** The host function behind `import()`; no tool can have this name. */
export const IMPORT_CALL = "import()";

export type LoadedImports = readonly (readonly [specifier: string, key: string])[];

export type LoadedModules =
  | {
      readonly ok: true;
      readonly imports: LoadedImports;
      /** New ones, for the guest. */
      readonly modules: readonly GuestModule[];
    }
  | { readonly ok: false; readonly failure: EvalFailure };

export class SessionModules {
  readonly #finder: ModuleFinder;
  readonly #sources: SourceLibrary;
  readonly #maxSourceChars: number;
  /** Keys of the modules in the guest, and of those that are on their way there. */
  #known = new Set<string>();

  constructor(finder: ModuleFinder, sources: SourceLibrary, maxSourceChars: number) {
    this.#finder = finder;
    this.#sources = sources;
    this.#maxSourceChars = maxSourceChars;
  }

  /** The guest itself knows best which modules it has: after a restore, after an eval that failed. */
  refresh(vm: Vm): void {
    const keys = JSON.parse(vm.control("modules", "")) as string[];
    for (const [index, key] of keys.entries())
      if (!this.#known.has(key)) this.#sources.addModule(index + 1, key);
    this.#known = new Set(keys);
  }

  /** Everything that has to be in the guest before these specifiers can be imported. */
  async load(request: Omit<GraphRequest, "known" | "maxSourceChars">): Promise<LoadedModules> {
    const graph = await loadGraph(this.#finder, {
      ...request,
      known: this.#known,
      maxSourceChars: this.#maxSourceChars,
    });
    if (!graph.ok) return graph;
    // Another import may have brought some of them meanwhile.
    const fresh = graph.definitions.filter(({ key }) => !this.#known.has(key));
    const modules = fresh.map((definition) => {
      this.#known.add(definition.key);
      const file = this.#sources.addModule(this.#known.size, definition.key, definition);
      return { ...definition, file };
    });
    return { ok: true, imports: graph.imports, modules };
  }

  /** Settles when an eval should not wait for its modules any longer; never when they come in time. */
  givenUp(
    load: Promise<unknown>,
    options: {
      readonly signal: AbortSignal | undefined;
      readonly time: Timekeeper;
      readonly waitTimeoutMs: number | null;
    },
  ): Promise<LoadedModules & { ok: false }> {
    const { signal, time, waitTimeoutMs } = options;
    return new Promise((resolve) => {
      const end = (code: FailureCode, name: string, message: string) =>
        resolve({ ok: false, failure: { code, name, message, frames: [] } });
      const aborted = () =>
        end("ABORTED", "AbortError", "the eval was aborted while its modules were loaded");
      if (signal?.aborted) aborted();
      else signal?.addEventListener("abort", aborted, { once: true });
      const late = `loading modules took longer than ${waitTimeoutMs} ms (waitTimeoutMs)`;
      const cancel =
        waitTimeoutMs === null
          ? undefined
          : time.after(waitTimeoutMs, () => end("WAIT_TIMEOUT", "TimeoutError", late));
      const settled = () => {
        cancel?.();
        signal?.removeEventListener("abort", aborted);
      };
      load.then(settled, settled);
    });
  }

  /** The global functions of an eval, and behind their names the one that `import()` calls. */
  withImports(globals: HostFunctions | undefined, evaluation: () => Evaluation): HostFunctionSource {
    const own = toSource(globals);
    const load: HostFunction = async (input) => {
      const { specifier, importer } = input as { specifier: string; importer?: string };
      const loaded = await this.load({
        specifiers: [specifier],
        ...(importer !== undefined && { importer }),
      });
      if (!loaded.ok) return { error: loaded.failure.message };
      evaluation().addModules(loaded.modules);
      return { key: loaded.imports[0]?.[1] };
    };
    return { names: () => own.names(), get: (name) => (name === IMPORT_CALL ? load : own.get(name)) };
  }
}
