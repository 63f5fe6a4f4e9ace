/** The error classes of the language, told by the names they had before guest code ran. */
import { newList } from "./lists.js";
import { NativeError, ObjectCreate } from "./primordials.js";

type ErrorClass = new (message?: string) => Error;

const classes: readonly ErrorClass[] = [
  NativeError,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
  AggregateError as unknown as ErrorClass,
];
const names: string[] = newList();
const byName = ObjectCreate(null) as Record<string, ErrorClass | undefined>;
for (let index = 0; index < classes.length; index++) {
  names[index] = classes[index]!.name;
  byName[names[index]!] = classes[index];
}

export function errorClass(name: string): ErrorClass | undefined {
  return byName[name];
}

/** The name of the class whose prototype this is; `undefined` for every other object. */
export function errorClassOf(prototype: unknown): string | undefined {
  for (let index = 0; index < classes.length; index++)
    if (classes[index]!.prototype === prototype) return names[index];
  return undefined;
}
