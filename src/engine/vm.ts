/**
 * One running instance of the engine with a memory of its own. Who runs something in QuickJS does it through here.
 *
 * An instance is cheap and never repaired: when the host stack overflows inside it or it traps, its memory may be
 * inconsistent, `VmDamaged` is thrown and every later call refuses. The caller drops it and starts another one.
 *
 * `Address` is a pointer into the instance's memory. Addresses of JS values (`JSValue*`) are owned: free them.
 */
import { noRoots, type Operation, type VmRoots } from "./boot.js";
import type { ByteCrossing } from "./byte-crossing.js";
import {
  type Address,
  createInstance,
  type EmscriptenModule,
  type EngineInstance,
  type Ffi,
  nobody,
} from "./engine-instance.js";
import { GuestStrings } from "./guest-strings.js";
import { MemoryGrowth } from "./memory-growth.js";
import { MemoryReserves } from "./memory-reserves.js";
import { VmDamaged, VmOutOfMemory, VmPreludeError } from "./vm-errors.js";

export type { Address };

/** `JSContext.interrupt_counter`: steps until the engine asks `shouldStop` again. */
const INTERRUPT_COUNTER = 232;
/** `JS_EVAL_FLAG_ASYNC`: a global script with top-level `await`, whose value arrives as `{ value }`. */
const EVAL_ASYNC = 1 << 7;
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

export class Vm {
  roots: VmRoots = noRoots;
  /** Called during guest execution; replaced by the session that owns this instance. */
  hooks: VmHooks = idleHooks;
  /** While the base image is made there are none to cross. */
  bytes: Pick<ByteCrossing, "take" | "offer" | "answer"> = noBytes;
  readonly reserves: MemoryReserves = new MemoryReserves(this);
  readonly strings: GuestStrings = new GuestStrings(this);
  readonly #growth: MemoryGrowth = new MemoryGrowth(this);
  #instance: EngineInstance | undefined;
  #damage: unknown;
  #words: Uint32Array = new Uint32Array(0);

  /** The engine is not booted: either `boot` it, or copy an image over the memory and set `roots`. */
  constructor(instance: EngineInstance) {
    this.#instance = instance;
    instance.user = {
      callHost: (argc, argv) => this.#callHost(argc, argv),
      shouldStop: () => this.#shouldStop(),
      grow: (bytes, refresh) => this.#growth.grow(bytes, refresh),
    };
  }

  /** A new instance whose memory of `initialPages` may grow to `maximumPages` (64 KiB each). @throws {EngineError} */
  static async create(module: WebAssembly.Module, initialPages: number, maximumPages: number): Promise<Vm> {
    return new Vm(await createInstance(module, initialPages, maximumPages));
  }

  /** @throws {VmDamaged} when the instance was given away. */
  get memory(): WebAssembly.Memory {
    return this.instance.memory;
  }

  /** Of 64 KiB: what the memory may grow to. */
  get maximumPages(): number {
    return this.instance.maximumPages;
  }

  /** @throws {VmDamaged} when it was given away. */
  get instance(): EngineInstance {
    if (!this.#instance) throw new VmDamaged("the instance was given away");
    return this.#instance;
  }

  get #ffi(): Ffi {
    return this.instance.ffi;
  }

  get #emscripten(): EmscriptenModule {
    return this.instance.emscripten;
  }

  /**
   * Gives the instance away, for another `Vm` to use: this one is finished. Only while no call into the engine is on
   * the stack. `undefined` when there is nothing sound to give.
   */
  release(): EngineInstance | undefined {
    const instance = this.#instance;
    if (!instance || this.#damage !== undefined) return undefined;
    // Who still holds this `Vm` is to fail, not to write into the memory of somebody else.
    this.#instance = undefined;
    this.#damage = new Error("the instance was given away");
    instance.user = nobody;
    return instance;
  }

  #shouldStop(): boolean {
    this.#growth.noteProgress();
    if (!this.hooks.shouldStop()) return false;
    // An async function that is stopped rejects, and its caller goes on: stop that too, with its next step.
    this.askSoon();
    return true;
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
      this.#growth.collectSoon();
      this.free(this.#ffi.QTS_NewObject(this.roots.context));
    });
  }

  #callHost(argc: number, argv: Address): Address {
    const argument = (index: number) => this.#ffi.QTS_ArgvGetJSValueConstPointer(argv, index);
    const operation = this.strings.read(argument(0));
    const text = argc > 1 ? this.strings.read(argument(1)) : "";
    const value = argc > 2 ? argument(2) : 0;
    const answer = this.bytes.answer(operation, text, value) ?? this.hooks.callHost(operation, text, value);
    if (answer === "") return 0;
    try {
      return this.strings.make(answer);
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

  /** A block of the instance's memory; 0 when there is no room for it. */
  allocate(bytes: number): Address {
    return this.#guard(() => this.#emscripten._malloc(bytes));
  }

  setStackSize(bytes: number): void {
    this.instance.stackBytes = Math.max(this.instance.stackBytes, bytes);
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

  /** Evaluates a script of ours, while booting. @throws {VmPreludeError} */
  evalScript(source: string, filename = "boot.js"): Address {
    return this.#guard(() => this.#unwrap(this.#eval(source, filename, 0)));
  }

  /** Calls a function of ours, while booting. @throws {VmPreludeError} */
  call(target: Address, args: readonly Address[]): Address {
    return this.#guard(() => this.#unwrap(this.#call(target, args)));
  }

  /** Calls the prelude: an operation, a text and optionally a guest value. The answer is a text. */
  control(operation: Operation, argument: string, value?: Address): string {
    return this.#guard(() => {
      const name = this.roots.operations[operation];
      const argumentString = this.strings.make(argument);
      const args = value === undefined ? [name, argumentString] : [name, argumentString, value];
      const result = this.#call(this.roots.control, args);
      this.free(argumentString);
      const answer = this.#unwrap(result);
      const text = this.strings.read(answer);
      this.free(answer);
      return text;
    });
  }

  /**
   * Gives up the error that stopped the guest. The engine holds it until another one is thrown; and what is made in
   * the middle of a flood lies between all that the flood took, and splits that memory.
   */
  forgetException(): void {
    this.#guard(() => {
      const { error } = this.#eval("throw 0", "boot.js", 0);
      if (error !== undefined) this.free(error);
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

  /** A short text of ours, at the cost of what is held back. Without room even there the instance is finished. */
  #newStringInReserve(text: string): Address {
    this.reserves.giveUp("guest");
    this.reserves.giveUp("host");
    return this.strings.make(text);
  }

  free(value: Address): void {
    this.#ffi.QTS_FreeValuePointer(this.roots.context, value);
  }

  #eval(source: string, filename: string, flags: number): VmResult {
    const value = this.strings.within(source, (start, bytes) =>
      this.#ffi.QTS_Eval(this.roots.context, start, bytes, filename, 0, flags),
    );
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
    const text = this.strings.read(result.error);
    this.free(result.error);
    throw new VmPreludeError(text);
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

const noBytes: Vm["bytes"] = { take: () => [], offer: (_, read) => read(), answer: () => undefined };

const idleHooks: VmHooks = {
  callHost: () => "",
  shouldStop: () => false,
  mayGrow: () => true,
  memoryRefused: () => {},
};
