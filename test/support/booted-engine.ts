import baseVariant from "@jitl/quickjs-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from "quickjs-emscripten-core";
import { loadEngineModule } from "#engine-wasm";

/**
 * The bare engine, booted the same way every time, for tests of what lies under a session.
 */
export interface BootedEngine {
  readonly memory: Uint8Array;
  readonly runtime: QuickJSRuntime;
  readonly context: QuickJSContext;
  /** Completion value of the source; a thrown error is thrown. */
  run(source: string): unknown;
}

export async function bootEngine(memoryBytes = 256 * 65536): Promise<BootedEngine> {
  const wasmModule = await loadEngineModule();
  const wasmMemory = new WebAssembly.Memory({ initial: memoryBytes / 65536, maximum: 2048 });
  const view = () => new DataView(wasmMemory.buffer);
  const instantiateWasm = (
    imports: { a: Record<string, WebAssembly.ImportValue> },
    done: (instance: WebAssembly.Instance) => void,
  ) => {
    const environmentSize = (count: number, size: number) => {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    };
    const timeZone = (offset: number, daylight: number, standard: number, summer: number) => {
      view().setInt32(offset, 0, true);
      view().setInt32(daylight, 0, true);
      for (const name of [standard, summer]) new Uint8Array(wasmMemory.buffer, name, 4).set([85, 84, 67, 0]);
    };
    const localTime = (time: bigint, fields: number) => {
      const date = new Date(Number(time) * 1000);
      const yearStart = Date.UTC(date.getUTCFullYear(), 0, 1);
      const day = Math.floor((date.getTime() - yearStart) / 86_400_000);
      [
        date.getUTCSeconds(),
        date.getUTCMinutes(),
        date.getUTCHours(),
        date.getUTCDate(),
        date.getUTCMonth(),
        date.getUTCFullYear() - 1900,
        date.getUTCDay(),
        day,
        0,
        0,
      ].forEach((value, i) => {
        view().setInt32(fields + 4 * i, value, true);
      });
    };
    const a = { ...imports.a, f: environmentSize, e: () => 0, p: () => 0, n: timeZone, m: localTime };
    WebAssembly.instantiate(wasmModule, { a }).then(done);
    return {};
  };
  const variant = newVariant(baseVariant as unknown as QuickJSSyncVariant, {
    wasmMemory,
    emscriptenModule: { instantiateWasm, thisProgram: "q" } as never,
  });
  const module = await newQuickJSWASMModuleFromVariant(variant);
  const runtime = module.newRuntime();
  runtime.setMaxStackSize(320 * 1024);
  const context = runtime.newContext();
  return {
    get memory() {
      return new Uint8Array(wasmMemory.buffer);
    },
    runtime,
    context,
    run: (source) => {
      const handle = context.unwrapResult(context.evalCode(source));
      const value = context.dump(handle);
      handle.dispose();
      return value;
    },
  };
}
