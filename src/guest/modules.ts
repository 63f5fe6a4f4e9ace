/**
 * The modules of a session: part of its heap, so that they run once and a restored session has them. The host finds
 * them and hands over each as a function (`TransformedModule.code` in `src/transform/module.ts`); what a specifier
 * stands for is also told by the host.
 */

import { rememberBinding } from "./live-bindings.js";
import { callHostFunction, withStack } from "./pending.js";
import {
  ArrayJoin,
  ArrayPush,
  JSONParse,
  JSONStringify,
  MapForEach,
  MapGet,
  MapSet,
  NativeError,
  NativeMap,
  NativeString,
  NativeSyntaxError,
  NativeTypeError,
  ObjectCreate,
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptor,
  ObjectHasOwn,
  ObjectKeys,
  SymbolToStringTag,
} from "./primordials.js";
import { offer } from "./tools.js";

type Namespace = Record<string, unknown>;
type ImportFunction = (specifier: unknown, names?: string[]) => Promise<Namespace>;
type Run = (
  exports: (bindings: object, isStar?: boolean) => void,
  importFunction: ImportFunction,
) => Promise<void>;
type Keys = Map<string, string>;

interface Module {
  readonly key: string;
  readonly run: Run;
  readonly imports: Keys;
  namespace: Namespace | undefined;
  /** While it runs. */
  running: Promise<void> | undefined;
  done: boolean;
  /** The modules it waits for now. */
  waitsFor: Module[];
}

const modules = new NativeMap<string, Module>();
/** What the static imports of the current eval stand for. */
let evalImports: Keys = new NativeMap();

/** @param text JSON of `{ key, imports: [[specifier, key]] }` */
export function defineModule(text: string, run: unknown): void {
  const { key, imports } = JSONParse(text) as { key: string; imports: [string, string][] };
  MapSet(modules, key, {
    key,
    run: run as Run,
    imports: toKeys(imports),
    namespace: undefined,
    running: undefined,
    done: false,
    waitsFor: [],
  });
}

/** Keys of all modules, in the order they came in, as JSON. */
export function moduleKeys(): string {
  const keys: string[] = [];
  MapForEach(modules, (_module, key) => ArrayPush(keys, key));
  return JSONStringify(keys);
}

function toKeys(pairs: readonly [string, string][]): Keys {
  const keys: Keys = new NativeMap();
  for (let i = 0; i < pairs.length; i++) MapSet(keys, pairs[i]![0], pairs[i]![1]);
  return keys;
}

let hasModules = false;
const IMPORT = "__import__";
const importFromEval: ImportFunction = (specifier, names) => importModule(undefined, specifier, names);

/** Puts the function in place that the imports of an eval call, or takes it away where there are no modules. */
export function offerImports(imports: readonly [string, string][] | undefined): void {
  evalImports = toKeys(imports ?? []);
  hasModules = imports !== undefined;
  if (hasModules) offer(IMPORT, () => (hasModules ? importFromEval : undefined));
}

/** The eval is over: a module that has not come to its end starts again when it is imported next. */
export function forgetUnfinishedModules(): void {
  MapForEach(modules, (module) => {
    if (!module.done) reset(module);
  });
}

function reset(module: Module): void {
  module.namespace = undefined;
  module.running = undefined;
  module.waitsFor = [];
}

async function importModule(
  importer: Module | undefined,
  specifier: unknown,
  names: string[] = [],
): Promise<Namespace> {
  // Errors of ours are made later, where the stack no longer says who imported.
  const { stack } = new NativeError("");
  const wanted = NativeString(specifier);
  const known = MapGet(importer?.imports ?? evalImports, wanted);
  const answer: ModuleAnswer = known === undefined ? await askForModule(wanted, importer) : { key: known };
  const module = answer.key === undefined ? undefined : MapGet(modules, answer.key);
  if (module === undefined)
    throw withStack(new NativeTypeError(answer.error ?? `Cannot import ${JSONStringify(wanted)}`), stack);
  await load(module, importer);
  const namespace = module.namespace!;
  for (let i = 0; i < names.length; i++)
    if (!ObjectHasOwn(namespace, names[i]!)) throw withStack(noExport(module, names[i]!), stack);
  return namespace;
}

interface ModuleAnswer {
  readonly key?: string;
  readonly error?: string;
}

/** The host finds what a computed specifier stands for, and defines what is new before it answers. */
function askForModule(specifier: string, importer: Module | undefined): Promise<ModuleAnswer> {
  const request = ObjectCreate(null) as Record<string, unknown>;
  request["specifier"] = specifier;
  request["importer"] = importer?.key;
  return callHostFunction("import()", "import()", request) as Promise<ModuleAnswer>;
}

async function load(module: Module, importer: Module | undefined): Promise<void> {
  module.running ??= start(module);
  if (module.done) return;
  // Modules that import each other take what is there so far, as the language has it.
  if (importer !== undefined && waits(module, importer)) return;
  if (importer !== undefined) ArrayPush(importer.waitsFor, module);
  try {
    await module.running;
  } finally {
    if (importer !== undefined) importer.waitsFor = without(importer.waitsFor, module);
  }
}

function waits(module: Module, forModule: Module): boolean {
  if (module === forModule) return true;
  for (let i = 0; i < module.waitsFor.length; i++) if (waits(module.waitsFor[i]!, forModule)) return true;
  return false;
}

function without(list: readonly Module[], module: Module): Module[] {
  const rest: Module[] = [];
  for (let i = 0; i < list.length; i++) if (list[i] !== module) ArrayPush(rest, list[i]);
  return rest;
}

async function start(module: Module): Promise<void> {
  const namespace = ObjectCreate(null) as Namespace;
  define(namespace, SymbolToStringTag, { value: "Module" });
  module.namespace = namespace;
  // The promise of this is known before modules that import this one ask for it.
  await undefined;
  try {
    await module.run(
      (bindings, isStar = false) => addExports(namespace, bindings, isStar),
      (specifier, names) => importModule(module, specifier, names),
    );
    module.done = true;
  } catch (error) {
    // Tried again by the next import: what failed may have been a tool.
    reset(module);
    throw error;
  }
}

function addExports(namespace: Namespace, bindings: object, isStar: boolean): void {
  const names = ObjectKeys(bindings);
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!;
    if (ObjectHasOwn(namespace, name) || (isStar && name === "default")) continue;
    const get = ObjectGetOwnPropertyDescriptor(bindings, name)!.get!;
    rememberBinding(get);
    define(namespace, name, { get, enumerable: true });
  }
}

function define(target: object, key: string | symbol, fields: PropertyDescriptor): void {
  ObjectDefineProperty(target, key, { __proto__: null, ...fields } as PropertyDescriptor);
}

function noExport({ key, namespace }: Module, name: string): SyntaxError {
  const names = ObjectKeys(namespace!);
  const there = names.length === 0 ? "It exports nothing" : `It exports: ${ArrayJoin(names, ", ")}`;
  return new NativeSyntaxError(`The module ${JSONStringify(key)} has no export named '${name}'. ${there}`);
}
