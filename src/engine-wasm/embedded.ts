/** The engine's module where bytes may be compiled: embedded as text, which every bundler carries along. */
import { ENGINE_BASE64 } from "./embedded.generated.js";

export async function loadEngineModule(): Promise<WebAssembly.Module> {
  const text = atob(ENGINE_BASE64);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return WebAssembly.compile(await new Response(inflated).arrayBuffer());
}
