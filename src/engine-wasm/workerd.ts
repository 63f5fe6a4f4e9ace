/**
 * The engine's module where code generation is refused (Cloudflare Workers): the bundler compiles the file.
 * The specifier has to end in `.wasm`; wrangler decides by it.
 */
import module from "../quickjs.wasm";

export function loadEngineModule(): Promise<WebAssembly.Module> {
  return Promise.resolve(module);
}
