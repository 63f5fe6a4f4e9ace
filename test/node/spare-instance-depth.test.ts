import { expect, test } from "vitest";
import { resetInstance, startVm } from "../../src/engine/base-image.js";
import { loadEngine } from "../../src/engine/engine.js";

/** Little enough that the host's own stack holds it, whatever the program. */
const STACK_BYTES = 128 * 1024;

/** Programs that go as deep as they may, each by other functions of the engine. */
test.each([
  ["calls", "(function dive() { dive(); })()"],
  ["callbacks of a built-in", "(function dive() { [1, 2].sort(() => dive()); })()"],
  [
    "nested data in a built-in",
    "let data = []; for (let i = 0; i < 1e5; i++) data = [data]; data.flat(Infinity)",
  ],
  ["conversions", "const it = { toString() { return `${it}`; } }; String(it)"],
  ["generators", "function* dive() { yield* dive(); } [...dive()]"],
  ["getters", "const it = { get dive() { return this.dive; } }; it.dive"],
  ["proxies", "let it = {}; for (let i = 0; i < 2e4; i++) it = new Proxy(it, {}); it.dive"],
  [
    "many variables",
    `(function dive() { ${Array.from({ length: 5000 }, (_, i) => `var v${i} = 1;`).join("")} dive(); })()`,
  ],
])("nothing of the deepest stack is left in an instance that is used again: %s", async (_, program) => {
  const { module, base } = await loadEngine();
  const vm = await startVm(module, base, 64 * 1024 * 1024);
  vm.setStackSize(STACK_BYTES);
  const result = vm.evalProgram(program, "eval-1.js");
  vm.free(result.error ?? result.value);
  const instance = vm.release()!;
  // The engine's default is more.
  instance.stackBytes = STACK_BYTES;
  expect(resetInstance(instance, base)).toBe(true);

  const fresh = await startVm(module, base, 64 * 1024 * 1024);
  const expected = new Uint32Array(fresh.memory.buffer);
  const words = new Uint32Array(instance.memory.buffer);
  // Word by word: a failed comparison of 16 MB would print them.
  expect(words.findIndex((word, index) => word !== expected[index])).toBe(-1);
});
