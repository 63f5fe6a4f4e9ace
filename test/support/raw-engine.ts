/**
 * The guest-side modules of the prelude in a bare engine: bundled as the build bundles them, evaluated once, with
 * nothing of the host around them.
 */
import type { QuickJSContext } from "quickjs-emscripten-core";
import { bundleGuest } from "../../src/build/bundle-guest.mjs";
import { openStockEngine, openStockEngineWithin } from "./stock-engine.js";

const bundles = new Map<string, Promise<string>>();

function bundle(entry: string): Promise<string> {
  let pending = bundles.get(entry);
  if (pending === undefined) {
    pending = bundleGuest({
      stdin: {
        contents: entry,
        resolveDir: new URL("../../src/guest", import.meta.url).pathname,
        loader: "ts",
      },
      footer: { js: "globalThis.__guest = __bundle;" },
      globalName: "__bundle",
    }).then((script) => `(() => {${script}})()`);
    bundles.set(entry, pending);
  }
  return pending;
}

export interface RawOptions {
  /** An engine of its own whose memory never grows beyond this many pages of 64 KiB. */
  readonly memoryPages?: number;
}

export interface RawGuest {
  /** Evaluates as an eval does (async script, completion value) and answers what the entry's `show` made of it. */
  run(source: string, file?: string): string;
  dispose(): void;
}

/**
 * @param entry Module source that exports `show(value): string` for a completion value and `caught(thrown): string`
 * for what an eval threw.
 */
export async function openRawGuest(entry: string, { memoryPages }: RawOptions = {}): Promise<RawGuest> {
  const { runtime, context } =
    memoryPages === undefined ? openStockEngine() : await openStockEngineWithin(memoryPages);
  take(context, context.evalCode(await bundle(entry), "prelude.js"));
  // Taken out of the global, where the guest under test would find it.
  take(context, context.evalCode("globalThis.__show = __guest.show; globalThis.__caught = __guest.caught"));
  const show = context.getProp(context.global, "__show");
  const caught = context.getProp(context.global, "__caught");
  take(
    context,
    context.evalCode("delete globalThis.__show; delete globalThis.__caught; delete globalThis.__guest"),
  );
  const call = (f: typeof show, value: typeof show): string => {
    const result = context.callFunction(f, context.undefined, value);
    if (result.error !== undefined) {
      const own = (key: string) =>
        context.getProp(result.error!, key).consume((handle) => context.getString(handle));
      throw new Error(`the prelude threw: ${own("message")}\n${own("stack")}`);
    }
    const text = result.value;
    return text.consume((handle) => JSON.parse(context.getString(handle)) as string);
  };
  return {
    run(source, file = "eval-1.js") {
      const started = context.evalCode(source, file, 1 << 7);
      if (started.error !== undefined) return started.error.consume((error) => call(caught, error));
      return started.value.consume((promise) => {
        runtime.executePendingJobs().dispose();
        const state = context.getPromiseState(promise);
        if (state.type === "pending") return "(pending)";
        if (state.type === "rejected") return state.error.consume((error) => call(caught, error));
        return state.value.consume((box) =>
          context.getProp(box, "value").consume((value) => call(show, value)),
        );
      });
    },
    dispose() {
      show.dispose();
      caught.dispose();
      context.dispose();
      runtime.dispose();
    },
  };
}

function take(context: QuickJSContext, result: ReturnType<QuickJSContext["evalCode"]>): void {
  context.unwrapResult(result).dispose();
}
