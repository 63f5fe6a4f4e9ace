/**
 * One running instance of the engine with a memory of its own. The only file that calls QuickJS.
 *
 * An instance is cheap and never repaired: when the host stack overflows inside it or it traps, its memory may be
 * inconsistent, `VmDamaged` is thrown and every later call refuses. The caller drops it and starts another one.
 *
 * `Address` is a pointer into the instance's memory. Addresses of JS values (`JSValue*`) are owned: free them.
 */
import variantModule from "@jitl/quickjs-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSSyncVariant,
} from "quickjs-emscripten-core";
import type { ByteCrossing } from "./byte-crossing.js";
import { EngineError } from "./errors.js";

/** The package's types describe its CommonJS build; what an ES module imports is the variant itself. */
const variant = variantModule as unknown as QuickJSSyncVariant;

export type Address = number;

const PAGE_BYTES = 65536;
/** `JSContext.interrupt_counter`: steps until the engine asks `shouldStop` again. */
const INTERRUPT_COUNTER = 232;
/** `JSRuntime.malloc_gc_threshold`: creating an object beyond it collects garbage first. */
const GC_THRESHOLD = 108;
/** `JS_EVAL_FLAG_ASYNC`: a global script with top-level `await`, whose value arrives as `{ value }`. */
const EVAL_ASYNC = 1 << 7;
/** Every instance makes exactly one host function; its id is part of the base image. */
const HOST_FUNCTION_ID = 1;

/**
 * Blocks that are held back so that a full memory can still be put in order. The guest's is given up when memory runs
 * out inside it: the error can then be made, caught and told. The host's is given up to end an eval or to begin one.
 * `slot` is where the block's address is kept, behind the room for arguments, so that images carry it.
 */
const RESERVES: Readonly<Record<"guest" | "host", { readonly slot: number; readonly bytes: number }>> = {
  guest: { slot: 16, bytes: 96 * 1024 },
  host: { slot: 20, bytes: 320 * 1024 },
};
/** What an eval needs at least, beside the reserves. */
const WORKING_BYTES = 256 * 1024;
/** Room for four argument addresses, and the slots of the reserves. */
const ARGV_BYTES = 24;

/** What an instance asks of its owner while guest code runs. None of these may throw. */
export interface VmHooks {
  /** The one host function. `value` is the address of the third argument, valid during the call. */
  callHost(operation: string, argument: string, value: Address): string;
  /** Asked every few thousand steps; `true` stops the guest with an error it cannot catch. */
  shouldStop(): boolean;
  /** Asked before the memory grows to `bytes`, within its own limit. */
  mayGrow(bytes: number): boolean;
  /** The guest asked for memory beyond the limit and was refused. */
  memoryRefused(): void;
}

/** The instance is finished: its memory may be inconsistent. */
export class VmDamaged extends Error {
  override readonly name = "VmDamaged";
}

/** Where things are after the (always identical) boot. */
export interface VmRoots {
  readonly runtime: Address;
  readonly context: Address;
  readonly undefinedValue: Address;
  /** The prelude's control function. */
  readonly control: Address;
  /** Room for four argument addresses. */
  readonly argv: Address;
}

/** The parts of the emscripten module and of its bindings that are used. Pointers and sizes are numbers. */
interface EmscriptenModule {
  _malloc(bytes: number): Address;
  _free(address: Address): void;
}
type EmscriptenLoader = (options?: unknown) => Promise<unknown>;
interface Ffi {
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

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Vm {
  readonly memory: WebAssembly.Memory;
  roots: VmRoots = { runtime: 0, context: 0, undefinedValue: 0, control: 0, argv: 0 };
  /** Called during guest execution; replaced by the session that owns this instance. */
  hooks: VmHooks = idleHooks;
  /** While the base image is made there are none to cross. */
  bytes: Pick<ByteCrossing, "take" | "offer" | "answer"> = noBytes;
  #ffi!: Ffi;
  #emscripten!: EmscriptenModule;
  #damage: unknown;
  readonly #maximumPages: number;
  #words: Uint32Array = new Uint32Array(0);
  #refusedSinceAsked = false;

  private constructor(memory: WebAssembly.Memory, maximumPages: number) {
    this.memory = memory;
    this.#maximumPages = maximumPages;
  }

  /**
   * Instantiates the module with a memory of `initialPages` that may grow to `maximumPages` (64 KiB each). The engine
   * is not booted: either `boot()` it, or copy an image over the memory and set `roots`.
   */
  static async create(module: WebAssembly.Module, initialPages: number, maximumPages: number): Promise<Vm> {
    const memory = new WebAssembly.Memory({ initial: initialPages, maximum: maximumPages });
    const vm = new Vm(memory, maximumPages);
    // The glue never rejects when instantiation fails (it would wait for ever), so the failure is taken here.
    await new Promise<void>((resolve, reject) => {
      const instantiateWasm = (
        { a, ...rest }: { a: Imports },
        done: (instance: WebAssembly.Instance) => void,
      ): Record<string, never> => {
        WebAssembly.instantiate(module, { ...rest, a: vm.#imports(a) }).then(done, (error: unknown) => {
          reject(
            new EngineError("ENGINE_LOAD", `The engine could not be started: ${String(error)}.`, {
              cause: error,
            }),
          );
        });
        return {};
      };
      const capturing: QuickJSSyncVariant = {
        ...variant,
        importModuleLoader: async () => {
          const imported = await variant.importModuleLoader();
          const load = ("default" in imported ? imported.default : imported) as EmscriptenLoader;
          return async (options) => {
            const emscripten = await load(options);
            vm.#emscripten = emscripten as unknown as EmscriptenModule;
            return emscripten as never;
          };
        },
      };
      const options = {
        wasmMemory: memory,
        emscriptenModule: { instantiateWasm, thisProgram: "q", print, printErr: print },
      };
      newQuickJSWASMModuleFromVariant(newVariant(capturing, options as never)).then((engine) => {
        vm.#ffi = engine.getFFI() as unknown as Ffi;
        resolve();
      }, reject);
    });
    return vm;
  }

  /**
   * The imports of the pinned build, wrapped so that every boot is the same on every machine: no environment strings
   * on the heap, no clock, no time zone (design: heap images fit anywhere). Names are the minified ones of that build.
   */
  #imports(glue: Imports): Imports {
    const view = () => new DataView(this.memory.buffer);
    const grow = glue["k"] as (bytes: number) => boolean;
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
          new Uint8Array(this.memory.buffer).set([85, 84, 67, 0], name);
      },
      k: (bytes: number) => this.#grow(bytes >>> 0, grow),
      // the host function and the interrupt check, without the library's handle objects in between
      s: (_context: Address, _self: Address, argc: number, argv: Address) => this.#callHost(argc, argv),
      i: () => {
        this.#refusedSinceAsked = false;
        if (!this.hooks.shouldStop()) return 0;
        // An async function that is stopped rejects, and its caller goes on: stop that too, with its next step.
        this.askSoon();
        return 1;
      },
      t: () => {},
    };
  }

  /** The glue would over-grow by up to 20 % and then fail although the request itself fits; grow just enough here. */
  #grow(bytes: number, refreshGlueViews: (bytes: number) => boolean): boolean {
    const current = this.memory.buffer.byteLength;
    const needed = Math.ceil(bytes / PAGE_BYTES);
    if (needed > this.#maximumPages || !this.hooks.mayGrow(needed * PAGE_BYTES)) return this.#refuse();
    const comfortable = Math.min(
      this.#maximumPages,
      Math.max(needed, Math.ceil((current / PAGE_BYTES) * 1.125)),
    );
    try {
      this.memory.grow(comfortable - current / PAGE_BYTES);
    } catch {
      return this.#refuse();
    }
    this.#collectSoon();
    return refreshGlueViews(this.memory.buffer.byteLength);
  }

  /**
   * The allocation that asked fails. Called from inside the allocator, which at this point holds nothing of its state
   * outside its tables: freeing a block here is allowed, and later allocations find it.
   */
  #refuse(): false {
    this.hooks.memoryRefused();
    if (this.roots.argv !== 0) this.giveUpReserve("guest");
    // Code that goes on after an error in a full memory is refused again and again; one collection is enough for it.
    if (!this.#refusedSinceAsked) this.#collectSoon();
    this.#refusedSinceAsked = true;
    return false;
  }

  /**
   * Lets the next object that is made collect garbage first. The engine itself collects by the number of allocations,
   * for it cannot see their sizes: a few unreachable buffers would fill the memory.
   */
  #collectSoon(): void {
    if (this.roots.runtime === 0) return;
    this.words()[(this.roots.runtime + GC_THRESHOLD) >> 2] = 0;
  }

  /**
   * Lets the engine ask `shouldStop` with its next step. It counts steps; what takes long in a single one (a refused
   * allocation, a service of the host) would otherwise go on for thousands of them.
   */
  askSoon(): void {
    this.words()[(this.roots.context + INTERRUPT_COUNTER) >> 2] = 1;
  }

  /** Steps until the engine asks again. */
  get stepsUntilAsked(): number {
    return this.words()[(this.roots.context + INTERRUPT_COUNTER) >> 2] ?? 0;
  }

  /** Collects garbage now. @throws {VmOutOfMemory} */
  collectGarbage(): void {
    this.#guard(() => {
      this.#collectSoon();
      this.free(this.#ffi.QTS_NewObject(this.roots.context));
    });
  }

  #callHost(argc: number, argv: Address): Address {
    const argument = (index: number) => this.#ffi.QTS_ArgvGetJSValueConstPointer(argv, index);
    const operation = this.readString(argument(0));
    const text = argc > 1 ? this.readString(argument(1)) : "";
    const value = argc > 2 ? argument(2) : 0;
    const answer = this.bytes.answer(operation, text, value) ?? this.hooks.callHost(operation, text, value);
    try {
      return this.newString(answer);
    } catch (error) {
      // 0 is `undefined` in the guest: no room for the answer. Everything else has to reach `#guard`.
      if (error instanceof VmOutOfMemory) return 0;
      throw error;
    }
  }

  /** The memory as 32-bit words. Not to be kept: growing the memory detaches it. */
  words(): Uint32Array {
    if (this.#words.buffer !== this.memory.buffer) this.#words = new Uint32Array(this.memory.buffer);
    return this.#words;
  }

  /** Creates runtime and context, runs the prelude with the host function and keeps its control function. */
  boot(prelude: string): void {
    this.#guard(() => {
      const ffi = this.#ffi;
      const runtime = ffi.QTS_NewRuntime();
      ffi.QTS_RuntimeEnableInterruptHandler(runtime);
      const context = ffi.QTS_NewContext(runtime, 0);
      const undefinedValue = ffi.QTS_GetUndefined();
      const argv = this.#emscripten._malloc(ARGV_BYTES);
      new Uint8Array(this.memory.buffer).fill(0, argv, argv + ARGV_BYTES);
      this.roots = { runtime, context, undefinedValue, control: 0, argv };
      const host = ffi.QTS_NewFunction(context, "host", 2, false, HOST_FUNCTION_ID);
      const install = this.#unwrap(this.#eval(prelude, "prelude.js", 0));
      const control = this.#unwrap(this.#call(install, [host]));
      this.free(install);
      this.free(host);
      this.roots = { ...this.roots, control };
    });
    this.holdReserves();
  }

  /** Holds back what of the reserves is not held, and says whether there was room for it. */
  holdReserves(): boolean {
    let whole = true;
    for (const { slot, bytes } of Object.values(RESERVES)) {
      if (this.#reserve(slot) !== 0) continue;
      const block = this.#emscripten._malloc(bytes);
      // What is in it would be part of every image.
      if (block !== 0) new Uint8Array(this.memory.buffer).fill(0, block, block + bytes);
      this.words()[(this.roots.argv + slot) >> 2] = block;
      whole &&= block !== 0;
    }
    return whole;
  }

  /** True when an ordinary eval has room to work in. */
  hasRoom(): boolean {
    const block = this.#emscripten._malloc(WORKING_BYTES);
    if (block !== 0) this.#emscripten._free(block);
    return block !== 0;
  }

  /** Gives up a reserve; false when it was gone already. */
  giveUpReserve(whose: keyof typeof RESERVES): boolean {
    const { slot } = RESERVES[whose];
    const block = this.#reserve(slot);
    if (block === 0) return false;
    this.words()[(this.roots.argv + slot) >> 2] = 0;
    this.#emscripten._free(block);
    return true;
  }

  #reserve(slot: number): Address {
    return this.words()[(this.roots.argv + slot) >> 2] ?? 0;
  }

  setStackSize(bytes: number): void {
    this.#guard(() => this.#ffi.QTS_RuntimeSetMaxStackSize(this.roots.runtime, bytes));
  }

  /** Evaluates a program; the result is the address of its promise, or of the error that compiling it threw. */
  evalProgram(source: string, filename: string): VmResult {
    return this.#guard(() => this.#eval(source, filename, EVAL_ASYNC));
  }

  /** Evaluates an expression that was made of a module's source; see `TransformedModule`. */
  evalExpression(source: string, filename: string): VmResult {
    return this.#guard(() => this.#eval(source, filename, 0));
  }

  /** Evaluates a script of ours, while booting. */
  evalScript(source: string): Address {
    return this.#guard(() => this.#unwrap(this.#eval(source, "boot.js", 0)));
  }

  /** Calls the prelude: an operation, a text and optionally a guest value. The answer is a text. */
  control(operation: string, argument: string, value?: Address): string {
    return this.#guard(() => {
      const operationString = this.newString(operation);
      const argumentString = this.newString(argument);
      const args =
        value === undefined ? [operationString, argumentString] : [operationString, argumentString, value];
      const result = this.#call(this.roots.control, args);
      this.free(operationString);
      this.free(argumentString);
      const answer = this.#unwrap(result);
      const text = this.readString(answer);
      this.free(answer);
      return text;
    });
  }

  /** Runs up to `limit` queued jobs and says how many ran. Jobs that throw are the guest's business. */
  runJobs(limit: number): number {
    return this.#guard(() => {
      const result = this.#ffi.QTS_ExecutePendingJob(this.roots.runtime, limit, this.roots.argv);
      const ran = this.#ffi.QTS_GetFloat64(this.roots.context, result);
      this.free(result);
      // A job that threw is answered with its error instead of a count.
      return ran >= 0 ? ran : 1;
    });
  }

  get hasJobs(): boolean {
    return this.#guard(() => this.#ffi.QTS_IsJobPending(this.roots.runtime) !== 0);
  }

  /** Gives up the value stored at `address` inside an engine structure that is about to be freed. */
  freeStored(address: Address): void {
    this.#guard(() => {
      // The engine frees the cell together with the value, so it gets one of its own.
      const cell = this.#emscripten._malloc(8);
      if (cell === 0) throw new VmOutOfMemory("no room for a cell");
      const words = this.words();
      words[cell >> 2] = words[address >> 2] ?? 0;
      words[(cell >> 2) + 1] = words[(address >> 2) + 1] ?? 0;
      this.free(cell);
    });
  }

  /** Frees a block the engine allocated. */
  freeBlock(address: Address): void {
    this.#guard(() => this.#emscripten._free(address));
  }

  /** A second owner for the value stored at `address`, which may lie inside an engine structure. */
  duplicate(address: Address): Address {
    return this.#guard(() => this.#ffi.QTS_DupValuePointer(this.roots.context, address));
  }

  /** @throws {VmOutOfMemory} when there is no room for the text. */
  newString(text: string): Address {
    const bytes = this.#writeText(text);
    const value = this.#ffi.QTS_NewString(this.roots.context, bytes);
    this.#emscripten._free(bytes);
    return value;
  }

  readString(value: Address): string {
    const start = this.#ffi.QTS_GetString(this.roots.context, value);
    if (start === 0) return "";
    const memory = new Uint8Array(this.memory.buffer);
    const text = decoder.decode(memory.subarray(start, memory.indexOf(0, start)));
    this.#ffi.QTS_FreeCString(this.roots.context, start);
    return text;
  }

  free(value: Address): void {
    this.#ffi.QTS_FreeValuePointer(this.roots.context, value);
  }

  #eval(source: string, filename: string, flags: number): VmResult {
    const code = this.#writeText(source);
    const length = this.#textLength;
    const value = this.#ffi.QTS_Eval(this.roots.context, code, length, filename, 0, flags);
    this.#emscripten._free(code);
    return this.#resolve(value);
  }

  #call(target: Address, args: readonly Address[]): VmResult {
    const { context, undefinedValue, argv } = this.roots;
    const words = this.words();
    for (let index = 0; index < args.length; index++) words[(argv >> 2) + index] = args[index] ?? 0;
    return this.#resolve(this.#ffi.QTS_Call(context, target, undefinedValue, args.length, argv));
  }

  #resolve(value: Address): VmResult {
    const error = this.#ffi.QTS_ResolveException(this.roots.context, value);
    if (!error) return { value };
    this.free(value);
    return { error };
  }

  #unwrap(result: VmResult): Address {
    if (result.error === undefined) return result.value;
    const text = this.readString(result.error);
    this.free(result.error);
    throw new VmPreludeError(text);
  }

  #textLength = 0;

  #writeText(text: string): Address {
    const bytes = encoder.encode(text);
    const start = this.#emscripten._malloc(bytes.length + 1);
    if (start === 0) throw new VmOutOfMemory("no room for a text");
    const memory = new Uint8Array(this.memory.buffer);
    memory.set(bytes, start);
    memory[start + bytes.length] = 0;
    this.#textLength = bytes.length;
    return start;
  }

  /** Gives the instance up for a reason the engine itself does not see. @throws {VmDamaged} always */
  retire(cause: unknown): never {
    this.#damage = cause;
    throw new VmDamaged(cause instanceof Error ? cause.message : String(cause), { cause });
  }

  /** Runs engine code. Whatever escapes from it as a host error has left the instance half-way through something. */
  #guard<T>(run: () => T): T {
    if (this.#damage !== undefined) throw new VmDamaged("the instance is finished", { cause: this.#damage });
    try {
      return run();
    } catch (error) {
      if (error instanceof VmPreludeError || error instanceof VmOutOfMemory) throw error;
      this.#damage = error;
      throw new VmDamaged(error instanceof Error ? error.message : String(error), { cause: error });
    }
  }
}

export type VmResult = { readonly value: Address; readonly error?: undefined } | { readonly error: Address };

/** The prelude itself threw: out of memory, stopped by the deadline, or out of stack. The instance goes on. */
export class VmPreludeError extends Error {
  override readonly name = "VmPreludeError";
}

/** The host found no room in the guest's memory. The instance goes on. */
export class VmOutOfMemory extends Error {
  override readonly name = "VmOutOfMemory";
}

const noBytes: Vm["bytes"] = { take: () => [], offer: (_, read) => read(), answer: () => undefined };

const idleHooks: VmHooks = {
  callHost: () => "=",
  shouldStop: () => false,
  mayGrow: () => true,
  memoryRefused: () => {},
};

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
