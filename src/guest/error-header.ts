/** Name and message of an error, read as data. */
import { className, inheritedData, ownData } from "./brands.js";
import { errorClassOf } from "./error-classes.js";
import { ObjectGetPrototypeOf, ObjectHasOwn } from "./primordials.js";
import { isProxy } from "./proxies.js";

/**
 * The `name` an error has as data. Where nobody set one, it is inherited from the engine's class, and the name of the
 * error's own class says more.
 */
export function errorName(error: object): string {
  let owner: object | null = error;
  for (let i = 0; i < 32 && owner !== null && !isProxy(owner); i++) {
    if (ObjectHasOwn(owner, "name")) {
      const name = ownData(owner, "name");
      if (typeof name !== "string" || name === "") break;
      return (errorClassOf(owner) !== undefined && className(error)) || name;
    }
    owner = ObjectGetPrototypeOf(owner) as object | null;
  }
  return className(error) || "Error";
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
