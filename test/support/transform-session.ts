import { type QuickJSContext, Scope } from "quickjs-emscripten-core";
import { type Transformed, type TransformOptions, transformSource } from "../../src/transform/index.js";
import { openStockEngine } from "./stock-engine.js";

/**
 * The bare engine, without prelude and bridge: for tests of what the transform's output does when it runs.
 * Node only.
 */
export interface TransformRun {
  /** The completion value as plain data. */
  readonly value?: unknown;
  /** `Name: message` of what was thrown, or of the refusal. */
  readonly error?: string;
  /** Where, in the text the model wrote: `line:column`. */
  readonly at?: string;
  readonly transformed?: Transformed;
}

export class TransformSession {
  readonly #context: QuickJSContext = openStockEngine().context;
  #count = 0;

  async run(source: string, options?: TransformOptions): Promise<TransformRun> {
    const transformed = await transformSource(source, options);
    if (!transformed.ok) {
      const { name, message, frames } = transformed.failure;
      const at = frames.map(({ line, column }) => `${line}:${column}`)[0]!;
      return { error: `${name}: ${message}`, at };
    }
    return { ...this.evaluate(transformed.code, transformed), transformed };
  }

  evaluate(code: string, transformed?: Transformed): TransformRun {
    return Scope.withScope((scope) => this.#evaluate(code, scope, transformed));
  }

  #evaluate(code: string, scope: Scope, transformed?: Transformed): TransformRun {
    const context = this.#context;
    const result = context.evalCode(code, `eval-${++this.#count}.js`, 1 << 7);
    if (result.error) return this.#failure(context.dump(scope.manage(result.error)), transformed);
    const promise = scope.manage(result.value);
    for (;;) {
      const jobs = context.runtime.executePendingJobs();
      if (jobs.error) jobs.error.dispose();
      if (jobs.error || jobs.value === 0) break;
    }
    const state = context.getPromiseState(promise);
    if (state.type === "rejected") return this.#failure(context.dump(scope.manage(state.error)), transformed);
    if (state.type === "pending") return { error: "pending" };
    const value = scope.manage(context.getProp(scope.manage(state.value), "value"));
    const settled = context.typeof(value) === "object" ? context.getPromiseState(value) : undefined;
    if (settled?.type === "fulfilled" && !settled.notAPromise)
      return { value: context.dump(scope.manage(settled.value)) };
    return { value: context.dump(value) };
  }

  dispose(): void {
    const { runtime } = this.#context;
    this.#context.dispose();
    runtime.dispose();
  }

  #failure(thrown: unknown, transformed?: Transformed): TransformRun {
    const { name, message, stack } = (thrown ?? {}) as { name?: string; message?: string; stack?: string };
    if (name === undefined) return { error: `Thrown: ${JSON.stringify(thrown)}` };
    const [position] = [...(stack ?? "").matchAll(/eval-\d+\.js:(\d+):(\d+)/g)].flatMap(
      ([, line, column]) => transformed?.mapPosition(Number(line), Number(column)) ?? [],
    );
    return { error: `${name}: ${message}`, ...(position && { at: `${position.line}:${position.column}` }) };
  }
}
