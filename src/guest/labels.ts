/** Labels: what one look at an object tells, without going into it. */
import {
  className,
  dateISO,
  dateTime,
  functionKind,
  functionName,
  inheritedData,
  kindOf,
  ownData,
  prototypeOf,
  regExpFlags,
  regExpSource,
  typedArrayLength,
  typedArrayName,
} from "./brands.js";
import { errorHeader } from "./error-header.js";
import {
  MapSize,
  NumberIsNaN,
  ObjectGetOwnPropertyDescriptor,
  ReflectOwnKeys,
  SetSize,
  SymbolToStringTag,
} from "./primordials.js";
import { oneLine } from "./quote.js";

const MAX_GLOBAL_NAMES = 30;
export const globalObject: object = globalThis;

export function nameOr(value: object, otherwise: string): string {
  return oneLine(className(value) || otherwise, 80);
}

export function instanceName(value: object): string {
  const name = nameOr(value, "Object");
  const tag = inheritedData(value, SymbolToStringTag);
  return typeof tag === "string" && tag !== "" && tag !== name ? `${name} [${oneLine(tag, 80)}]` : name;
}

/** Empty for plain data; `Object [Math] ` where the object says that it is something else. */
export function plainPrefix(value: object): string {
  const tag = ownData(value, SymbolToStringTag);
  return typeof tag === "string" && tag !== "" ? `Object [${oneLine(tag, 80)}] ` : "";
}

export function iteratorName(value: object): string {
  const tag = inheritedData(value, SymbolToStringTag);
  return typeof tag === "string" && tag !== "" ? oneLine(tag, 80) : nameOr(value, "Iterator");
}

/** `Name(size) [Map] `: the class where it is not the built-in one. */
export function collectionName(value: object, builtin: string, size: number): string {
  const name = nameOr(value, builtin);
  return name === builtin ? `${builtin}(${size}) ` : `${name}(${size}) [${builtin}] `;
}

export function arrayPrefix(value: object): string {
  const name = prototypeOf(value) === null ? "[Array: null prototype]" : nameOr(value, "Array");
  return name === "Array" || name === "Object" ? "" : `${name}(${(value as unknown[]).length}) `;
}

export function typedArrayHead(value: object): string {
  const builtin = typedArrayName(value) as string;
  const name = nameOr(value, builtin);
  return name === builtin
    ? `${builtin}(${typedArrayLength(value)})`
    : `${name}(${typedArrayLength(value)}) [${builtin}]`;
}

export function summary(value: unknown): string {
  if (typeof value === "function") return kindOf(value) === "proxy" ? "[Proxy]" : functionLabel(value);
  if (typeof value !== "object" || value === null) return `[${typeof value}]`;
  switch (kindOf(value)) {
    case "proxy":
      return "[Proxy]";
    case "array":
      return `[Array(${(value as unknown[]).length})]`;
    case "map":
      return `[Map(${MapSize(value)})]`;
    case "set":
      return `[Set(${SetSize(value)})]`;
    case "typed-array":
      return `[${typedArrayHead(value)}]`;
    case "error":
      return `[${oneLine(errorHeader(value), 80)}]`;
    default:
      return `[${nameOr(value, "Object")}: ${ReflectOwnKeys(value).length} keys]`;
  }
}

export function functionLabel(value: object): string {
  const kind = functionKind(value);
  const name = oneLine(functionName(value), 80);
  if (kind !== "class") return `[${kind}${name === "" ? " (anonymous)" : `: ${name}`}]`;
  const base = prototypeOf(value);
  const baseName = typeof base === "function" && kindOf(base) === "function" ? functionName(base) : "";
  const extending = baseName === "" ? "" : ` extends ${oneLine(baseName, 80)}`;
  return `[class ${name === "" ? "(anonymous)" : name}${extending}]`;
}

export function dateText(value: object): string {
  const time = dateTime(value);
  return NumberIsNaN(time) ? "Invalid Date" : dateISO(value);
}

export function regExpText(value: object): string {
  return `/${oneLine(regExpSource(value), 400)}/${regExpFlags(value)}`;
}

export function globalText(): string {
  const keys = ReflectOwnKeys(globalObject);
  let names = "";
  let more = 0;
  let shown = 0;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    if (typeof key !== "string" || !isEnumerable(globalObject, key)) continue;
    if (shown++ < MAX_GLOBAL_NAMES) names += `${names === "" ? ": " : ", "}${oneLine(key, 40)}`;
    else more++;
  }
  return `[globalThis${names}${more > 0 ? ` and ${more} more` : ""}]`;
}

function isEnumerable(owner: object, key: PropertyKey): boolean {
  const descriptor = ObjectGetOwnPropertyDescriptor(owner, key);
  return descriptor?.enumerable === true;
}
