/**
 * One running instance of the engine with a memory of its own. The only file that calls QuickJS.
 *
 * An instance is cheap and never repaired: when the host stack overflows inside it or it traps, its memory may be
 * inconsistent, `VmDamaged` is thrown and every later call refuses. The caller drops it and starts another one.
 *
 * `Address` is a pointer into the instance's memory. Addresses of JS values (`JSValue*`) are owned: free them.
 */
import type { ByteCrossing } from "./byte-crossing.js";
import {
  type Address,
  createInstance,
  type EmscriptenModule,
  type EngineInstance,
  type Ffi,
  nobody,
} from "./engine-instance.js";
import { MemoryReserves, RESERVE_SLOTS_END } from "./memory-reserves.js";

export type { Address };

const PAGE_BYTES = 65536;
/** `JSContext.interrupt_counter`: steps until the engine asks `shouldStop` again. */
const INTERRUPT_COUNTER = 232;
/** `JSRuntime.malloc_gc_threshold`: creating an object beyond it collects garbage first. */
const GC_THRESHOLD = 108;
/** `JSRuntime.strip_flags` and `JS_STRIP_SOURCE`: functions compiled meanwhile keep no text of themselves. */
const STRIP_FLAGS = 228;
const STRIP_SOURCE = 1;
/** A `JSValue` that points at a `JSString`, and where that has its length and its text. `findHeapLayout` proves it. */
const TAG_STRING = 0xfffffff9;
const STRING_LENGTH = 4;
const STRING_TEXT = 16;
/** Reading it in place is cheaper than through the engine up to here. */
const MAX_FLAT_CHARS = 100;
/** `JS_EVAL_FLAG_ASYNC`: a global script with top-level `await`, whose value arrives as `{ value }`. */
const EVAL_ASYNC = 1 << 7;
/** Every instance makes exactly one host function; its id is part of the base image. */
const HOST_FUNCTION_ID = 1;

/** Room for four argument addresses, and the slots of the reserves. */
const ARGV_BYTES = RESERVE_SLOTS_END;

/** What an instance asks of its owner while guest code runs. None of these may throw. */
export interface VmHooks {
  /**
   * The one host function. `value` is the address of the third argument, valid during the call. An empty answer is
   * `undefined` in the guest.
   */
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

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Vm {
  roots: VmRoots = { runtime: 0, context: 0, undefinedValue: 0, control: 0, argv: 0 };
  /** Called during guest execution; replaced by the session that owns this instance. */
  hooks: VmHooks = idleHooks;
  /** While the base image is made there are none to cross. */
  bytes: Pick<ByteCrossing, "take" | "offer" | "answer"> = noBytes;
  readonly reserves: MemoryReserves = new MemoryReserves(this);
  #instance: EngineInstance | undefined;
  #ffi: Ffi;
  #emscripten: EmscriptenModule;
  #damage: unknown;
  #words: Uint32Array = new Uint32Array(0);
  #refusedSinceAsked = false;

  /** The engine is not booted: either `boot()` it, or copy an image over the memory and set `roots`. */
  constructor(instance: EngineInstance) {
    this.#instance = instance;
    this.#ffi = instance.ffi;
    this.#emscripten = instance.emscripten;
    instance.user = {
      callHost: (argc, argv) => this.#callHost(argc, argv),
      shouldStop: () => this.#shouldStop(),
      grow: (bytes, refresh) => this.#grow(bytes, refresh),
    };
  }

  /** A new instance whose memory of `initialPages` may grow to `maximumPages` (64 KiB each). @throws {EngineError} */
  static async create(module: WebAssembly.Module, initialPages: number, maximumPages: number): Promise<Vm> {
    return new Vm(await createInstance(module, initialPages, maximumPages));
  }

  /** @throws {VmDamaged} when the instance was given away. */
  get memory(): WebAssembly.Memory {
    return this.#own().memory;
  }

  #own(): EngineInstance {
    if (!this.#instance) throw new VmDamaged("the instance was given away");
    return this.#instance;
  }

  /**
   * Gives the instance away, for another `Vm` to use: this one is finished. Only while no call into the engine is on
   * the stack. `undefined` when there is nothing sound to give.
   */
  release(): EngineInstance | undefined {
    const instance = this.#instance;
    if (!instance || this.#damage !== undefined) return undefined;
    this.#instance = undefined;
    this.#damage = new Error("the instance was given away");
    // Who still holds this `Vm` is to fail, not to write into the memory of somebody else.
    this.#ffi = undefined as unknown as Ffi;
    this.#emscripten = undefined as unknown as EmscriptenModule;
    instance.user = nobody;
    return instance;
  }

  #shouldStop(): boolean {
    this.#refusedSinceAsked = false;
    if (!this.hooks.shouldStop()) return false;
    // An async function that is stopped rejects, and its caller goes on: stop that too, with its next step.
    this.askSoon();
    return true;
  }

  /** The glue would over-grow by up to 20 % and then fail although the request itself fits; grow just enough here. */
  #grow(bytes: number, refreshGlueViews: (bytes: number) => boolean): boolean {
    const { memory, maximumPages } = this.#own();
    const current = memory.buffer.byteLength;
    const needed = Math.ceil(bytes / PAGE_BYTES);
    if (needed > maximumPages || !this.hooks.mayGrow(needed * PAGE_BYTES)) return this.#refuse();
    const comfortable = Math.min(maximumPages, Math.max(needed, Math.ceil((current / PAGE_BYTES) * 1.125)));
    try {
      memory.grow(comfortable - current / PAGE_BYTES);
    } catch {
      return this.#refuse();
    }
    this.#collectSoon();
    return refreshGlueViews(memory.buffer.byteLength);
  }

  /**
   * The allocation that asked fails. Called from inside the allocator, which at this point holds nothing of its state
   * outside its tables: freeing a block here is allowed, and later allocations find it.
   */
  #refuse(): false {
    this.hooks.memoryRefused();
    if (this.roots.argv !== 0) this.reserves.giveUp("guest");
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
    if (answer === "") return 0;
    try {
      return this.newString(answer);
    } catch (error) {
      if (!(error instanceof VmOutOfMemory)) throw error;
      // 0 is `undefined` in the guest, which takes it for no room. A refusal must not be lost like that.
      return answer.startsWith("!") ? this.#newStringInReserve(answer) : 0;
    }
  }

  /** The memory as 32-bit words. Not to be kept: growing the memory detaches it. */
  words(): Uint32Array {
    if (this.#words.buffer !== this.memory.buffer) this.#words = new Uint32Array(this.memory.buffer);
    return this.#words;
  }

  /**
   * Creates runtime and context, runs the parts of the prelude (see `split-script.mjs`) with the host function and
   * keeps its control function.
   */
  boot(prelude: readonly string[]): void {
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
      // Each nested function would hold a copy of its part: a third of what an empty session weighs.
      this.words()[(runtime + STRIP_FLAGS) >> 2] = STRIP_SOURCE;
      const scope = ffi.QTS_NewObject(context);
      const made = prelude.map((part, index) => {
        const run = this.#unwrap(this.#eval(part, `prelude-${index + 1}.js`, 0));
        const value = this.#unwrap(this.#call(run, [scope]));
        this.free(run);
        return value;
      });
      this.free(scope);
      this.words()[(runtime + STRIP_FLAGS) >> 2] = 0;
      const install = made.at(-1) as Address;
      const control = this.#unwrap(this.#call(install, [host]));
      for (const value of [...made, host]) this.free(value);
      this.roots = { ...this.roots, control };
    });
    this.reserves.hold();
  }

  /** A block of the instance's memory; 0 when there is no room for it. */
  allocate(bytes: number): Address {
    return this.#emscripten._malloc(bytes);
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

  /** A short text of ours, at the cost of what is held back. Without room even there the instance is finished. */
  #newStringInReserve(text: string): Address {
    this.reserves.giveUp("guest");
    this.reserves.giveUp("host");
    return this.newString(text);
  }

  /** The text of a string, or of anything else as the engine turns it into one. */
  readString(value: Address): string {
    const flat = this.#flatText(value);
    if (flat !== undefined) return flat;
    const start = this.#ffi.QTS_GetString(this.roots.context, value);
    if (start === 0) return "";
    const memory = new Uint8Array(this.memory.buffer);
    const text = decoder.decode(memory.subarray(start, memory.indexOf(0, start)));
    this.#ffi.QTS_FreeCString(this.roots.context, start);
    return text;
  }

  /** Reads a short ASCII string where it lies; `undefined` for everything else. */
  #flatText(value: Address): string | undefined {
    const words = this.words();
    if (words[(value + 4) >> 2] !== TAG_STRING) return undefined;
    const text = words[value >> 2] ?? 0;
    const length = words[(text + STRING_LENGTH) >> 2] ?? 0;
    // The highest bit says that characters take two bytes.
    if (length > MAX_FLAT_CHARS) return undefined;
    const bytes = new Uint8Array(this.memory.buffer, text + STRING_TEXT, length);
    for (let index = 0; index < length; index++) if ((bytes[index] as number) > 127) return undefined;
    return decoder.decode(bytes);
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

  /** Nothing may be called any more. */
  get isDamaged(): boolean {
    return this.#damage !== undefined;
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
  callHost: () => "",
  shouldStop: () => false,
  mayGrow: () => true,
  memoryRefused: () => {},
};
