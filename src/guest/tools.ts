/**
 * `tools` and the global host functions such as `task`. The object holds no list of its own: names are asked of the
 * host when they are used, so a heap that is restored elsewhere sees the tools of that place.
 */
import { defineConstant } from "./define-data.js";
import { askHost } from "./host.js";
import { newList } from "./lists.js";
import { callHostFunction } from "./pending.js";
import { definePermanent } from "./permanent-globals.js";
import {
  ArrayPush,
  FunctionApply,
  JSONParse,
  MapClear,
  MapForEach,
  MapGet,
  MapHas,
  MapSet,
  NativeMap,
  NativePromise,
  NativeProxy,
  NativeReferenceError,
  NativeTypeError,
  ObjectCreate,
  ObjectFreeze,
} from "./primordials.js";

type GuestFunction = (...args: unknown[]) => Promise<unknown>;

const functions = new NativeMap<string, GuestFunction>();

/** One function object per name, so that `tools.a === tools.a`. */
function hostFunction(name: string, label: string): GuestFunction {
  const known = MapGet(functions, label);
  if (known) return known;
  const made = {
    // A method has no `prototype` and cannot be constructed, like a built-in function.
    call(...args: unknown[]): Promise<unknown> {
      if (args.length > 1) {
        return FunctionApply(reject, undefined, [
          new NativeTypeError(
            `${label} takes one argument, an object with its inputs, but was given ${args.length}.`,
          ),
        ]) as Promise<unknown>;
      }
      return callHostFunction(name, label, args[0]);
    },
  }.call;
  defineConstant(made, "name", name);
  defineConstant(made, "length", 1);
  ObjectFreeze(made);
  MapSet(functions, label, made);
  return made;
}

const reject = (reason: unknown): Promise<never> => new NativePromise<never>((_, refuse) => refuse(reason));

/** Those this eval has asked for and found: a program calls the same few in loops. */
const found = new NativeMap<string, GuestFunction>();

function hasTool(name: string): boolean {
  return MapHas(found, name) || askHost("has-tool", name) === "1";
}

function toolFunction(name: string): GuestFunction | undefined {
  const known = MapGet(found, name);
  if (known || !hasTool(name)) return known;
  const made = hostFunction(name, `tools.${name}`);
  MapSet(found, name, made);
  return made;
}

/** Reads are answered by the host; writes are ignored, or refused in strict mode, as for a frozen object. */
const tools: object = new NativeProxy(
  ObjectCreate(null) as object,
  {
    __proto__: null,
    get: (_target: object, key: string | symbol) => (typeof key === "string" ? toolFunction(key) : undefined),
    has: (_target: object, key: string | symbol) => typeof key === "string" && hasTool(key),
    ownKeys: () => {
      const names = JSONParse(askHost("tools", "")) as string[];
      const keys = newList<string>();
      for (let index = 0; index < names.length; index++) ArrayPush(keys, names[index]);
      return keys;
    },
    getOwnPropertyDescriptor: (_target: object, key: string | symbol) => {
      const value = typeof key === "string" ? toolFunction(key) : undefined;
      if (value === undefined) return undefined;
      return { __proto__: null, value, enumerable: true, configurable: true, writable: false };
    },
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
    setPrototypeOf: () => false,
    preventExtensions: () => false,
  } as ProxyHandler<object>,
);

/**
 * What stands in the place of `tools` where one is called by its name (`transform/called-tools.ts`). There a name that
 * is no tool says so, with the nearest one; a mere look at `tools.x` has to answer `undefined`.
 */
const calledTools: object = new NativeProxy(
  ObjectCreate(null) as object,
  {
    __proto__: null,
    get: (_target: object, key: string | symbol) =>
      typeof key === "string" ? (toolFunction(key) ?? missingFunction(key)) : undefined,
  } as ProxyHandler<object>,
);

function missingFunction(name: string): () => never {
  return () => {
    throw new NativeTypeError(askHost("no-tool", name));
  };
}

let hasTools = false;
const offered = new NativeMap<string, GuestFunction | undefined>();

/** The name is only for the transform: code that calls a tool where there is no `tools` reads about `tools`. */
export function installCalledTools(): void {
  definePermanent("$called_tools", () => {
    if (!hasTools) throw new NativeReferenceError("'tools' is not defined");
    return calledTools;
  });
}

/**
 * Puts `tools` and the named global functions in place, whatever guest code did to the globals before. One that is
 * not offered any more is `undefined`.
 */
export function offerHostFunctions(withTools: boolean, names: string[]): void {
  MapClear(found);
  hasTools = withTools;
  if (withTools) offer("tools", () => (hasTools ? tools : undefined));
  MapForEach(offered, (_, name) => {
    MapSet(offered, name, undefined);
  });
  for (let index = 0; index < names.length; index++) {
    const name = names[index]!;
    MapSet(offered, name, hostFunction(name, name));
    offer(name, () => MapGet(offered, name));
  }
}

/** What the guest made permanent under that name is its own loss. */
export function offer(name: string, read: () => unknown): void {
  try {
    definePermanent(name, read);
  } catch {
    // A frozen global object takes no new names.
  }
}
