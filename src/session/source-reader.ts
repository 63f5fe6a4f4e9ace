/** From the source of an eval to what the engine runs: transformed, with what it imports, and known by its label. */
import type { Timekeeper } from "../clock.js";
import type { Vm } from "../engine/vm.js";
import type { EvalOptions } from "../eval/eval-options.js";
import { toSource } from "../eval/host-functions.js";
import type { Limits } from "../limits.js";
import { type TransformResult, transformSource } from "../transform/index.js";
import type { ModuleFinder } from "./module-source.js";
import { type LoadedModules, SessionModules } from "./session-modules.js";
import { SourceLibrary } from "./source-library.js";

export type ReadSource =
  | Exclude<TransformResult, { ok: true }>
  | (TransformResult & { ok: true; label: string });

/** Code without any of these makes no promise; `eval` and `Function` may hide one. */
const promiseWords =
  /async|Async|await|Promise|import|then|catch|finally|unawaited|mapSettled|withRetries|sleep|eval|Function|constructor/;

export class SourceReader {
  /** Sources of evals and modules, for positions in errors. */
  readonly library: SourceLibrary = new SourceLibrary();
  readonly modules: SessionModules | undefined;
  /** Something that was read may make promises. */
  usesPromises = false;
  readonly #limits: Limits;
  readonly #time: Timekeeper;

  constructor(limits: Limits, time: Timekeeper, finder: ModuleFinder | undefined) {
    this.#limits = limits;
    this.#time = time;
    this.modules = finder && new SessionModules(finder, this.library, limits.maxSourceChars);
  }

  /**
   * The source of eval number `evals` as the engine runs it.
   *
   * @param absent Variables that an earlier restore could not bring back.
   */
  async read(
    source: string,
    { globals, tools }: EvalOptions,
    evals: number,
    absent: readonly string[],
  ): Promise<ReadSource> {
    const reserved = [...toSource(globals).names(), ...(this.modules ? ["__import__"] : [])];
    const transformed = await transformSource(source, {
      label: `eval ${evals}`,
      reserved,
      absent,
      modules: this.modules !== undefined,
      tools: toSource(tools).names().length > 0,
    });
    if (!transformed.ok) return transformed;
    this.usesPromises ||= promiseWords.test(transformed.code);
    return { ...transformed, label: this.library.add(evals, source, transformed) };
  }

  /** Finds what the source imports, before any of it runs. `live` is asked for the instance where there are modules. */
  async loadModules(
    source: string,
    specifiers: readonly string[],
    { signal, limits }: EvalOptions,
    evals: number,
    live: () => Promise<Vm>,
  ): Promise<LoadedModules> {
    const { modules } = this;
    if (!modules) return none;
    modules.refresh(await live());
    if (specifiers.length === 0) return none;
    const { waitTimeoutMs = this.#limits.waitTimeoutMs } = limits ?? {};
    const load = modules.load({ specifiers, source, label: `eval ${evals}` });
    return Promise.race([load, modules.givenUp(load, { signal, time: this.#time, waitTimeoutMs })]);
  }
}

const none: LoadedModules = { ok: true, imports: [], modules: [] };
