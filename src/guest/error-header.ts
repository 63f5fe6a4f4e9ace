/** Name and message of an error, read as data. */
import { className, inheritedData, ownData } from "./brands.js";
import { ErrorPrototype, ObjectGetPrototypeOf, ObjectHasOwn } from "./primordials.js";
import { isProxy } from "./proxies.js";

/**
 * The `name` an error has as data. Where the class did not set one, `Error` and the like are inherited from the
 * engine, and the name of the class says more.
 */
export function errorName(error: object): string {
  const name = inheritedData(error, "name");
  const known = typeof name === "string" && name !== "" ? name : "Error";
  if (namedByEngine(error)) return className(error) || known;
  return known;
}

function namedByEngine(error: object): boolean {
  let owner: object | null = error;
  for (let i = 0; i < 32 && owner !== null && !isProxy(owner); i++) {
    if (ObjectHasOwn(owner, "name"))
      return owner === ErrorPrototype || ObjectGetPrototypeOf(owner) === ErrorPrototype;
    owner = ObjectGetPrototypeOf(owner) as object | null;
  }
  return true;
}

export function errorMessage(error: object): string {
  const message = inheritedData(error, "message");
  return typeof message === "string" ? message : "";
}

/** `Name: message`, or the name alone. */
export function errorHeader(error: object): string {
  const message = errorMessage(error);
  return message === "" ? errorName(error) : `${errorName(error)}: ${message}`;
}

/** Own properties every error has, shown elsewhere or not worth showing. */
export function isStandardErrorKey(key: string): boolean {
  switch (key) {
    case "name":
    case "message":
    case "stack":
    case "fileName":
    case "lineNumber":
    case "columnNumber":
      return true;
    default:
      return false;
  }
}

export function errorStack(error: object): string {
  const stack = ownData(error, "stack");
  return typeof stack === "string" ? stack : "";
}
