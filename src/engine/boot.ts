/**
 * How an instance becomes an engine with the prelude in it: always in the same steps, so that every base image is the
 * same, byte for byte.
 */
import type { Address } from "./engine-instance.js";
import { RESERVE_SLOTS_END } from "./memory-reserves.js";
import type { Vm } from "./vm.js";

/** What the prelude's control function does; see `guest/index.ts`. */
const OPERATIONS = [
  "begin",
  "declare",
  "watch",
  "settle",
  "fire",
  "end",
  "describe",
  "module",
  "modules",
  "variables",
  "export",
  "import",
  "reseed",
] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Where things are after the boot. */
export interface VmRoots {
  readonly runtime: Address;
  readonly context: Address;
  readonly undefinedValue: Address;
  /** The prelude's control function. */
  readonly control: Address;
  /** The names of its operations, as values. */
  readonly operations: Readonly<Record<Operation, Address>>;
  /** Room for four argument addresses, and the slots of the reserves. */
  readonly argv: Address;
}

const withOperations = (address: (name: Operation) => Address): Record<Operation, Address> =>
  Object.fromEntries(OPERATIONS.map((name) => [name, address(name)])) as Record<Operation, Address>;

/** Before the boot. */
export const noRoots: VmRoots = {
  runtime: 0,
  context: 0,
  undefinedValue: 0,
  control: 0,
  operations: withOperations(() => 0),
  argv: 0,
};

/** `JSRuntime.strip_flags` and `JS_STRIP_SOURCE`: functions compiled meanwhile keep no text of themselves. */
const STRIP_FLAGS = 228;
const STRIP_SOURCE = 1;
/** Every instance makes exactly one host function; its id is part of the base image. */
const HOST_FUNCTION_ID = 1;

/**
 * Creates runtime and context, and runs the parts of the prelude; see `split-script.mjs`.
 *
 * @throws {VmPreludeError} when a part throws, {VmDamaged}
 */
export function boot(vm: Vm, prelude: readonly string[]): void {
  const { ffi } = vm.instance;
  const runtime = ffi.QTS_NewRuntime();
  ffi.QTS_RuntimeEnableInterruptHandler(runtime);
  const context = ffi.QTS_NewContext(runtime, 0);
  const undefinedValue = ffi.QTS_GetUndefined();
  const argv = vm.allocate(RESERVE_SLOTS_END);
  new Uint8Array(vm.memory.buffer).fill(0, argv, argv + RESERVE_SLOTS_END);
  vm.roots = { ...noRoots, runtime, context, undefinedValue, argv };
  const host = ffi.QTS_NewFunction(context, "host", 2, false, HOST_FUNCTION_ID);
  // Each nested function would hold a copy of its part: a third of what an empty session weighs.
  vm.words()[(runtime + STRIP_FLAGS) >> 2] = STRIP_SOURCE;
  const install = runParts(vm, prelude);
  vm.words()[(runtime + STRIP_FLAGS) >> 2] = 0;
  const control = vm.call(install, [host]);
  vm.free(install);
  vm.free(host);
  vm.roots = { ...vm.roots, control, operations: withOperations((name) => vm.strings.make(name)) };
  vm.reserves.hold();
}

/** The value of the last part. */
function runParts(vm: Vm, parts: readonly string[]): Address {
  const scope = vm.evalScript("({ __proto__: null })");
  const values = parts.map((part, index) => {
    const run = vm.evalScript(part, `prelude-${index + 1}.js`);
    const value = vm.call(run, [scope]);
    vm.free(run);
    return value;
  });
  vm.free(scope);
  const last = values.pop();
  if (last === undefined) throw new TypeError("The prelude has no parts.");
  for (const value of values) vm.free(value);
  return last;
}
