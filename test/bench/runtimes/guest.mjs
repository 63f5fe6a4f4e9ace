/** What runs inside a Worker or a page: the suites with the peers that load there. Bundled by esbuild. */
import { echo } from "../echo-tool.mjs";
import * as edgeInterpreter from "../peers/edge-interpreter.mjs";
import { asyncify, sync } from "../peers/quickjs-emscripten.mjs";
import * as quickjsWasi from "../peers/quickjs-wasi.mjs";
import { runEverywhere } from "../suites/index.mjs";

async function piped(bytes, stream) {
  return new Uint8Array(await new Response(new Response(bytes).body.pipeThrough(stream)).arrayBuffer());
}

/**
 * @param {{ own?: object, wasi: WebAssembly.Module, variants: { sync: object, asyncify: object }, more?: object[] }} platform
 *   What loads modules in this place.
 */
export async function runHere(suites, { own = {}, wasi, variants, more = [], rounds }) {
  await edgeInterpreter.prepare(own);
  await quickjsWasi.prepare({
    module: wasi,
    gzip: (bytes) => piped(bytes, new CompressionStream("gzip")),
    unzip: (bytes) => piped(bytes, new DecompressionStream("gzip")),
  });
  await sync.prepare(variants.sync);
  await asyncify.prepare(variants.asyncify);
  const peers = [edgeInterpreter, quickjsWasi, sync, asyncify, ...more];
  return runEverywhere(suites, { peers, rounds, tool: echo });
}
