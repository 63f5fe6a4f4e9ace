/**
 * The engine's WebAssembly instance with a memory of its own, and how it is wired: the only file that knows the glue
 * of emscripten. Who uses an instance is exchangeable (`user`), the wiring is made once.
 */
import variantModule from "@jitl/quickjs-wasmfile-release-sync";
import { EngineError } from "../errors.js";

/** The package's types describe its CommonJS build; what an ES module imports is the variant itself. */
const variant = variantModule as unknown as Variant;

interface Variant {
  importModuleLoader(): Promise<EmscriptenLoader | { readonly default: EmscriptenLoader }>;
  importFFI(): Promise<new (emscripten: EmscriptenModule) => Ffi>;
}

/** A pointer into the instance's memory. */
export type Address = number;

/** What the engine asks while it runs. */
export interface InstanceUser {
  /** The one host function: how many arguments, and where they are. Answers the address of a value, 0 for `undefined`. */
  callHost(argc: number, argv: Address): Address;
  /** True stops the guest. */
  shouldStop(): boolean;
  /** The memory is to hold `bytes`; `refresh` tells the glue after it has grown. False when it must not. */
  grow(bytes: number, refresh: (bytes: number) => boolean): boolean;
}

/** The parts of the emscripten module and of its bindings that are used. Pointers and sizes are numbers. */
export interface EmscriptenModule {
  _malloc(bytes: number): Address;
  _free(address: Address): void;
}
type EmscriptenLoader = (options: unknown) => Promise<EmscriptenModule>;
export interface Ffi {
  QTS_NewRuntime(): Address;
  QTS_RuntimeEnableInterruptHandler(runtime: Address): void;
  QTS_RuntimeSetMaxStackSize(runtime: Address, bytes: number): void;
  QTS_NewContext(runtime: Address, intrinsics: number): Address;
  QTS_GetUndefined(): Address;
  QTS_NewFunction(
    context: Address,
    name: string,
    length: number,
    isConstructor: boolean,
    id: number,
  ): Address;
  QTS_ArgvGetJSValueConstPointer(argv: Address, index: number): Address;
  QTS_Eval(
    context: Address,
    code: Address,
    length: number,
    file: string,
    detectModule: number,
    flags: number,
  ): Address;
  QTS_Call(context: Address, target: Address, self: Address, argc: number, argv: Address): Address;
  QTS_ResolveException(context: Address, value: Address): Address;
  QTS_ExecutePendingJob(runtime: Address, limit: number, context: Address): Address;
  QTS_IsJobPending(runtime: Address): number;
  QTS_GetFloat64(context: Address, value: Address): number;
  QTS_NewObject(context: Address): Address;
  QTS_NewString(context: Address, text: Address): Address;
  QTS_GetString(context: Address, value: Address): Address;
  QTS_FreeCString(context: Address, text: Address): void;
  QTS_DupValuePointer(context: Address, value: Address): Address;
  QTS_FreeValuePointer(context: Address, value: Address): void;
}
type Imports = Record<string, unknown>;

export interface EngineInstance {
  readonly memory: WebAssembly.Memory;
  /** Of 64 KiB. */
  readonly maximumPages: number;
  readonly ffi: Ffi;
  readonly emscripten: EmscriptenModule;
  /** The most that a user of it was allowed to take of the stack, in bytes. */
  stackBytes: number;
  user: InstanceUser;
}

/**
 * Instantiates the module with a memory of `initialPages` that may grow to `maximumPages` (64 KiB each). The engine
 * is not booted.
 *
 * @throws {EngineError} `ENGINE_LOAD`
 */
export async function createInstance(
  module: WebAssembly.Module,
  initialPages: number,
  maximumPages: number,
): Promise<EngineInstance> {
  const memory = new WebAssembly.Memory({ initial: initialPages, maximum: maximumPages });
  const wiring: Wiring = { memory, user: nobody };
  const [loader, Bindings] = await Promise.all([variant.importModuleLoader(), variant.importFFI()]);
  const load = "default" in loader ? loader.default : loader;
  // The glue never rejects when instantiation fails (it would wait for ever), so the failure is taken here.
  const emscripten = await new Promise<EmscriptenModule>((resolve, reject) => {
    const instantiateWasm = (
      { a, ...rest }: { a: Imports },
      done: (instance: WebAssembly.Instance) => void,
    ): Record<string, never> => {
      WebAssembly.instantiate(module, { ...rest, a: wire(a, wiring) }).then(done, (error: unknown) => {
        reject(
          new EngineError("ENGINE_LOAD", `The engine could not be started: ${String(error)}.`, {
            cause: error,
          }),
        );
      });
      return {};
    };
    load({ wasmMemory: memory, instantiateWasm, thisProgram: "q", print, printErr: print }).then(
      resolve,
      reject,
    );
  });
  const ffi = new Bindings(emscripten);
  return Object.assign(wiring, { maximumPages, ffi, emscripten, stackBytes: DEFAULT_STACK_BYTES });
}

/** `JS_DEFAULT_STACK_SIZE` of the engine. */
const DEFAULT_STACK_BYTES = 256 * 1024;

interface Wiring {
  readonly memory: WebAssembly.Memory;
  user: InstanceUser;
}

/** While nothing runs, nothing asks. */
export const nobody: InstanceUser = { callHost: () => 0, shouldStop: () => true, grow: () => false };

/**
 * The imports of the pinned build, wrapped so that every boot is the same on every machine: no environment strings
 * on the heap, no clock, no time zone (design: heap images fit anywhere). Names are the minified ones of that build.
 */
function wire(glue: Imports, wiring: Wiring): Imports {
  const view = () => new DataView(wiring.memory.buffer);
  const refresh = glue["k"] as (bytes: number) => boolean;
  return {
    ...glue,
    // environ_sizes_get, environ_get: an empty environment
    f: (count: number, size: number) => {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    e: () => 0,
    // emscripten_date_now: the engine gets no clock; `Date` in the guest is the prelude's
    p: () => 0,
    // _localtime_js in UTC
    m: (seconds: bigint, tm: Address) => writeUtc(view(), Number(seconds), tm),
    // _tzset_js: UTC
    n: (timezone: Address, daylight: Address, standardName: Address, daylightName: Address) => {
      view().setInt32(timezone, 0, true);
      view().setInt32(daylight, 0, true);
      for (const name of [standardName, daylightName])
        new Uint8Array(wiring.memory.buffer).set([85, 84, 67, 0], name);
    },
    k: (bytes: number) => wiring.user.grow(bytes >>> 0, refresh),
    // the host function and the interrupt check, without the library's handle objects in between
    s: (_context: Address, _self: Address, argc: number, argv: Address) => wiring.user.callHost(argc, argv),
    i: () => (wiring.user.shouldStop() ? 1 : 0),
    t: () => {},
  };
}

/** The engine's own output (assertion texts) has no reader. */
function print(): void {}

/** Fills a C `struct tm`. */
function writeUtc(view: DataView, seconds: number, tm: Address): void {
  const date = new Date(seconds * 1000);
  const dayOfYear = Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000);
  const fields = [
    date.getUTCSeconds(),
    date.getUTCMinutes(),
    date.getUTCHours(),
    date.getUTCDate(),
    date.getUTCMonth(),
    date.getUTCFullYear() - 1900,
    date.getUTCDay(),
    dayOfYear,
    0,
    0,
  ];
  fields.forEach((field, index) => {
    view.setInt32(tm + 4 * index, field, true);
  });
}
