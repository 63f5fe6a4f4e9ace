/**
 * Looks into the engine's own structures, for what its API does not offer: dropping queued jobs, finding rejected
 * promises that nobody handled, telling a promise or a proxy from a look-alike without running guest code, and the
 * memory of a buffer without a copy. Offsets are those of the pinned build; `findHeapLayout` finds the class ids and proves the offsets at every
 * base boot, so another build fails there and not later.
 */
import { EngineError } from "../errors.js";
import type { Address, Vm } from "./vm.js";

/** `JSRuntime.gc_obj_list` and `JSRuntime.job_list`: heads of doubly linked lists (prev, next). */
const GC_OBJECTS = 80;
const JOBS = 168;
/** `JSRuntime.malloc_state`: how many allocations there are, and the bytes that are counted for them. */
const MALLOC_COUNT = 16;
const MALLOC_SIZE = 20;
/** The engine cannot ask this allocator for sizes: it counts these bytes for every allocation. */
const COUNTED_BYTES = 8;
/** In `JSJobEntry`: list link at 0, then the realm, a function, the number of arguments and these. */
const JOB_REALM = 8;
const JOB_ARGUMENT_COUNT = 16;
const JOB_ARGUMENTS = 24;
/** In `JSGCObjectHeader`: kind in the low four bits, `class_id` of an object in the upper half; list link at 8. */
const KIND = 4;
const LINK = 8;
/** `JSObject.u`: for a promise the pointer to its `JSPromiseData`, for a buffer to its `JSArrayBuffer`. */
const OBJECT_DATA = 32;
/** In `JSPromiseData`. */
const PROMISE_STATE = 0;
const PROMISE_HANDLED = 20;
const PROMISE_RESULT = 24;
const REJECTED = 2;
/** In `JSArrayBuffer`. */
const BUFFER_LENGTH = 0;
const BUFFER_DATA = 12;
const TAG_OBJECT = 0xffffffff;

export interface HeapLayout {
  readonly promiseClass: number;
  readonly proxyClass: number;
  /** Shared ones too. */
  readonly bufferClasses: readonly number[];
}

export function findHeapLayout(vm: Vm): HeapLayout {
  const fail = (what: string): never => {
    throw new EngineError("ENGINE_MISMATCH", `The engine is not the pinned build: ${what}.`);
  };
  const classOf = (source: string): number => {
    const result = vm.evalScript(source);
    const id = classId(vm, result);
    vm.free(result);
    return id ?? fail(`${source} is not an object`);
  };
  const layout = {
    promiseClass: classOf("new Promise(() => {})"),
    proxyClass: classOf("new Proxy({}, {})"),
    bufferClasses: [classOf("new ArrayBuffer(1)"), classOf("new SharedArrayBuffer(1)")],
  };
  for (const length of [0, 1000]) {
    const buffer = vm.evalScript(`new Uint8Array(${length}).fill(77).buffer`);
    const bytes = bufferBytes(vm, buffer, layout);
    if (bytes?.length !== length || bytes.some((byte) => byte !== 77))
      fail("the bytes of a buffer are not where they should be");
    vm.free(buffer);
  }
  vm.free(vm.evalScript("0"));
  const steps = vm.stepsUntilAsked;
  vm.free(vm.evalScript("for (let i = 0; i < 1000; i++);"));
  const passed = steps - vm.stepsUntilAsked;
  if (passed < 1000 || passed > 3000) fail("the count of steps is not where it should be");
  const rejected = vm.evalScript("Promise.reject(12345)");
  const found = unhandledRejections(vm, layout);
  if (found.length !== 1) fail(`${found.length} unhandled rejections found instead of 1`);
  const copy = vm.duplicate(found[0] ?? 0);
  if (vm.strings.read(copy) !== "12345") fail("the reason of a rejection is not where it should be");
  vm.free(copy);
  vm.free(rejected);
  const source = vm.evalScript("String(function f(x) { return x })");
  if (vm.strings.read(source) !== "function f(x) { return x }") fail("functions do not keep their text");
  vm.free(source);
  const text = vm.evalScript('"read in place"');
  if (vm.strings.read(text) !== "read in place") fail("the text of a string is not where it should be");
  vm.free(text);
  const figures = () => {
    const { runtime, context } = vm.roots;
    return [runtime + MALLOC_COUNT, runtime + MALLOC_SIZE, context].map((it) => at(vm.words(), it)).join();
  };
  const dropOne = () => {
    vm.free(vm.evalScript("Promise.resolve().then(() => {})"));
    if (!vm.hasJobs) fail("a job was not queued");
    dropJobs(vm);
    if (vm.hasJobs) fail("the job list is not where it should be");
  };
  // The first run may leave names behind that the engine keeps.
  dropOne();
  const before = figures();
  dropOne();
  if (figures() !== before) fail("a job is not laid out as it should be");
  return layout;
}

/**
 * Empties the job queue: what a stopped eval left behind never runs. What only the jobs held is freed; should that
 * queue more of them (a finalization callback), they go the same way.
 */
export function dropJobs(vm: Vm): void {
  const head = vm.roots.runtime + JOBS;
  for (;;) {
    const words = vm.words();
    const job = at(words, head + 4);
    if (job === head) return;
    unlink(words, job);
    const count = at(words, job + JOB_ARGUMENT_COUNT);
    const realm = at(words, job + JOB_REALM);
    for (let index = 0; index < count; index++) vm.freeStored(job + JOB_ARGUMENTS + 8 * index);
    vm.freeBlock(job);
    // What the engine does when a job has run: one reference to the realm less, one allocation less.
    add(vm.words(), realm, -1);
    add(vm.words(), vm.roots.runtime + MALLOC_COUNT, -1);
    add(vm.words(), vm.roots.runtime + MALLOC_SIZE, -COUNTED_BYTES);
  }
}

/**
 * Takes everything there is out of the list that the garbage collector and the search for rejections walk: neither
 * visits the prelude and the built-ins again. To the collector, what is not in the list is held from outside; each
 * link points at itself, so that an object whose last reference goes is still freed. Only a cycle among them that
 * guest code cuts off is kept.
 */
export function makeImmortal(vm: Vm): void {
  const words = vm.words();
  const head = vm.roots.runtime + GC_OBJECTS;
  let link = at(words, head + 4);
  while (link !== head) {
    const next = at(words, link + 4);
    words[link >> 2] = link;
    words[(link + 4) >> 2] = link;
    link = next;
  }
  words[head >> 2] = head;
  words[(head + 4) >> 2] = head;
}

function unlink(words: Uint32Array, link: Address): void {
  const previous = at(words, link);
  const next = at(words, link + 4);
  words[(previous + 4) >> 2] = next;
  words[next >> 2] = previous;
}

const at = (words: Uint32Array, address: Address): number => words[address >> 2] as number;
const add = (words: Uint32Array, address: Address, difference: number): void => {
  words[address >> 2] = at(words, address) + difference;
};

/**
 * Addresses of the reasons of all rejected promises without a handler. Each is reported once: the promise is marked
 * as handled. Walks all objects: about 1 ms per 100 000.
 */
export function unhandledRejections(vm: Vm, layout: HeapLayout): Address[] {
  const words = vm.words();
  const head = vm.roots.runtime + GC_OBJECTS;
  const found: Address[] = [];
  for (let link = at(words, head + 4); link !== head; link = at(words, link + 4)) {
    const object = link - LINK;
    // Kind and class share a word: the kind of an object is 0.
    const header = at(words, object + KIND);
    if (header >>> 16 !== layout.promiseClass || (header & 15) !== 0) continue;
    const data = at(words, object + OBJECT_DATA);
    if (data === 0 || at(words, data + PROMISE_STATE) !== REJECTED) continue;
    if (at(words, data + PROMISE_HANDLED) !== 0) continue;
    words[(data + PROMISE_HANDLED) >> 2] = 1;
    found.push(data + PROMISE_RESULT);
  }
  return found;
}

/** The memory of a buffer, until guest code or the allocator runs again; undefined for what is no buffer. */
export function bufferBytes(
  vm: Vm,
  value: Address,
  { bufferClasses }: HeapLayout,
): Uint8Array<ArrayBuffer> | undefined {
  if (!bufferClasses.includes(classId(vm, value) ?? -1)) return undefined;
  const words = vm.words();
  const data = at(words, at(words, value) + OBJECT_DATA);
  // A buffer that was detached has neither length nor memory.
  return new Uint8Array(vm.memory.buffer, at(words, data + BUFFER_DATA), at(words, data + BUFFER_LENGTH));
}

/** The engine's class id of the object a `JSValue` at this address refers to; `undefined` for primitives. */
export function classId(vm: Vm, value: Address): number | undefined {
  const words = vm.words();
  if (at(words, value + 4) !== TAG_OBJECT) return undefined;
  return at(words, at(words, value) + KIND) >>> 16;
}
