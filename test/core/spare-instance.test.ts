import { expect, test } from "vitest";
import { memoryPages, resetInstance, startVm } from "../../src/engine/base-image.js";
import { loadEngine } from "../../src/engine/engine.js";
import { VmDamaged } from "../../src/engine/vm-errors.js";
import { createInterpreter } from "../../src/index.js";

const LIMIT = 64 * 1024 * 1024;
const BUSY = `
  var secret = "a text that nobody else may read ".repeat(2000);
  var rows = Array.from({ length: 5000 }, (_, id) => ({ id, name: "row" + id }));
  var dive = (n) => (n === 0 ? 0 : 1 + dive(n - 1));
  dive(100);
  rows = null;
`;

test("an instance that is given back is the base image again, in every byte", async () => {
  const { module, base } = await loadEngine();
  const fresh = await startVm(module, base, LIMIT);
  const used = await startVm(module, base, LIMIT);
  used.free(used.evalScript(BUSY));
  const before = new Uint8Array(used.memory.buffer);
  expect(before.some((byte, index) => byte !== new Uint8Array(fresh.memory.buffer)[index])).toBe(true);

  const instance = used.release();
  expect(instance && resetInstance(instance, base)).toBe(true);

  const again = await startVm(module, base, LIMIT, undefined, instance);
  // Word by word: a failed comparison of 16 MB would print them.
  const expected = new Uint32Array(fresh.memory.buffer);
  const words = new Uint32Array(again.memory.buffer);
  expect(words.length).toBe(expected.length);
  expect(words.findIndex((word, index) => word !== expected[index])).toBe(-1);
  const result = again.evalScript("typeof secret + typeof dive");
  expect(again.strings.read(result)).toBe("undefinedundefined");
});

test("one that has grown is not used again", async () => {
  const { module, base } = await loadEngine();
  const vm = await startVm(module, base, LIMIT);
  vm.free(vm.evalScript("var kept = new ArrayBuffer(20e6);"));
  const instance = vm.release();
  expect(instance && resetInstance(instance, base)).toBe(false);
});

test("whoever still holds what was given back cannot reach its memory", async () => {
  const { module, base } = await loadEngine();
  const vm = await startVm(module, base, LIMIT);
  const { argv } = vm.roots;
  vm.release();
  expect(() => vm.memory).toThrow(VmDamaged);
  expect(() => vm.words()).toThrow(VmDamaged);
  expect(() => vm.control("variables", "")).toThrow(VmDamaged);
  expect(() => vm.strings.make("text")).toThrow();
  expect(() => vm.free(argv)).toThrow();
  expect(() => vm.askSoon()).toThrow(VmDamaged);
  expect(vm.release()).toBeUndefined();
});

test("memory that is allowed is part of what an instance is", () => {
  expect(memoryPages(LIMIT)).toEqual({ initial: 256, maximum: 1024 });
  expect(memoryPages(LIMIT, 32 * 1024 * 1024)).toEqual({ initial: 512, maximum: 1024 });
});

test("sessions that follow one another see nothing of each other and leave the same heap", async () => {
  const interpreter = await createInterpreter({ random: 7 });
  const images: Uint8Array[] = [];
  for (let index = 0; index < 3; index++) {
    const session = await interpreter.open();
    const found = await session.eval("typeof secret + typeof dive");
    expect(found).toMatchObject({ status: "completed", value: "undefinedundefined" });
    images.push(await session.snapshot({ layers: "image" }));
    expect((await session.eval(BUSY)).status).toBe("completed");
    session.dispose();
  }
  expect(images[1]).toEqual(images[0]);
  expect(images[2]).toEqual(images[0]);
});

test("a session that ends in the middle of a call gives nothing back before the call is over", async () => {
  const interpreter = await createInterpreter();
  const first = await interpreter.open();
  let answer: (text: string) => void = () => {};
  let started: () => void = () => {};
  const called = new Promise<void>((resolve) => {
    started = resolve;
  });
  const slow = () => {
    started();
    return new Promise<string>((resolve) => {
      answer = resolve;
    });
  };
  const running = first.eval("var mine = await tools.slow({}); mine", { tools: { slow } });
  await called;
  first.dispose();
  const second = await interpreter.open();
  answer("for the first session");
  await running.catch(() => {});
  expect(await second.eval("typeof mine")).toMatchObject({ value: "undefined" });
  second.dispose();
});
