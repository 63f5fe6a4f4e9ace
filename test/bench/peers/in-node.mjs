/** Every peer, made ready for Node. */
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import zlib from "node:zlib";

/** By name, each a function that imports and prepares the peer: a cold start is measured with these too. */
export const loaders = {
  "edge-interpreter": async () => {
    const peer = await import("./edge-interpreter.mjs");
    await peer.prepare();
    return peer;
  },
  "@langchain/quickjs": async () => {
    const peer = await import("./langchain-quickjs.mjs");
    await peer.prepare();
    return peer;
  },
  "quickjs-wasi": async () => {
    const peer = await import("./quickjs-wasi.mjs");
    const bytes = await readFile(new URL(import.meta.resolve("quickjs-wasi/quickjs.wasm")));
    const module = await WebAssembly.compile(bytes);
    await peer.prepare({ module, gzip: promisify(zlib.gzip), unzip: promisify(zlib.gunzip) });
    return peer;
  },
  "quickjs-emscripten (sync)": async () => {
    const { sync } = await import("./quickjs-emscripten.mjs");
    await sync.prepare();
    return sync;
  },
  "quickjs-emscripten (asyncify)": async () => {
    const { asyncify } = await import("./quickjs-emscripten.mjs");
    await asyncify.prepare();
    return asyncify;
  },
  "@sebastianwessel/quickjs": async () => {
    const peer = await import("./sebastianwessel-quickjs.mjs");
    await peer.prepare((await import("@jitl/quickjs-ng-wasmfile-release-sync")).default);
    return peer;
  },
  run: async () => {
    const peer = await import("./run.mjs");
    await peer.prepare();
    return peer;
  },
  "node:vm": async () => {
    const peer = await import("./node-vm.mjs");
    await peer.prepare();
    return peer;
  },
};

export async function loadPeers() {
  const peers = [];
  for (const load of Object.values(loaders)) peers.push(await load());
  return peers;
}

/** Versions as installed, from each package's own file. */
export async function versions() {
  const packages = [
    "@langchain/quickjs",
    "quickjs-wasi",
    "run",
    "@sebastianwessel/quickjs",
    "quickjs-emscripten",
    "@langchain/core",
    "langchain",
    "deepagents",
  ];
  const found = {};
  for (const name of packages) {
    const file = new URL(`../../../node_modules/${name}/package.json`, import.meta.url);
    found[name] = JSON.parse(await readFile(file, "utf8")).version;
  }
  return found;
}
