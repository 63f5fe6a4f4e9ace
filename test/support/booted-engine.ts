/** The engine as a session has it, but without the prelude: for tests of what lies under a session. */
import { loadEngineModule } from "#engine-wasm";
import { boot } from "../../src/engine/boot.js";
import { Vm } from "../../src/engine/vm.js";

export interface BootedEngine {
  readonly memory: Uint8Array;
  /** The source's completion value as text; a thrown error is thrown. */
  run(source: string): string;
}

const WASM_PAGE_BYTES = 65536;

export async function bootEngine(memoryBytes = 256 * WASM_PAGE_BYTES): Promise<BootedEngine> {
  const vm = await Vm.create(await loadEngineModule(), memoryBytes / WASM_PAGE_BYTES, 2048);
  // In the place of the prelude: whatever the operation, its argument is evaluated.
  boot(vm, ["() => () => (_operation, source) => String((0, eval)(source))"]);
  return {
    get memory() {
      return new Uint8Array(vm.memory.buffer);
    },
    run: (source) => vm.control("begin", source),
  };
}
