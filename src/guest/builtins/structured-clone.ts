/** `structuredClone` of the HTML standard, without recursion: a deep structure must not overflow the stack. */
import {
  arrayBufferLength,
  boxedValue,
  dataViewBuffer,
  dataViewLength,
  dataViewOffset,
  dateTime,
  functionName,
  kindOf,
  regExpFlags,
  regExpSource,
  typedArrayBuffer,
  typedArrayLength,
  typedArrayName,
  typedArrayOffset,
} from "../brands.js";
import { defineConstant, defineData } from "../define-data.js";
import { errorClass } from "../error-classes.js";
import {
  ArrayIsArray,
  ArrayPop,
  ArrayPush,
  MapForEach,
  MapGet,
  MapSet,
  NativeArrayBuffer,
  NativeDate,
  NativeError,
  NativeMap,
  NativeRegExp,
  NativeSet,
  NativeTypeError,
  NativeUint8Array,
  ObjectGetOwnPropertyDescriptor,
  ObjectHasOwn,
  ObjectKeys,
  ReflectConstruct,
  SetAdd,
  SetForEach,
  SetSize,
} from "../primordials.js";
import { viewClass } from "../view-classes.js";
import { defineBuiltin, requireArguments } from "./define.js";
import { GuestDOMException } from "./dom-exception.js";
import {
  ArrayBufferDetached,
  ArrayBufferMaxByteLength,
  ArrayBufferResizable,
  ArrayBufferTransfer,
  NativeDataView,
  NativeObject,
  TypedArraySet,
} from "./intrinsics.js";

/** What has state that a copy could not have. */
const uncloneable = {
  __proto__: null,
  proxy: "A proxy",
  promise: "A promise",
  iterator: "An iterator or generator",
  opaque: "A WeakMap, WeakSet or WeakRef",
  "shared-buffer": "A SharedArrayBuffer",
  module: "A module namespace",
  arguments: "An arguments object",
} as unknown as Record<string, string | undefined>;

const refuse = (what: string) => new GuestDOMException(`${what} could not be cloned.`, "DataCloneError");

class Cloning {
  readonly #copies = new NativeMap<object, object>();
  /** Objects whose contents are still to be copied. */
  readonly #open: object[] = [];
  readonly #transferred: Map<object, ArrayBuffer> | undefined;
  /** Where views lie in their buffers: once a buffer is detached its views no longer tell. */
  readonly #places: Map<object, { at: number; length: number }> | undefined;
  /** A first pass that only finds out whether everything can be cloned, so that a refusal detaches nothing. */
  readonly #dry: boolean;

  constructor(options: {
    dry?: boolean;
    places?: Map<object, { at: number; length: number }>;
    transferred?: Map<object, ArrayBuffer>;
  }) {
    this.#transferred = options.transferred;
    this.#places = options.places;
    this.#dry = options.dry ?? false;
  }

  run(root: unknown): unknown {
    const result = this.#clone(root);
    while (this.#open.length > 0) {
      const source = ArrayPop(this.#open)!;
      this.#fill(source, MapGet(this.#copies, source)!);
    }
    return result;
  }

  #clone(value: unknown): unknown {
    if (typeof value === "symbol") throw refuse("A symbol");
    if (typeof value === "function") throw refuse(`The function ${functionName(value) || "(anonymous)"}`);
    if (typeof value !== "object" || value === null) return value;
    const known = MapGet(this.#copies, value);
    if (known !== undefined) return known;
    const copy = this.#shell(value);
    MapSet(this.#copies, value, copy);
    return copy;
  }

  #shell(value: object): object {
    const kind = kindOf(value);
    const refused = uncloneable[kind];
    if (refused !== undefined) throw refuse(refused);
    switch (kind) {
      case "error":
        return this.#error(value as Error);
      case "typed-array":
      case "data-view":
        return this.#view(value as ArrayBufferView);
      case "array-buffer":
        return this.#buffer(value as ArrayBuffer);
      case "date":
        return new NativeDate(dateTime(value));
      case "regexp":
        return new NativeRegExp(regExpSource(value), regExpFlags(value));
      case "boxed": {
        const primitive = boxedValue(value);
        if (typeof primitive === "symbol") throw refuse("A Symbol object");
        return NativeObject(primitive) as object;
      }
    }
    ArrayPush(this.#open, value);
    if (kind === "map") return new NativeMap();
    if (kind === "set") return new NativeSet();
    if (kind !== "array") return {};
    const copy: unknown[] = [];
    copy.length = (value as unknown[]).length;
    return copy;
  }

  #fill(source: object, target: object): void {
    const kind = kindOf(source);
    if (kind === "map") {
      const entries: [unknown, unknown][] = [];
      MapForEach(source as Map<unknown, unknown>, (value, key) => {
        ArrayPush(entries, [key, value]);
      });
      for (let i = 0; i < entries.length; i++)
        MapSet(target as Map<unknown, unknown>, this.#clone(entries[i]![0]), this.#clone(entries[i]![1]));
    } else if (kind === "set") {
      const items: unknown[] = [];
      SetForEach(source as Set<unknown>, (item) => {
        ArrayPush(items, item);
      });
      for (let i = 0; i < items.length; i++) SetAdd(target as Set<unknown>, this.#clone(items[i]));
    } else {
      const keys = ObjectKeys(source);
      for (let i = 0; i < keys.length; i++) {
        const key = keys[i]!;
        // A getter that ran for an earlier key may have removed this one.
        if (!ObjectHasOwn(source, key)) continue;
        defineData(target, key, this.#clone((source as Record<string, unknown>)[key]), true);
      }
    }
  }

  #error(value: Error): object {
    const name = value.name;
    // The standard knows no AggregateError.
    const isKnown = typeof name === "string" && name !== "AggregateError";
    const type = (isKnown && errorClass(name)) || NativeError;
    const copy = ReflectConstruct(type, []) as Error;
    const message = ObjectGetOwnPropertyDescriptor(value, "message");
    if (message !== undefined && "value" in message) defineBuiltin(copy, "message", `${message.value}`);
    const stack = ObjectGetOwnPropertyDescriptor(value, "stack");
    if (stack !== undefined && typeof stack.value === "string") defineBuiltin(copy, "stack", stack.value);
    const cause = ObjectGetOwnPropertyDescriptor(value, "cause");
    if (cause !== undefined && "value" in cause) {
      // Known before its cause is copied: an error may be its own cause.
      MapSet(this.#copies, value, copy);
      defineBuiltin(copy, "cause", this.#clone(cause.value));
    }
    return copy;
  }

  #buffer(value: ArrayBuffer): ArrayBuffer {
    const moved = this.#transferred === undefined ? undefined : MapGet(this.#transferred, value);
    if (moved !== undefined) return moved;
    if (ArrayBufferDetached(value)) throw refuse("A detached ArrayBuffer");
    const length = this.#dry ? 0 : arrayBufferLength(value);
    const options = ArrayBufferResizable(value)
      ? { maxByteLength: ArrayBufferMaxByteLength(value) }
      : undefined;
    const copy = new (NativeArrayBuffer as new (length: number, options?: object) => ArrayBuffer)(
      length,
      options,
    );
    if (length > 0) TypedArraySet(new NativeUint8Array(copy), new NativeUint8Array(value, 0, length));
    return copy;
  }

  #view(value: ArrayBufferView): object {
    const tag = typedArrayName(value) as string | undefined;
    const source = tag === undefined ? dataViewBuffer(value) : typedArrayBuffer(value);
    if (kindOf(source) !== "array-buffer") throw refuse("A view of shared memory");
    const place = (this.#places && MapGet(this.#places, value)) ?? {
      at: tag === undefined ? dataViewOffset(value) : typedArrayOffset(value),
      length: tag === undefined ? dataViewLength(value) : typedArrayLength(value),
    };
    const buffer = this.#clone(source);
    if (this.#dry) {
      if (this.#places) MapSet(this.#places, value, place);
      return {};
    }
    if (tag === undefined) return new NativeDataView(buffer as ArrayBuffer, place.at, place.length);
    return new (viewClass(tag))(buffer as ArrayBuffer, place.at, place.length);
  }
}

function transferList(options: { transfer?: unknown } | null | undefined): ArrayBuffer[] {
  const list = options?.transfer;
  if (list === undefined) return [];
  if (!ArrayIsArray(list)) throw new NativeTypeError("structuredClone: transfer must be an array");
  const seen = new NativeSet<unknown>();
  for (let i = 0; i < list.length; i++) {
    const item: unknown = list[i];
    const isBuffer = typeof item === "object" && item !== null && kindOf(item) === "array-buffer";
    if (!isBuffer)
      throw new GuestDOMException("Only an ArrayBuffer can be transferred here.", "DataCloneError");
    if (ArrayBufferDetached(item))
      throw new GuestDOMException("A detached ArrayBuffer cannot be transferred.", "DataCloneError");
    SetAdd(seen, item);
    if (SetSize(seen) !== i + 1)
      throw new GuestDOMException("An ArrayBuffer is in the transfer list twice.", "DataCloneError");
  }
  return list as ArrayBuffer[];
}

const methods = {
  structuredClone(value: unknown, options?: { transfer?: unknown }): unknown {
    requireArguments("structuredClone", arguments.length, 1);
    const list = transferList(options);
    if (list.length === 0) return new Cloning({}).run(value);
    const places = new NativeMap<object, { at: number; length: number }>();
    new Cloning({ dry: true, places }).run(value);
    const transferred = new NativeMap<object, ArrayBuffer>();
    for (let i = 0; i < list.length; i++) MapSet(transferred, list[i]!, ArrayBufferTransfer(list[i]!));
    return new Cloning({ places, transferred }).run(value);
  },
};

export function installStructuredClone(): void {
  defineConstant(methods.structuredClone, "length", 1);
  defineBuiltin(globalThis, "structuredClone", methods.structuredClone);
}
