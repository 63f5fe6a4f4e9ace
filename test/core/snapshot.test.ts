import { describe, expect, it } from "vitest";
import { decodeSnapshot } from "../../src/snapshot/decode-snapshot.js";
import { encodeSnapshot, type SnapshotParts } from "../../src/snapshot/encode-snapshot.js";
import { copyPages } from "../../src/snapshot/pages.js";
import { SNAPSHOT_FORMAT_1 } from "../fixtures/snapshot-format-1.js";
import {
  encodeSample,
  engineId,
  MEBIBYTE,
  refusal,
  sameBytes,
  sampleParts,
  scribble,
} from "../support/snapshots.js";

const maxMemoryBytes = MEBIBYTE;
const otherEngine = new Uint8Array(32).fill(9);
const saveAndLoad = async (parts: SnapshotParts) =>
  decodeSnapshot(await encodeSnapshot(parts, { engineId }), { engineId, maxMemoryBytes });

describe("a snapshot", () => {
  it("gives back every part it was made of", async () => {
    const parts = sampleParts();
    const decoded = await saveAndLoad(parts);
    expect(decoded).toMatchObject({ formatVersion: 1, engineMatches: true, signed: false });
    const { memory, pages } = parts.image;
    expect(decoded.image).toEqual({ memoryBytes: MEBIBYTE, ...copyPages(memory, pages) });
    expect(decoded.data).toBe(parts.data);
    expect(decoded.index).toEqual(parts.index);
    expect(decoded.meta).toEqual(parts.meta);
  });

  it("may have any subset of the parts", async () => {
    const { image, data } = sampleParts();
    for (const parts of [{}, { data }, { image }, { data: "" }, { meta: {} }, { index: [] }]) {
      const { formatVersion, engineId: _, engineMatches, signed, ...sections } = await saveAndLoad(parts);
      const present = Object.entries(sections).filter(([, value]) => value !== undefined);
      expect(present.map(([name]) => name)).toEqual(Object.keys(parts));
    }
  });

  it("holds the memory as it was when the save began", async () => {
    const { image } = sampleParts();
    const before = copyPages(image.memory, image.pages);
    const saving = encodeSnapshot({ image }, { engineId });
    image.memory.fill(0xee);
    const decoded = await decodeSnapshot(await saving, { engineId, maxMemoryBytes });
    expect(decoded.image?.bytes).toEqual(before.bytes);
  });

  it("is read from the middle of a larger buffer, at any alignment", async () => {
    const bytes = await encodeSample();
    const around = new Uint8Array(bytes.length + 11);
    around.set(bytes, 5);
    const inside = around.subarray(5, 5 + bytes.length);
    const decoded = await decodeSnapshot(inside, { engineId, maxMemoryBytes });
    expect(decoded.image?.pages.length).toBe(7);
  });

  it("keeps pages that do not compress", async () => {
    const memory = new Uint8Array(MEBIBYTE);
    for (let i = 0; i < MEBIBYTE; i += 65536) crypto.getRandomValues(memory.subarray(i, i + 65536));
    const pages = Uint32Array.from({ length: 256 }, (_, page) => page);
    const bytes = await encodeSnapshot({ image: { memory, pages } }, { engineId });
    expect(bytes.length).toBeLessThan(MEBIBYTE + 400);
    const decoded = await decodeSnapshot(bytes, { engineId, maxMemoryBytes });
    expect(sameBytes(decoded.image!.bytes, memory)).toBe(true);
  });

  it("of another engine gives its data and not its image", async () => {
    const bytes = await encodeSample();
    const decoded = await decodeSnapshot(bytes, { engineId: otherEngine, maxMemoryBytes });
    expect(decoded).toMatchObject({ engineMatches: false, image: undefined, data: sampleParts().data });
    expect(decoded.engineId).toEqual(engineId);
  });

  it("of another engine with nothing but an image is refused with both engines named", async () => {
    const { image } = sampleParts();
    const bytes = await encodeSnapshot({ image }, { engineId });
    const error = await refusal(decodeSnapshot(bytes, { engineId: otherEngine, maxMemoryBytes }));
    expect(error.code).toBe("SNAPSHOT_ENGINE");
    expect(error.message).toContain("00070e151c23");
    expect(error.message).toContain("090909090909");
  });

  it("gives only the sections that were asked for", async () => {
    const decoded = await decodeSnapshot(await encodeSample(), { maxMemoryBytes, sections: ["index"] });
    expect(decoded.index).toHaveLength(1);
    expect(decoded).toMatchObject({ image: undefined, data: undefined, meta: undefined });
  });
});

describe("a snapshot that was written when its format was released", () => {
  const hexOf = (bytes: ArrayBuffer) =>
    Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

  it("is still read in format 1", async () => {
    const bytes = Uint8Array.from(atob(SNAPSHOT_FORMAT_1), (character) => character.charCodeAt(0));
    const trust = { signingKey: "fixture key", binding: "fixture thread" };
    const decoded = await decodeSnapshot(bytes, { engineId, maxMemoryBytes, ...trust });
    expect(decoded).toMatchObject({ formatVersion: 1, engineMatches: true, signed: true });
    expect(decoded.index).toEqual([
      { name: "rows", type: "array", size: 1200, preview: "[{ id: 0, name: …" },
    ]);
    expect(decoded.meta).toEqual({ evals: 3 });
    expect(JSON.parse(decoded.data!).rows[49]).toEqual({ id: 49, name: "row 49 ünï" });
    expect(decoded.image).toMatchObject({
      memoryBytes: 1048576,
      pages: Uint32Array.of(1, 7, 9, 31, 32, 33, 200),
    });
    expect(hexOf(await crypto.subtle.digest("SHA-256", decoded.image!.bytes.slice()))).toBe(
      "dd3c0150495ca2a63af2875dfb329a1cec037fdc9a0988fee4056d7b00446970",
    );
  });
});

describe("saving again", () => {
  it("gives the very same array when nothing changed", async () => {
    const options = { engineId, signingKey: "key", binding: "thread" };
    const first = await encodeSnapshot(sampleParts(), options);
    expect(await encodeSnapshot(sampleParts(), { ...options, previous: first })).toBe(first);
  });

  it("gives the same bytes as a first save would", async () => {
    const { image, ...rest } = sampleParts();
    let previous: Uint8Array | undefined;
    for (const [turn, page] of [7, 60, 200, 33, 7].entries()) {
      scribble(image.memory, page, turn + 1000);
      const pages = Uint32Array.of(1, 7, 9, 31, 32, 33, ...(turn > 0 ? [60] : []), 200);
      const parts = { image: { memory: image.memory, pages }, ...rest, meta: { turn } };
      const again: Uint8Array = await encodeSnapshot(parts, { engineId, previous });
      expect(again).toEqual(await encodeSnapshot(parts, { engineId }));
      previous = again;
    }
  });

  it("drops what is no longer part of the session", async () => {
    const previous = await encodeSample();
    const { image } = sampleParts();
    const parts = { image: { memory: image.memory, pages: image.pages.slice(0, 2) } };
    const bytes = await encodeSnapshot(parts, { engineId, previous });
    const decoded = await decodeSnapshot(bytes, { engineId, maxMemoryBytes });
    expect(Array.from(decoded.image?.pages ?? [])).toEqual([1, 7]);
    expect(decoded.data).toBeUndefined();
  });
});
