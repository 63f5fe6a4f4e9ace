/** Where `import` finds modules: what an app may give, and how a specifier becomes the key of a module. */
import { invalidOption } from "../errors.js";

/**
 * Answers the source of a module, or `undefined` when there is none. `importer` is the key of the module that imports
 * it, absent for an eval. Relative specifiers arrive resolved.
 */
export type ModuleLoader = (
  specifier: string,
  importer?: string,
) => string | undefined | Promise<string | undefined>;

/**
 * Modules that code may import: sources by specifier, or a loader. JavaScript and TypeScript; a key that ends in
 * `.json` holds JSON. They run in the sandbox, once per session.
 */
export type ModuleSource = Readonly<Record<string, string>> | ReadonlyMap<string, string> | ModuleLoader;

export interface FoundModule {
  /** What the module is known by in its session. */
  readonly key: string;
  readonly source: string;
}

/** What may be left out of a specifier, the most likely first. */
const ENDINGS = ["", ".ts", ".js", ".mjs", ".json", "/index.ts", "/index.js"];

export interface ModuleFinder {
  /** Specifiers that exist, where that is known. */
  readonly names: readonly string[] | undefined;
  /** Keys the specifier may stand for, to be compared with those that are loaded. */
  keys(specifier: string, importer: string | undefined): readonly string[];
  find(specifier: string, importer: string | undefined): Promise<FoundModule | undefined>;
}

/** @throws {TypeError} when it is neither a map of texts nor a function. */
export function moduleFinder(source: ModuleSource, option = "modules"): ModuleFinder {
  if (typeof source === "function") return loaderFinder(source);
  if (typeof source !== "object" || source === null)
    throw invalidOption(option, source, "an object or Map of sources by specifier, or a function");
  const entries = source instanceof Map ? [...source] : Object.entries(source);
  for (const [specifier, text] of entries) {
    if (typeof specifier !== "string" || specifier === "")
      throw invalidOption(`${option} key`, specifier, "a specifier, not empty");
    if (typeof text !== "string")
      throw invalidOption(`${option}[${JSON.stringify(specifier)}]`, text, "a string");
  }
  const byKey = new Map(entries.map(([specifier, text]) => [resolve(specifier, undefined), text]));
  const keys = (specifier: string, importer: string | undefined) => {
    const key = resolve(specifier, importer);
    // TypeScript's own sources import `./a.js` and mean `./a.ts`.
    const stem = /\.m?js$/.test(key) ? key.replace(/js$/, "ts") : undefined;
    return [...ENDINGS.map((ending) => key + ending), ...(stem === undefined ? [] : [stem])];
  };
  return {
    names: entries.map(([specifier]) => specifier),
    keys,
    find: async (specifier, importer) => {
      const key = keys(specifier, importer).find((candidate) => byKey.has(candidate));
      return key === undefined ? undefined : { key, source: byKey.get(key) as string };
    },
  };
}

/** Specifiers of the modules there are; `null` where a loader decides. */
export function moduleNames(source: ModuleSource): readonly string[] | null {
  if (typeof source === "function") return null;
  return source instanceof Map ? [...source.keys()] : Object.keys(source);
}

function loaderFinder(load: ModuleLoader): ModuleFinder {
  return {
    names: undefined,
    keys: (specifier, importer) => [resolve(specifier, importer)],
    find: async (specifier, importer) => {
      const key = resolve(specifier, importer);
      const source: unknown = await load(key, importer);
      if (source === undefined || source === null) return undefined;
      if (typeof source !== "string")
        throw new TypeError("the loader answered something that is not a string");
      return { key, source };
    },
  };
}

/** `./b` and `../b` from `lib/a` are `lib/b` and `b`; `./b` from an eval is `b`; everything else is what it is. */
export function resolve(specifier: string, importer: string | undefined): string {
  if (!/^\.{0,2}\//.test(specifier)) return specifier;
  const isRelative = specifier.startsWith(".");
  const path = isRelative && importer !== undefined ? importer.split("/").slice(0, -1) : [];
  for (const part of specifier.split("/")) {
    if (part === "..") path.pop();
    else if (part !== "." && part !== "") path.push(part);
  }
  return path.join("/");
}
