// The page of the Chromium runs: `runSuites` runs the named suites and answers their tables.
import { newVariant, RELEASE_ASYNC, RELEASE_SYNC } from "quickjs-emscripten";
import * as codemode from "../peers/codemode-iframe.mjs";
import * as newFunction from "../peers/new-function.mjs";
import { runHere } from "./guest.mjs";

globalThis.runSuites = async (suites, rounds) => {
  const compiled = (name) => WebAssembly.compileStreaming(fetch(`/${name}`));
  const [syncModule, asyncifyModule, wasi] = await Promise.all(
    ["sync.wasm", "asyncify.wasm", "wasi.wasm"].map(compiled),
  );
  const variants = {
    sync: newVariant(RELEASE_SYNC, { wasmModule: syncModule }),
    asyncify: newVariant(RELEASE_ASYNC, { wasmModule: asyncifyModule }),
  };
  return runHere(suites, { wasi, variants, rounds, more: [codemode, newFunction] });
};
