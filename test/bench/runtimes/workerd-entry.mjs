// The Worker of the workerd runs: one request runs the named suites and answers their tables.
import { newVariant, RELEASE_ASYNC, RELEASE_SYNC } from "quickjs-emscripten";
import asyncifyModule from "./asyncify.wasm";
import { runHere } from "./guest.mjs";
import syncModule from "./sync.wasm";
import wasi from "./wasi.wasm";

export default {
  async fetch(request) {
    const { suites, rounds } = await request.json();
    try {
      const variants = {
        sync: newVariant(RELEASE_SYNC, { wasmModule: syncModule }),
        asyncify: newVariant(RELEASE_ASYNC, { wasmModule: asyncifyModule }),
      };
      return Response.json({ tables: await runHere(suites, { wasi, variants, rounds }) });
    } catch (error) {
      return Response.json({ error: String(error?.stack ?? error) });
    }
  },
};
