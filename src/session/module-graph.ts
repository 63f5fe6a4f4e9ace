/** Everything an import needs, before any of it runs: the modules it leads to that a session does not have yet. */

import type { EvalFailure } from "../result/outcome.js";
import { transformModule } from "../transform/index.js";
import { failureAt } from "../transform/positions.js";
import type { ModuleFinder } from "./module-source.js";

export interface ModuleDefinition {
  readonly key: string;
  readonly source: string;
  /** An expression for the guest; see `TransformedModule`. */
  readonly code: string;
  /** Keys of what it imports, by specifier. */
  readonly imports: readonly (readonly [specifier: string, key: string])[];
  readonly mapPosition: (line: number, column: number) => { line: number; column: number } | undefined;
}

export type ModuleGraph =
  | {
      readonly ok: true;
      readonly imports: readonly (readonly [specifier: string, key: string])[];
      /** In no order that matters: none of them runs before all of them are there. */
      readonly definitions: readonly ModuleDefinition[];
    }
  | { readonly ok: false; readonly failure: EvalFailure };

/** A loader that always finds one more must end somewhere. */
const MAX_MODULES = 1000;

export interface GraphRequest {
  readonly specifiers: readonly string[];
  /** Key of the module that imports them; absent for an eval. */
  readonly importer?: string;
  /** What the specifiers stand in, and its label, to point at the one that fails. */
  readonly source?: string;
  readonly label?: string;
  /** Keys of modules the session has. */
  readonly known: ReadonlySet<string>;
  readonly maxSourceChars: number;
}

export async function loadGraph(finder: ModuleFinder, request: GraphRequest): Promise<ModuleGraph> {
  const definitions = new Map<string, ModuleDefinition>();
  const resolveAll = async (
    specifiers: readonly string[],
    from: Pick<GraphRequest, "importer" | "source" | "label">,
  ): Promise<readonly (readonly [string, string])[]> => {
    const imports: [string, string][] = [];
    for (const specifier of specifiers) {
      const loaded = finder.keys(specifier, from.importer).find((key) => request.known.has(key));
      imports.push([specifier, loaded ?? (await add(specifier, from))]);
    }
    return imports;
  };
  const add = async (
    specifier: string,
    from: Pick<GraphRequest, "importer" | "source" | "label">,
  ): Promise<string> => {
    const found = await find(finder, specifier, from);
    const { key } = found;
    if (definitions.has(key)) return key;
    if (definitions.size >= MAX_MODULES)
      throw new GraphError(importFailure(`it leads to more than ${MAX_MODULES} modules`, specifier, from));
    const label = `module ${key}`;
    const source = key.endsWith(".json") ? jsonModule(found.source, specifier, from) : found.source;
    if (source.length > request.maxSourceChars) {
      const message = `it has ${source.length} characters, more than the ${request.maxSourceChars} allowed`;
      throw new GraphError(importFailure(message, specifier, from));
    }
    const transformed = await transformModule(source, { label });
    if (!transformed.ok) throw new GraphError(transformed.failure);
    const { code, mapPosition } = transformed;
    const definition = {
      key,
      source,
      code,
      mapPosition,
      imports: [] as readonly (readonly [string, string])[],
    };
    // Known before its own imports are looked at: modules may import each other.
    definitions.set(key, definition);
    definition.imports = await resolveAll(transformed.imports, { importer: key, source, label });
    return key;
  };
  try {
    const imports = await resolveAll(request.specifiers, request);
    return { ok: true, imports, definitions: [...definitions.values()] };
  } catch (error) {
    if (error instanceof GraphError) return { ok: false, failure: error.failure };
    throw error;
  }
}

class GraphError extends Error {
  readonly failure: EvalFailure;

  constructor(failure: EvalFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

type Importing = Pick<GraphRequest, "importer" | "source" | "label">;

async function find(finder: ModuleFinder, specifier: string, from: Importing) {
  let found: Awaited<ReturnType<ModuleFinder["find"]>>;
  try {
    found = await finder.find(specifier, from.importer);
  } catch (error) {
    throw new GraphError(importFailure(`it could not be loaded: ${messageOf(error)}`, specifier, from));
  }
  if (found) return found;
  throw new GraphError(importFailure(whatExists(finder), specifier, from));
}

const MAX_NAMES = 20;

function whatExists({ names }: ModuleFinder): string {
  if (names === undefined) return "there is no module of that name";
  if (names.length === 0) return "there are no modules here";
  const more = names.length - MAX_NAMES;
  return `there is no module of that name. There are: ${names.slice(0, MAX_NAMES).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function jsonModule(source: string, specifier: string, from: Importing): string {
  try {
    JSON.parse(source);
  } catch {
    // What exactly is wrong with it each engine says in its own words.
    throw new GraphError(importFailure("it is not valid JSON", specifier, from));
  }
  return `export default ${source}`;
}

function importFailure(reason: string, specifier: string, { source, label }: Importing): EvalFailure {
  const name = "TypeError";
  const message = `Cannot import ${JSON.stringify(specifier)}: ${reason}`;
  const offset =
    source === undefined ? -1 : Math.max(...quotes.map((quote) => source.indexOf(quote + specifier + quote)));
  if (source === undefined || label === undefined || offset < 0)
    return { code: "GUEST_SYNTAX", name, message, frames: [] };
  return failureAt(source, offset, message, { label, name });
}

const quotes = ['"', "'"];

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
