/**
 * How much of its own stack the engine may use before the host's is at its end. The two grow together, but how fast
 * depends on the runtime and on the stage of its compiler: the same recursion fits four times into Node's and not
 * once into a tab's. Measured once per process with an instance that is thrown away.
 */

import { stackMargin } from "../capacity.js";
import { type SharedWork, shareWork } from "../shared-work.js";
import { type BaseImage, startVm } from "./base-image.js";
import { VmDamaged } from "./vm-errors.js";

const KIB = 1024;
const SIZES: readonly number[] = [768, 512, 384, 320, 288, 256, 224, 192, 160, 128, 96, 64, 48, 32].map(
  (kib) => kib * KIB,
);

/** Shapes of recursion that programs have; deep data through a built-in goes deeper per step and is not among them. */
const DIVES: readonly string[] = [
  "(() => { const f = () => { f() }; try { f() } catch {} })()",
  "(() => { const f = () => [1].map(f); try { f() } catch {} })()",
  "(() => { const f = (n) => n + f(n + 1) + 1; try { f(0) } catch {} })()",
];

const measured = new WeakMap<WebAssembly.Module, Map<number, SharedWork<number>>>();

/** The largest size up to `wanted` with which recursion ends inside the engine. */
export function usableStackBytes(
  module: WebAssembly.Module,
  base: BaseImage,
  wanted: number,
): Promise<number> {
  const known = measured.get(module) ?? new Map<number, SharedWork<number>>();
  measured.set(module, known);
  const usable = known.get(wanted) ?? shareWork<number>();
  known.set(wanted, usable);
  return usable(() => measure(module, base, wanted));
}

async function measure(module: WebAssembly.Module, base: BaseImage, wanted: number): Promise<number> {
  for (const size of [wanted, ...SIZES.filter((size) => size < wanted)]) {
    if (await holds(module, base, Math.ceil(size * stackMargin()))) return size;
  }
  return SIZES.at(-1) as number;
}

async function holds(module: WebAssembly.Module, base: BaseImage, bytes: number): Promise<boolean> {
  const vm = await startVm(module, base, 16 * KIB * KIB);
  vm.setStackSize(bytes);
  try {
    for (const dive of DIVES) vm.free(vm.evalScript(dive));
    return true;
  } catch (error) {
    if (error instanceof VmDamaged) return false;
    throw error;
  }
}
