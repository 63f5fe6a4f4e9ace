/**
 * `tools` and the global host functions such as `task`. The object holds no list of its own: names are asked of the
 * host when they are used, so a heap that is restored elsewhere sees the tools of that place.
 */
import { askHost } from "./host.js";
import { callHostFunction } from "./pending.js";
import {
  ArrayPush,
  FunctionApply,
  JSONParse,
  MapGet,
  MapSet,
  NativeMap,
  NativeProxy,
  NativeTypeError,
  ObjectCreate,
  ObjectDefineProperty,
  ObjectFreeze,
  ObjectGetOwnPropertyDescriptor,
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
  define(made, "name", name);
  define(made, "length", 1);
  ObjectFreeze(made);
  MapSet(functions, label, made);
  return made;
}

const reject = (reason: unknown): Promise<never> => new Promise((_, refuse) => refuse(reason));

function hasTool(name: string): boolean {
  return askHost("has-tool", name) === "1";
}

function toolFunction(name: string): GuestFunction | undefined {
  return hasTool(name) ? hostFunction(name, `tools.${name}`) : undefined;
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
      const keys: string[] = [];
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

let globalNames: string[] = [];

/**
 * Puts `tools` and the named global functions in place, whatever guest code did to the globals before, and takes
 * those away that are not offered any more.
 */
export function offerHostFunctions(hasTools: boolean, names: string[]): void {
  if (hasTools) reserve("tools", tools);
  else withdraw("tools", tools);
  for (let index = 0; index < globalNames.length; index++) {
    const name = globalNames[index]!;
    withdraw(name, MapGet(functions, name));
  }
  globalNames = names;
  for (let index = 0; index < names.length; index++)
    reserve(names[index]!, hostFunction(names[index]!, names[index]!));
}

const realm = globalThis;

/** Assignment to it is ignored; only the host's own definition replaces it. */
export function reserve(name: string, value: unknown): void {
  const current = ObjectGetOwnPropertyDescriptor(realm, name);
  if (current && current.value === value && !current.writable) return;
  define(realm, name, value);
}

function withdraw(name: string, value: unknown): void {
  const current = ObjectGetOwnPropertyDescriptor(realm, name);
  if (current && current.value === value) delete (realm as Record<string, unknown>)[name];
}

function define(target: object, key: string, value: unknown): void {
  const descriptor = ObjectCreate(null) as PropertyDescriptor;
  descriptor.value = value;
  descriptor.configurable = true;
  ObjectDefineProperty(target, key, descriptor);
}
