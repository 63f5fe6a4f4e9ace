/**
 * Looks into the engine's own structures, for the three things its API does not offer: dropping queued jobs, finding
 * rejected promises that nobody handled, and telling a promise or a proxy from a look-alike without running guest
 * code. Offsets are those of the pinned build; `findHeapLayout` finds the class ids and proves the offsets at every
 * base boot, so another build fails there and not later.
 */
import { EngineError } from "./errors.js";
import type { Address, Vm } from "./vm.js";

/** `JSRuntime.gc_obj_list` and `JSRuntime.job_list`: heads of doubly linked lists (prev, next). */
const GC_OBJECTS = 80;
const JOBS = 168;
/** `JSRuntime.malloc_gc_threshold`: creating an object beyond it collects garbage first. */
const GC_THRESHOLD = 108;
/** In `JSGCObjectHeader`: kind in the low four bits of byte 4, `class_id` of an object at 6, list link at 8. */
const KIND = 4;
const CLASS_ID = 6;
const LINK = 8;
/** `JSObject.u`: for a promise the pointer to its `JSPromiseData`. */
const OBJECT_DATA = 32;
/** In `JSPromiseData`. */
const PROMISE_STATE = 0;
const PROMISE_HANDLED = 20;
const PROMISE_RESULT = 24;
const REJECTED = 2;
const TAG_OBJECT = 0xffffffff;

export interface HeapLayout {
  readonly promiseClass: number;
  readonly proxyClass: number;
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
  const layout = { promiseClass: classOf("new Promise(() => {})"), proxyClass: classOf("new Proxy({}, {})") };
  const rejected = vm.evalScript("Promise.reject(12345)");
  const found = unhandledRejections(vm, layout);
  if (found.length !== 1) fail(`${found.length} unhandled rejections found instead of 1`);
  const copy = vm.duplicate(found[0] ?? 0);
  if (vm.readString(copy) !== "12345") fail("the reason of a rejection is not where it should be");
  vm.free(copy);
  vm.free(rejected);
  vm.free(vm.evalScript("Promise.resolve().then(() => {})"));
  if (!vm.hasJobs) fail("a job was not queued");
  dropJobs(vm);
  if (vm.hasJobs) fail("the job list is not where it should be");
  return layout;
}

/**
 * Collects garbage now. Every collection puts the engine's list of objects into the order it meets them in, which is
 * the same each time: after one in the base image, later ones rewrite few of its pages.
 */
export function collectGarbage(vm: Vm): void {
  new DataView(vm.memory.buffer).setUint32(vm.roots.runtime + GC_THRESHOLD, 0, true);
  vm.free(vm.evalScript("({})"));
}

/**
 * Empties the job queue: what a stopped eval left behind never runs. The jobs' own memory (a few dozen bytes each,
 * and what they hold) stays allocated.
 */
export function dropJobs(vm: Vm): void {
  const view = new DataView(vm.memory.buffer);
  const head = vm.roots.runtime + JOBS;
  view.setUint32(head, head, true);
  view.setUint32(head + 4, head, true);
}

/**
 * Addresses of the reasons of all rejected promises without a handler. Each is reported once: the promise is marked
 * as handled. Walks all objects: about 1 ms per 100 000.
 */
export function unhandledRejections(vm: Vm, layout: HeapLayout): Address[] {
  const view = new DataView(vm.memory.buffer);
  const head = vm.roots.runtime + GC_OBJECTS;
  const found: Address[] = [];
  for (let link = view.getUint32(head + 4, true); link !== head; link = view.getUint32(link + 4, true)) {
    const object = link - LINK;
    if (
      view.getUint16(object + CLASS_ID, true) !== layout.promiseClass ||
      (view.getUint8(object + KIND) & 15) !== 0
    )
      continue;
    const data = view.getUint32(object + OBJECT_DATA, true);
    if (data === 0 || view.getUint32(data + PROMISE_STATE, true) !== REJECTED) continue;
    if (view.getUint32(data + PROMISE_HANDLED, true) !== 0) continue;
    view.setUint32(data + PROMISE_HANDLED, 1, true);
    found.push(data + PROMISE_RESULT);
  }
  return found;
}

/** The engine's class id of the object a `JSValue` at this address refers to; `undefined` for primitives. */
export function classId(vm: Vm, value: Address): number | undefined {
  const view = new DataView(vm.memory.buffer);
  if (view.getUint32(value + 4, true) !== TAG_OBJECT) return undefined;
  return view.getUint16(view.getUint32(value, true) + CLASS_ID, true);
}
