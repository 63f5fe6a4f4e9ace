import { defineConstant, defineData } from "../define-data.js";
import {
  NativeTypeError,
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptor,
  ReflectOwnKeys,
  SymbolToStringTag,
} from "../primordials.js";

/** Defines a built-in the way the language does: writable, configurable, not enumerable. */
export function defineBuiltin(owner: object, name: PropertyKey, value: unknown): void {
  defineData(owner, name, value, false);
}

/** Copies the methods and accessors of an object literal. Written in a literal they have the right name and no `prototype`. */
export function defineMethods(owner: object, methods: object): void {
  const names = ReflectOwnKeys(methods);
  for (let i = 0; i < names.length; i++) {
    const descriptor = ObjectGetOwnPropertyDescriptor(methods, names[i]!)!;
    ObjectDefineProperty(owner, names[i]!, { ...descriptor, enumerable: false });
  }
}

/** Puts a class on the global object. The name is set here because a bundler renames what shadows a global. */
export function defineClass(
  owner: object,
  name: string,
  type: abstract new (...args: never[]) => unknown,
  tag: string = name,
): void {
  defineConstant(type, "name", name);
  defineConstant(type.prototype as object, SymbolToStringTag, tag);
  defineBuiltin(owner, name, type);
}

/** The check Web IDL makes first; the message has the form of the browsers'. */
export function requireArguments(what: string, count: number, least: number): void {
  if (count < least)
    throw new NativeTypeError(
      `${what}: ${least} argument${least === 1 ? "" : "s"} required, but only ${count} present.`,
    );
}
