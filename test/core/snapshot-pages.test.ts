import { describe, expect, it } from "vitest";
import { applyPages, changedPages, copyPages, PAGE_BYTES } from "../../src/snapshot/pages.js";
import { bootedMemory, randomFrom, sameBytes, scribble } from "../support/snapshots.js";

describe("page comparison", () => {
  it("finds no changed page in a memory that was just booted", () => {
    const { memory, base } = bootedMemory();
    expect(Array.from(base.pages)).toEqual([0, 1, 9, 40]);
    expect(Array.from(changedPages(memory, base))).toEqual([]);
  });

  it("finds a change of one byte wherever it is in a page", () => {
    for (const page of [0, 2, 9, 255])
      for (const offset of [0, 1, 1023, 2998, 3001, 4095]) {
        const { memory, base } = bootedMemory();
        memory[page * PAGE_BYTES + offset]! ^= 0x80;
        expect(Array.from(changedPages(memory, base))).toEqual([page]);
      }
  });

  it("counts a page of the base that became zero as changed", () => {
    const { memory, base } = bootedMemory();
    memory.fill(0, 9 * PAGE_BYTES, 10 * PAGE_BYTES);
    expect(Array.from(changedPages(memory, base))).toEqual([9]);
  });

  it("sees pages of a memory that grew", () => {
    const { memory, base } = bootedMemory();
    const grown = new Uint8Array(memory.length * 2);
    grown.set(memory);
    scribble(grown, 511);
    expect(Array.from(changedPages(grown, base))).toEqual([511]);
  });

  it("does not look beyond the used bytes nor into dead pages", () => {
    const { memory, base } = bootedMemory();
    for (const page of [3, 4, 5, 6, 9, 20, 21, 100, 101]) scribble(memory, page);
    const dead = [
      { start: 4, end: 6 },
      { start: 9, end: 21 },
    ];
    expect(Array.from(changedPages(memory, base, { dead }))).toEqual([3, 6, 21, 100, 101]);
    const usedBytes = 100 * PAGE_BYTES + 1;
    expect(Array.from(changedPages(memory, base, { dead, usedBytes }))).toEqual([3, 6, 21, 100]);
    expect(Array.from(changedPages(memory, base, { dead: [{ start: 0, end: 999 }] }))).toEqual([]);
  });

  it("rebuilds any memory from the base and its changed pages", () => {
    const random = randomFrom(5);
    const { memory, base } = bootedMemory();
    for (let i = 0; i < 100; i++) memory[random(memory.length)] = random(256);
    const set = copyPages(memory, changedPages(memory, base));
    const rebuilt = new Uint8Array(memory.length);
    applyPages(rebuilt, base);
    applyPages(rebuilt, set);
    expect(sameBytes(rebuilt, memory)).toBe(true);
  });

  it("refuses pages outside the memory before it writes any", () => {
    const small = new Uint8Array(2 * PAGE_BYTES);
    const set = { pages: Uint32Array.of(0, 2), bytes: new Uint8Array(2 * PAGE_BYTES).fill(1) };
    expect(() => applyPages(small, set)).toThrow("Page 2 lies outside a memory of 8192 bytes.");
    expect(small.every((byte) => byte === 0)).toBe(true);
  });
});
