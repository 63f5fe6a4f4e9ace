import { describe, expect, test } from "vitest";
import { loadEngine } from "../../src/engine/engine.js";
import { Vm } from "../../src/engine/vm.js";
import { createInterpreter } from "../../src/interpreter.js";

const compiles = typeof navigator === "undefined" || navigator.userAgent !== "Cloudflare-Workers";

function answer(body: BodyInit, type: string, status = 200): Response {
  return new Response(body, { status, headers: { "content-type": type } });
}

test("finds the engine without configuration and loads it once", async () => {
  const [one, two] = await Promise.all([loadEngine(), loadEngine()]);
  expect(one).toBe(two);
});

test("takes a compiled module, and a promise of one", async () => {
  const { module } = await loadEngine();
  for (const engine of [module, Promise.resolve(module)]) {
    const interpreter = await createInterpreter({ engine });
    const session = await interpreter.open();
    expect(await session.eval("6 * 7")).toMatchObject({ value: 42 });
  }
});

test("a web page in place of the file is named as one", async () => {
  const page = answer("<!doctype html><title>404</title>", "text/html");
  await expect(loadEngine(page)).rejects.toMatchObject({
    code: "ENGINE_LOAD",
    message: expect.stringMatching(/HTML page/),
  });
});

test("a page that claims to be wasm is an error too, not a hang", async () => {
  const page = answer("<!doctype html>", "application/wasm");
  await expect(loadEngine(Promise.resolve(page))).rejects.toMatchObject({ code: "ENGINE_LOAD" });
});

test("an error status is told", async () => {
  await expect(loadEngine(answer("gone", "text/plain", 410))).rejects.toMatchObject({
    code: "ENGINE_LOAD",
    message: expect.stringMatching(/410/),
  });
});

test("anything else is a TypeError that names the option", async () => {
  await expect(loadEngine(42 as never)).rejects.toThrow(/`engine` must be .* but it is 42/);
});

test("a failed load is not remembered", async () => {
  const source = Promise.reject(new Error("offline"));
  await expect(loadEngine(source)).rejects.toThrow("offline");
  await expect(loadEngine()).resolves.toBeDefined();
});

describe.runIf(compiles)("where bytes may be compiled", () => {
  test("another WebAssembly module is refused by name", async () => {
    const empty = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
    await expect(loadEngine(empty)).rejects.toMatchObject({ code: "ENGINE_MISMATCH" });
  });

  test("a broken file is an error that says so", async () => {
    const broken = new Uint8Array([0, 0x61, 0x73, 0x6d, 9, 9, 9, 9]);
    await expect(loadEngine(broken)).rejects.toMatchObject({ code: "ENGINE_LOAD" });
  });
});

describe.skipIf(compiles)("where they may not", () => {
  test("bytes are refused with the import that works", async () => {
    const empty = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
    await expect(loadEngine(empty)).rejects.toMatchObject({
      code: "ENGINE_LOAD",
      message: expect.stringMatching(/edge-interpreter\/quickjs\.wasm/),
    });
  });
});

test("a memory with the wrong limits is an error, not a hang", async () => {
  const { module } = await loadEngine();
  await expect(Vm.create(module, 16, 32)).rejects.toMatchObject({ code: "ENGINE_LOAD" });
});

test("functions of ours read as native ones, those of a program as they were written", async () => {
  const session = await (await createInterpreter()).open();
  const native = await session.eval("[URL, console.log, setTimeout, AbortController].map(String)");
  expect(native).toMatchObject({ status: "completed" });
  for (const text of (native as { value: string[] }).value) expect(text).toContain("[native code]");
  const own = await session.eval("const twice = (x) => x * 2; String(twice)");
  expect(own).toMatchObject({ value: "(x) => x * 2" });
});
