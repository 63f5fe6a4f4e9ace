import { beforeAll, describe, expect, it } from "vitest";
import { decodeSnapshot } from "../../src/snapshot/decode-snapshot.js";
import { encodeSnapshot } from "../../src/snapshot/encode-snapshot.js";
import { type HeapLayout, locateHeap, sweepFreeSpace } from "../../src/snapshot/free-space.js";
import { applyPages, type BaseImage, changedPages, takeBaseImage } from "../../src/snapshot/pages.js";
import { type BootedEngine, bootEngine } from "../support/booted-engine.js";
import { engineId, MEBIBYTE, randomFrom, sameBytes } from "../support/snapshots.js";

let layout: HeapLayout;
let base: BaseImage;

beforeAll(async () => {
  const { memory } = await bootEngine();
  const found = locateHeap(memory);
  if (!found) throw new Error("the allocator of the pinned engine was not found");
  layout = found;
  base = takeBaseImage(memory, sweepFreeSpace(memory, layout));
});

/** Bytes of a snapshot, with or without clearing free space first. */
function save(engine: BootedEngine, sweep = true): Promise<Uint8Array> {
  const { memory } = engine;
  const hints = sweep ? sweepFreeSpace(memory, layout) : {};
  expect(hints, "the heap is in order").toBeDefined();
  return encodeSnapshot({ image: { memory, pages: changedPages(memory, base, hints) } }, { engineId });
}

async function load(snapshot: Uint8Array): Promise<BootedEngine> {
  const { image } = await decodeSnapshot(snapshot, { engineId, maxMemoryBytes: 128 * MEBIBYTE });
  const engine = await bootEngine(image!.memoryBytes);
  engine.memory.fill(0);
  applyPages(engine.memory, base);
  applyPages(engine.memory, image!);
  return engine;
}

function contains(memory: Uint8Array, text: string): boolean {
  const bytes = new TextEncoder().encode(text);
  for (let at = memory.indexOf(bytes[0]!); at >= 0; at = memory.indexOf(bytes[0]!, at + 1))
    if (bytes.every((byte, index) => memory[at + index] === byte)) return true;
  return false;
}

describe("locating the heap", () => {
  it("finds the allocator of the pinned engine where the linker put it", () => {
    expect(layout).toEqual({ state: 88260, heapStart: 5333088, stackEnd: 90208 });
  });

  it("finds nothing in a memory without an allocator", () => {
    expect(locateHeap(new Uint8Array(16 * MEBIBYTE))).toBeUndefined();
    expect(locateHeap(new Uint8Array(65536))).toBeUndefined();
    expect(locateHeap(new Uint8Array(16 * MEBIBYTE).fill(0xff))).toBeUndefined();
  });
});

describe("free space", () => {
  it("of twenty megabytes costs next to nothing once they are freed", async () => {
    const engine = await bootEngine();
    engine.run("globalThis.keep = [1, 2, 3]; globalThis.big = []; 0");
    engine.run("for (let i = 0; i < 300000; i++) big.push({ i, t: i * 0.37 }); 0");
    expect(engine.memory.length).toBeGreaterThan(20 * MEBIBYTE);
    engine.run("big = null; 0");
    const [stale, swept] = [await save(engine, false), await save(engine)];
    expect(stale.length).toBeGreaterThan(MEBIBYTE);
    expect(swept.length).toBeLessThan(40_000);
    const restored = await load(swept);
    expect(restored.run("keep.push(4); JSON.stringify([keep, big])")).toBe("[[1,2,3,4],null]");
  });

  it("keeps no secret that was freed, in small and in large strings", async () => {
    const engine = await bootEngine();
    engine.run(`
      globalThis.secret = (n) => ["SECRET", "TOKEN", n, "."].join("-").repeat(n);
      globalThis.held = Array.from({ length: 60 }, (_, i) => secret(i + 2));
      (function deep(n, s) { return n ? deep(n - 1, s + "a") : s.length })(200, secret(3));
      0`);
    expect(contains(engine.memory, "SECRET-TOKEN-")).toBe(true);
    engine.run("held = null; secret = null; 0");
    expect(contains(engine.memory, "SECRET-TOKEN-")).toBe(true);
    const restored = await load(await save(engine));
    expect(contains(restored.memory, "SECRET-TOKEN-")).toBe(false);
  });

  it("is cleared without the session noticing", async () => {
    const engine = await bootEngine();
    const twin = await bootEngine();
    const random = randomFrom(99);
    for (const each of [engine, twin]) each.run(PROGRAM);
    for (let round = 0; round < 12; round++) {
      const step = `step(${random(1e6)}, ${20 + random(200)})`;
      expect(sweepFreeSpace(engine.memory, layout)).toBeDefined();
      expect(engine.run(step)).toBe(twin.run(step));
    }
  });

  it("says how far the memory is used and leaves everything behind that zero", async () => {
    const engine = await bootEngine();
    engine.run("globalThis.rows = Array.from({ length: 20000 }, (_, i) => ({ i })); 0");
    const { usedBytes = 0 } = sweepFreeSpace(engine.memory, layout)!;
    expect(usedBytes).toBeLessThan(engine.memory.length);
    expect(engine.memory.subarray(usedBytes).every((byte) => byte === 0)).toBe(true);
  });
});

describe("a heap that is not in order", () => {
  it("is left alone, whichever word of the allocator was changed", async () => {
    const engine = await bootEngine();
    engine.run("globalThis.rows = Array.from({ length: 300 }, (_, i) => ({ i })); rows.length = 150; 0");
    const good = engine.memory.slice(0, sweepFreeSpace(engine.memory, layout)!.usedBytes);
    for (const offset of [12, 16, 24, 36, 448, 452, 456]) {
      const bad = good.slice();
      new DataView(bad.buffer).setUint32(layout.state + offset, 0x2222_2228, true);
      const before = bad.slice();
      expect(sweepFreeSpace(bad, layout), `state + ${offset}`).toBeUndefined();
      expect(sameBytes(bad, before)).toBe(true);
    }
  });

  it("is left alone or read within its bounds, whatever its chunk heads say", async () => {
    const engine = await bootEngine();
    engine.run("globalThis.rows = Array.from({ length: 300 }, (_, i) => ({ i })); rows.length = 150; 0");
    const random = randomFrom(3);
    const good = engine.memory.slice(0, sweepFreeSpace(engine.memory, layout)!.usedBytes);
    const view = new DataView(good.buffer);
    let refused = 0;
    for (let i = 0; i < 100; i++) {
      const at = layout.heapStart + 4 * random(16000);
      const before = view.getUint32(at, true);
      view.setUint32(at, [0, 1, 2, 0xffff_ffff, 0x7fff_fff8, before ^ 1, before + 8][random(7)]!, true);
      const copy = good.slice();
      if (!sweepFreeSpace(copy, layout)) {
        refused++;
        expect(sameBytes(copy, good)).toBe(true);
      }
      view.setUint32(at, before, true);
    }
    expect(refused).toBeGreaterThan(0);
  });
});

/** Guest program whose steps allocate, link, free and collect in ways that depend on the seed only. */
const PROGRAM = `
  globalThis.store = new Map(); globalThis.cycles = [];
  globalThis.step = (seed, count) => {
    let state = seed >>> 0;
    const random = (n) => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return Math.floor(state / 2 ** 32 * n) };
    for (let i = 0; i < count; i++) {
      const key = random(300);
      switch (random(9)) {
        case 0: store.set(key, "x" + "ab".repeat(random(4000)) + key); break;
        case 1: store.set(key, Array.from({ length: random(800) }, (_, n) => ({ n, k: key + ":" + n }))); break;
        case 2: store.set(key, new Uint8Array(random(200000)).fill(key)); break;
        case 3: { const a = { key }; a.self = [a]; if (random(2)) cycles.push(a); break }
        case 4: store.set(key, eval("(function f" + key + "(a) { return a + " + random(99) + " })")); break;
        case 5: cycles.length = Math.min(cycles.length, random(50)); break;
        case 6: { const old = store.get(key); if (Array.isArray(old)) old.splice(random(5), random(500)); break }
        default: store.delete(key);
      }
    }
    let sum = cycles.length;
    for (const [key, value] of store) {
      const text = typeof value === "function" ? String(value(1)) + value : typeof value === "string" ? value : JSON.stringify(value.length > 3000 ? [value.length, value[7]] : Array.from(value));
      for (let i = 0; i < text.length; i += 7) sum = (Math.imul(sum, 31) + text.charCodeAt(i) + key) | 0;
    }
    return sum + "/" + store.size;
  };
  0`;

describe("sessions restored from swept snapshots", () => {
  it.each([1, 2, 3])("go on exactly like one that was never saved (program %i)", async (seed) => {
    const random = randomFrom(seed * 7919);
    let session = await bootEngine();
    const twin = await bootEngine();
    for (const each of [session, twin]) each.run(PROGRAM);
    for (let round = 0; round < 5; round++) {
      const step = `step(${random(1e9)}, ${10 + random(300)})`;
      expect(session.run(step)).toBe(twin.run(step));
      if (random(4) === 0) {
        // A burst that grows the memory and is freed again.
        const burst = `(() => { const a = []; for (let i = 0; i < ${1 + random(60000)}; i++) a.push([i, "s" + i]); return a.length })()`;
        expect(session.run(burst)).toBe(twin.run(burst));
      }
      session = await load(await save(session));
    }
    const clear = "store.clear(); cycles.length = 0; step(1, 5)";
    expect(session.run(clear)).toBe(twin.run(clear));
  });
});
