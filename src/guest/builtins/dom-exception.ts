import { defineConstant } from "../define-data.js";
import { NativeError, NativeString, ObjectCreate } from "../primordials.js";
import { defineBuiltin, defineClass } from "./define.js";

const codes: Record<string, number> = Object.assign(ObjectCreate(null), {
  IndexSizeError: 1,
  HierarchyRequestError: 3,
  WrongDocumentError: 4,
  InvalidCharacterError: 5,
  NoModificationAllowedError: 7,
  NotFoundError: 8,
  NotSupportedError: 9,
  InUseAttributeError: 10,
  InvalidStateError: 11,
  SyntaxError: 12,
  InvalidModificationError: 13,
  NamespaceError: 14,
  InvalidAccessError: 15,
  TypeMismatchError: 17,
  SecurityError: 18,
  NetworkError: 19,
  AbortError: 20,
  URLMismatchError: 21,
  QuotaExceededError: 22,
  TimeoutError: 23,
  InvalidNodeTypeError: 24,
  DataCloneError: 25,
});

/**
 * `name`, `message` and `code` are own data properties, not accessors as in browsers: what renders an error
 * never runs a getter and still has to show them.
 */
export class GuestDOMException extends NativeError {
  declare readonly code: number;

  constructor(message: string = "", nameOrOptions: string | { name?: string; cause?: unknown } = "Error") {
    super(`${message}`);
    let name = nameOrOptions as string;
    if (typeof nameOrOptions === "object" && nameOrOptions !== null) {
      name = nameOrOptions.name ?? "Error";
      if ("cause" in nameOrOptions) defineBuiltin(this, "cause", nameOrOptions.cause);
    }
    name = NativeString(name);
    defineBuiltin(this, "name", name);
    defineBuiltin(this, "code", codes[name] ?? 0);
  }
}

export function installDOMException(): void {
  defineClass(globalThis, "DOMException", GuestDOMException);
  const constants: [string, number][] = [
    ["INVALID_CHARACTER_ERR", 5],
    ["NOT_SUPPORTED_ERR", 9],
    ["INVALID_STATE_ERR", 11],
    ["SYNTAX_ERR", 12],
    ["ABORT_ERR", 20],
    ["QUOTA_EXCEEDED_ERR", 22],
    ["TIMEOUT_ERR", 23],
    ["DATA_CLONE_ERR", 25],
  ];
  for (let i = 0; i < constants.length; i++) {
    defineConstant(GuestDOMException, constants[i]![0], constants[i]![1]);
    defineConstant(GuestDOMException.prototype, constants[i]![0], constants[i]![1]);
  }
}
