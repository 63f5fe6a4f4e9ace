/** The engine as its package ships it, with the package's own handles: nothing of ours is around the guest. */
import variant from "@jitl/quickjs-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from "quickjs-emscripten-core";

// The package's types describe its CommonJS build, where the default export is one level further down.
const syncVariant = variant as unknown as QuickJSSyncVariant;
const shared = await newQuickJSWASMModuleFromVariant(syncVariant);

export interface StockEngine {
  readonly runtime: QuickJSRuntime;
  readonly context: QuickJSContext;
}

export function openStockEngine(engine = shared): StockEngine {
  const runtime = engine.newRuntime();
  runtime.setMaxStackSize(320 * 1024);
  return { runtime, context: runtime.newContext() };
}

/** With a memory of its own that never grows beyond this many pages of 64 KiB. */
export async function openStockEngineWithin(memoryPages: number): Promise<StockEngine> {
  const wasmMemory = new WebAssembly.Memory({ initial: 256, maximum: memoryPages });
  return openStockEngine(await newQuickJSWASMModuleFromVariant(newVariant(syncVariant, { wasmMemory })));
}
