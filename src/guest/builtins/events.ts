/** `Event` and `EventTarget` as far as a program without a document can use them. */
import {
  ArrayPush,
  ArraySlice,
  MapGet,
  MapSet,
  NativeMap,
  NativePromise,
  NativeString,
  NativeTypeError,
  ReflectApply,
} from "../primordials.js";
import { defineClass, requireArguments } from "./define.js";
import { GuestDOMException } from "./dom-exception.js";
import { ArraySplice } from "./intrinsics.js";

type Listener = ((event: GuestEvent) => unknown) | { handleEvent(event: GuestEvent): unknown };
interface Registration {
  readonly listener: Listener;
  readonly once: boolean;
  readonly capture: boolean;
  removed: boolean;
}

let setTarget: (event: GuestEvent, target: unknown) => void;
let setCurrent: (event: GuestEvent, target: unknown) => void;
let isStopped: (event: GuestEvent) => boolean;
let isCanceled: (event: GuestEvent) => boolean;
let beginDispatch: (event: GuestEvent) => boolean;
let isEvent: (value: unknown) => boolean;
let eventType: (event: GuestEvent) => string;
/** These are for events of the prelude itself: they work whatever the guest did to the public methods. */
export let listen: (target: GuestEventTarget, type: string, listener: Listener) => void;
let isTarget: (value: unknown) => value is GuestEventTarget;
export let dispatch: (target: GuestEventTarget, event: GuestEvent) => void;

/** `timeStamp` is always 0: there is no clock. */
export class GuestEvent {
  readonly #type: string;
  readonly #bubbles: boolean;
  readonly #cancelable: boolean;
  #target: unknown = null;
  #current: unknown = null;
  #stopped = false;
  #canceled = false;

  constructor(type: unknown, options: { bubbles?: unknown; cancelable?: unknown } = {}) {
    requireArguments("Event", arguments.length, 1);
    this.#type = NativeString(type);
    this.#bubbles = !!options?.bubbles;
    this.#cancelable = !!options?.cancelable;
  }

  static {
    setTarget = (event, target) => {
      event.#target = target;
    };
    setCurrent = (event, target) => {
      event.#current = target;
    };
    isEvent = (value) => typeof value === "object" && value !== null && #type in value;
    eventType = (event) => event.#type;
    isStopped = (event) => event.#stopped;
    isCanceled = (event) => event.#canceled;
    beginDispatch = (event) => {
      event.#stopped = false;
      return event.#current === null;
    };
  }

  get type(): string {
    return this.#type;
  }
  get target(): unknown {
    return this.#target;
  }
  get currentTarget(): unknown {
    return this.#current;
  }
  get bubbles(): boolean {
    return this.#bubbles;
  }
  get cancelable(): boolean {
    return this.#cancelable;
  }
  get defaultPrevented(): boolean {
    return this.#canceled;
  }
  get timeStamp(): number {
    return 0;
  }
  get isTrusted(): boolean {
    return false;
  }
  preventDefault(): void {
    if (this.#cancelable) this.#canceled = true;
  }
  stopPropagation(): void {}
  stopImmediatePropagation(): void {
    this.#stopped = true;
  }
}

class GuestCustomEvent extends GuestEvent {
  readonly #detail: unknown;
  constructor(type: unknown, options: { bubbles?: unknown; cancelable?: unknown; detail?: unknown } = {}) {
    super(type, options);
    this.#detail = options?.detail ?? null;
  }
  get detail(): unknown {
    return this.#detail;
  }
}

export class GuestEventTarget {
  readonly #listeners = new NativeMap<string, Registration[]>();

  static {
    isTarget = (value): value is GuestEventTarget =>
      typeof value === "object" && value !== null && #listeners in value;
    listen = (target, type, listener) =>
      target.#add(type, { listener, capture: false, once: false, removed: false });
    dispatch = (target, event) => {
      setTarget(event, target);
      setCurrent(event, target);
      const all = MapGet(target.#listeners, eventType(event));
      // Listeners added while the event is dispatched do not hear it.
      const now = all === undefined ? [] : ArraySlice(all);
      for (let i = 0; i < now.length && !isStopped(event); i++) {
        const registration = now[i]!;
        if (registration.removed) continue;
        if (registration.once) target.#remove(eventType(event), registration);
        callListener(registration.listener, target, event);
      }
      setCurrent(event, null);
    };
  }

  addEventListener(type: unknown, listener: Listener | null, options?: unknown): void {
    requireArguments("addEventListener", arguments.length, 2);
    if (listener === null || listener === undefined) return;
    if (typeof listener !== "function" && typeof listener !== "object")
      throw new NativeTypeError("addEventListener: the listener must be a function or an object");
    const given = (typeof options === "object" && options !== null ? options : {}) as {
      once?: unknown;
      capture?: unknown;
      signal?: { aborted?: unknown };
    };
    if (given.signal?.aborted) return;
    const name = NativeString(type);
    const capture = typeof options === "boolean" ? options : !!given.capture;
    const registration: Registration = { listener, capture, once: !!given.once, removed: false };
    if (!this.#add(name, registration)) return;
    if (isTarget(given.signal)) listen(given.signal, "abort", () => this.#remove(name, registration));
  }

  #add(name: string, registration: Registration): boolean {
    let list = MapGet(this.#listeners, name);
    if (list === undefined) {
      list = [];
      MapSet(this.#listeners, name, list);
    }
    for (let i = 0; i < list.length; i++)
      if (list[i]!.listener === registration.listener && list[i]!.capture === registration.capture)
        return false;
    ArrayPush(list, registration);
    return true;
  }

  removeEventListener(type: unknown, listener: Listener | null, options?: unknown): void {
    const name = NativeString(type);
    const capture =
      typeof options === "object" && options !== null
        ? !!(options as { capture?: unknown }).capture
        : !!options;
    const list = MapGet(this.#listeners, name) ?? [];
    for (let i = 0; i < list.length; i++) {
      if (list[i]!.listener !== listener || list[i]!.capture !== capture) continue;
      this.#remove(name, list[i]!);
      return;
    }
  }

  #remove(name: string, registration: Registration): void {
    registration.removed = true;
    const list = MapGet(this.#listeners, name)!;
    for (let i = 0; i < list.length; i++) if (list[i] === registration) ArraySplice(list, i, 1);
  }

  dispatchEvent(event: GuestEvent): boolean {
    requireArguments("dispatchEvent", arguments.length, 1);
    if (!isEvent(event)) throw new NativeTypeError("dispatchEvent: the argument must be an Event");
    if (!beginDispatch(event))
      throw new GuestDOMException("The event is already being dispatched.", "InvalidStateError");
    dispatch(this, event);
    return !isCanceled(event);
  }
}

/** A listener that throws stops neither the others nor the one who dispatches; it becomes an unhandled rejection. */
function callListener(listener: Listener, target: unknown, event: GuestEvent): void {
  try {
    if (typeof listener === "function") ReflectApply(listener, target, [event]);
    else listener.handleEvent(event);
  } catch (error) {
    reportError(error);
  }
}

export function reportError(error: unknown): void {
  new NativePromise((_resolve, reject) => reject(error));
}

export function installEvents(): void {
  defineClass(globalThis, "Event", GuestEvent);
  defineClass(globalThis, "CustomEvent", GuestCustomEvent);
  defineClass(globalThis, "EventTarget", GuestEventTarget);
}
