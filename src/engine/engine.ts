/**
 * The compiled engine: where its module comes from, the check that it is the pinned build, and the base image every
 * session starts from. One per interpreter, shared by all its sessions; instances are made in `vm.ts`.
 */
import { loadEngineModule } from "#engine-wasm";
import { BOOT_SHA256, ENGINE_SHA256 } from "../engine-wasm/hash.generated.js";
import { EngineError, invalidOption } from "../errors.js";
import { type SharedWork, shareWork } from "../shared-work.js";
import { type BaseImage, bootBaseImage } from "./base-image.js";

/** A `fetch` response, without naming the platform's type. */
export interface ResponseLike {
  readonly ok: boolean;
  readonly status: number;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  arrayBuffer(): Promise<ArrayBuffer>;
}

/**
 * What the `engine` option takes: a compiled module (a Worker imports `edge-interpreter/quickjs.wasm`), the file's
 * bytes, its URL, a `fetch` response (compiled while it streams), or a promise of one of these.
 */
export type EngineSource = WebAssembly.Module | Uint8Array | ArrayBuffer | URL | string | ResponseLike;

export interface Engine {
  readonly module: WebAssembly.Module;
  /** Names the engine build and what boots it: a heap image fits only the base image it was made from. 64 hex digits. */
  readonly id: string;
  readonly base: BaseImage;
}

/** Hash of the engine file and of all code that boots it, the prelude included; known without loading anything. */
export const ENGINE_ID: string = ENGINE_SHA256.slice(0, 32) + BOOT_SHA256.slice(0, 32);

const engines = new WeakMap<object, Promise<Engine>>();
const loadDefault = shareWork<WebAssembly.Module>();

/**
 * Loads the engine, by default the one inside this package. Compiled modules are remembered, so that every
 * interpreter of the process shares one.
 *
 * @throws {EngineError} `ENGINE_LOAD` when there is no WebAssembly file there or the platform refuses to compile it,
 *   `ENGINE_MISMATCH` when it is another build.
 */
export function loadEngine(source?: EngineSource | Promise<EngineSource>): Promise<Engine> {
  if (source === undefined) {
    const module = loadDefault(loadEngineModule);
    return module.then(prepare, (error: unknown) => {
      throw loadFailure("the module inside the package", error);
    });
  }
  if (source instanceof WebAssembly.Module) return prepare(source);
  if (typeof source === "object" && source !== null) {
    const known = engines.get(source);
    if (known) return known;
  }
  const loading = Promise.resolve(source).then(toModule).then(prepare);
  if (typeof source === "object" && source !== null) {
    engines.set(source, loading);
    loading.catch(() => engines.delete(source));
  }
  return loading;
}

const prepared = new WeakMap<WebAssembly.Module, SharedWork<Engine>>();

function prepare(module: WebAssembly.Module): Promise<Engine> {
  const known = prepared.get(module) ?? shareWork<Engine>();
  prepared.set(module, known);
  return known(async () => {
    assertPinnedBuild(module);
    return { module, id: ENGINE_ID, base: await bootBaseImage(module) };
  });
}

/** @throws {TypeError} for what cannot be an engine, nor a promise of one. */
export function checkEngineSource(source: unknown): void {
  const isThere = typeof source === "string" || (typeof source === "object" && source !== null);
  if (source !== undefined && !isThere) throw invalidOption("engine", source, allowedSource);
}

const allowedSource =
  "a WebAssembly.Module, the bytes of quickjs.wasm, its URL, a Response, or a promise of one";

async function toModule(source: EngineSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof Uint8Array) return compile(source, "the given bytes");
  if (source instanceof ArrayBuffer) return compile(new Uint8Array(source), "the given bytes");
  if (typeof source === "string" || source instanceof URL) {
    const url = String(source);
    let response: ResponseLike;
    try {
      response = await fetch(url);
    } catch (error) {
      throw loadFailure(url, error);
    }
    return fromResponse(response);
  }
  if (isResponse(source)) return fromResponse(source);
  throw invalidOption("engine", source, allowedSource);
}

function isResponse(value: unknown): value is ResponseLike {
  return typeof value === "object" && value !== null && "arrayBuffer" in value && "headers" in value;
}

async function fromResponse(response: ResponseLike): Promise<WebAssembly.Module> {
  const place = response.url || "the given response";
  if (!response.ok) throw new EngineError("ENGINE_LOAD", `${place} answered with status ${response.status}.`);
  // compileStreaming insists on exactly this type; everything else goes through the bytes (7 ms for this file).
  const streams = response.headers.get("content-type") === "application/wasm";
  if (streams && WebAssembly.compileStreaming) {
    try {
      return await WebAssembly.compileStreaming(response);
    } catch (error) {
      throw loadFailure(place, error);
    }
  }
  return compile(new Uint8Array(await response.arrayBuffer()), place);
}

async function compile(bytes: Uint8Array, place: string): Promise<WebAssembly.Module> {
  const magic = bytes[0] === 0 && bytes[1] === 0x61 && bytes[2] === 0x73 && bytes[3] === 0x6d;
  if (!magic) {
    const start = new TextDecoder().decode(bytes.subarray(0, 40)).trim();
    const page = start.startsWith("<")
      ? " That is an HTML page: the server has no file there, or the bundler did not copy it."
      : "";
    throw new EngineError(
      "ENGINE_LOAD",
      `${place} is not a WebAssembly file; it starts with ${JSON.stringify(start)}.${page} Serve edge-interpreter/quickjs.wasm and pass its URL as \`engine\`.`,
    );
  }
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    throw loadFailure(place, error);
  }
}

function loadFailure(place: string, error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  const text = error instanceof Error ? error.message : String(error);
  let hint = "";
  if (/disallowed by embedder/.test(text)) {
    hint =
      ' This runtime compiles no bytes: pass `engine: module` with `import module from "edge-interpreter/quickjs.wasm"`.';
  } else if (/Content Security Policy|unsafe-eval|blocked by CSP/i.test(text)) {
    hint = " The page's Content-Security-Policy needs 'wasm-unsafe-eval' in script-src.";
  }
  return new EngineError("ENGINE_LOAD", `The engine could not be loaded from ${place}: ${text}.${hint}`, {
    cause: error,
  });
}

/** The import names are the minified ones of the pinned build; another build would be wired wrongly, silently. */
function assertPinnedBuild(module: WebAssembly.Module): void {
  const imports = WebAssembly.Module.imports(module)
    .map((entry) => `${entry.module}.${entry.name}:${entry.kind[0]}`)
    .sort()
    .join(" ");
  const exports = WebAssembly.Module.exports(module).length;
  if (imports !== PINNED_IMPORTS || exports !== PINNED_EXPORTS) {
    throw new EngineError(
      "ENGINE_MISMATCH",
      "The given WebAssembly module is not the engine build of this package version. Use edge-interpreter/quickjs.wasm of the same version.",
    );
  }
}

const PINNED_IMPORTS =
  "a.a:m a.b:f a.c:f a.d:f a.e:f a.f:f a.g:f a.h:f a.i:f a.j:f a.k:f a.l:f a.m:f a.n:f a.o:f a.p:f a.q:f a.r:f a.s:f a.t:f";
const PINNED_EXPORTS = 75;
