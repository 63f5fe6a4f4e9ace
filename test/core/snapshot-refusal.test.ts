import { describe, expect, it } from "vitest";
import { decodeSnapshot } from "../../src/snapshot/decode-snapshot.js";
import { deflate } from "../../src/snapshot/deflate.js";
import {
  type NewSection,
  readEnvelope,
  viewOf,
  writeEnvelope,
  writeHash,
} from "../../src/snapshot/envelope.js";
import { hashOf } from "../../src/snapshot/hash.js";
import { writeImageSection } from "../../src/snapshot/image-section.js";
import { encodeSample, engineId, MEBIBYTE, refusal } from "../support/snapshots.js";

const maxMemoryBytes = MEBIBYTE;
const expectations = { engineId, maxMemoryBytes };
const refuse = (bytes: Uint8Array, more = {}) => refusal(decodeSnapshot(bytes, { ...expectations, ...more }));
const code = async (bytes: Uint8Array, more = {}) => (await refuse(bytes, more)).code;

/** An envelope around sections that nobody would write, with every checksum right. */
function forge(...sections: (Partial<NewSection> & { stored: Uint8Array })[]): Uint8Array {
  const whole = sections.map((section) => ({
    name: "image" as const,
    deflated: false,
    rawSize: section.stored.length,
    rawHash: hashOf(section.stored),
    ...section,
  }));
  return writeEnvelope(whole, { engineId, signed: false, bindingHash: undefined });
}

/** Changes numbers in the head and makes its checksum right again. */
function resealed(bytes: Uint8Array, change: (view: DataView) => void): Uint8Array {
  const copy = bytes.slice();
  const view = viewOf(copy);
  change(view);
  const tableEnd = 56 + 32 * view.getUint32(12, true);
  writeHash(view, tableEnd, hashOf(copy.subarray(0, tableEnd)));
  return copy;
}

const image = (segments: Parameters<typeof writeImageSection>[0]["segments"], memoryBytes = MEBIBYTE) =>
  forge({ stored: writeImageSection({ memoryBytes, segments }) });
const page = (value: number) => new Uint8Array(4096).fill(value);

describe("a damaged snapshot", () => {
  it("is refused whichever byte was flipped", async () => {
    const bytes = await encodeSample();
    const step = Math.max(1, Math.floor(bytes.length / 700));
    for (let at = 0; at < bytes.length; at += at < 300 ? 1 : step) {
      const flipped = bytes.slice();
      flipped[at]! ^= 1 << (at % 8);
      expect(await code(flipped), `byte ${at}`).toBe(
        at === 4 || at === 5 ? "SNAPSHOT_VERSION" : "SNAPSHOT_CORRUPT",
      );
    }
  });

  it("is refused wherever it was cut", async () => {
    const bytes = await encodeSample();
    for (let end = 0; end < bytes.length; end += end < 300 ? 1 : 97)
      expect(await code(bytes.subarray(0, end)), `cut at ${end}`).toBe("SNAPSHOT_CORRUPT");
  });

  it("is refused when anything was added or left out", async () => {
    const bytes = await encodeSample();
    for (const extra of [1, 4, 32, 5000]) {
      const longer = new Uint8Array(bytes.length + extra);
      longer.set(bytes);
      expect(await code(longer)).toBe("SNAPSHOT_CORRUPT");
      expect(await code(resealed(longer, (view) => view.setUint32(8, longer.length, true)))).toBe(
        "SNAPSHOT_CORRUPT",
      );
    }
    for (const at of [0, 20, 100, 2000]) {
      const shorter = new Uint8Array(bytes.length - 1);
      shorter.set(bytes.subarray(0, at));
      shorter.set(bytes.subarray(at + 1), at);
      expect(await code(shorter)).toBe("SNAPSHOT_CORRUPT");
    }
  });

  it("is refused when two stretches changed places", async () => {
    const bytes = await encodeSample();
    for (const [a, b, length] of [
      [400, 1400, 16],
      [1000, 1004, 4],
      [56, 88, 32],
    ] as const) {
      const swapped = bytes.slice();
      swapped.set(bytes.subarray(a, a + length), b);
      swapped.set(bytes.subarray(b, b + length), a);
      expect(await code(swapped)).toBe("SNAPSHOT_CORRUPT");
    }
  });

  it("says which part is damaged", async () => {
    const bytes = await encodeSample();
    for (const { kind, offset } of readEnvelope(bytes).sections) {
      const flipped = bytes.slice();
      flipped[offset + 3]! ^= 1;
      const name = ["image", "data", "index", "meta"][kind - 1];
      expect((await refuse(flipped)).message).toBe(
        `The snapshot is damaged or not a snapshot: the checksum of its ${name} section is wrong.`,
      );
    }
  });

  it("says what it found instead of a snapshot", async () => {
    expect((await refuse(new Uint8Array(3))).message).toContain(
      "it has 3 bytes, and the smallest snapshot has 64",
    );
    expect((await refuse(new Uint8Array(300).fill(0x7b))).message).toContain("it starts with 7b7b7b7b");
    const cut = (await encodeSample()).subarray(0, 700);
    expect((await refuse(cut)).message).toMatch(/it has 700 bytes, and its head says \d+/);
  });
});

describe("a snapshot of another format", () => {
  it("is refused with both versions when it is newer", async () => {
    const newer = resealed(await encodeSample(), (view) => view.setUint16(4, 2, true));
    const error = await refuse(newer);
    expect(error.code).toBe("SNAPSHOT_VERSION");
    expect(error.message).toBe(
      "The snapshot has format version 2; this version of edge-interpreter reads 1. It was written by a newer version: update the package.",
    );
  });

  it("is refused when a section it knows has a flag it does not know", async () => {
    expect(await code(resealed(await encodeSample(), (view) => view.setUint16(58, 3, true)))).toBe(
      "SNAPSHOT_CORRUPT",
    );
  });

  it("is read without the sections this version does not know", async () => {
    const bytes = resealed(await encodeSample(), (view) => view.setUint16(56, 4711, true));
    const decoded = await decodeSnapshot(bytes, expectations);
    expect(decoded.meta).toBeUndefined();
    expect(decoded.image?.pages.length).toBe(7);
  });
});

describe("a signed snapshot", () => {
  const key = { signingKey: "a secret", binding: "thread 1" };

  it("is read with its key and its thread", async () => {
    const decoded = await decodeSnapshot(await encodeSample(key), { ...expectations, ...key });
    expect(decoded).toMatchObject({ signed: true, engineMatches: true });
    const bytes = new TextEncoder().encode("a secret");
    await decodeSnapshot(await encodeSample(key), { ...expectations, ...key, signingKey: bytes });
  });

  it("is refused with another key or for another thread", async () => {
    const bytes = await encodeSample(key);
    expect(await code(bytes, { ...key, signingKey: "another" })).toBe("SNAPSHOT_SIGNATURE");
    expect((await refuse(bytes, { ...key, binding: "thread 2" })).message).toBe(
      'The snapshot belongs to another thread than "thread 2".',
    );
    expect(await code(bytes, { signingKey: "a secret" })).toBe("SNAPSHOT_SIGNATURE");
  });

  it("is refused when it was altered and every checksum made right again", async () => {
    const bytes = await encodeSample(key);
    const engine = resealed(bytes, (view) => view.setUint8(20, 1));
    expect(await code(engine, key)).toBe("SNAPSHOT_SIGNATURE");
    const rebound = resealed(await encodeSample({ ...key, binding: "thread 2" }), (view) =>
      writeHash(view, 48, hashOf(new TextEncoder().encode("thread 1"))),
    );
    expect(await code(rebound, key)).toBe("SNAPSHOT_SIGNATURE");
    const signature = bytes.slice();
    signature[bytes.length - 1]! ^= 1;
    expect(await code(signature, key)).toBe("SNAPSHOT_SIGNATURE");
  });

  it("cannot be replaced by one that is not signed", async () => {
    expect((await refuse(await encodeSample({ binding: "thread 1" }), key)).message).toBe(
      "The snapshot is not signed, and snapshotSigningKey accepts only signed ones.",
    );
  });

  it("needs a key that is not empty", async () => {
    await expect(encodeSample({ signingKey: "" })).rejects.toThrow("`snapshotSigningKey` must be");
    await expect(encodeSample({ signingKey: new Uint8Array(0) })).rejects.toThrow(TypeError);
  });
});

describe("a snapshot without a signature", () => {
  it("is refused for another thread than the one it names", async () => {
    const bytes = await encodeSample({ binding: "thread 1" });
    expect((await decodeSnapshot(bytes, { ...expectations, binding: "thread 1" })).signed).toBe(false);
    expect(await code(bytes, { binding: "thread 2" })).toBe("SNAPSHOT_SIGNATURE");
    expect((await refuse(await encodeSample(), { binding: "thread 2" })).message).toBe(
      'The snapshot names no thread, and one of "thread 2" is expected.',
    );
  });
});

describe("limits", () => {
  it("refuse an image of a memory that is too large, before anything is inflated", async () => {
    const bytes = await encodeSample();
    const error = await refuse(bytes, { maxMemoryBytes: MEBIBYTE - 1 });
    expect(error.code).toBe("SNAPSHOT_TOO_LARGE");
    expect(error.message).toContain(
      "a session with 1048576 bytes of memory; memoryLimitBytes allows 1048575",
    );
  });

  it("refuse a section that declares too much, without allocating it", async () => {
    const stored = await deflate(new Uint8Array(1000));
    const bytes = forge({ name: "data", deflated: true, stored, rawSize: 0xffff_ffff });
    expect(await code(bytes)).toBe("SNAPSHOT_TOO_LARGE");
  });

  it("end inflation of a section that holds more or less than it declares", async () => {
    const bomb = await deflate(new Uint8Array(32 * MEBIBYTE));
    for (const rawSize of [1000, MEBIBYTE - 1])
      expect(await code(forge({ name: "data", deflated: true, stored: bomb, rawSize }))).toBe(
        "SNAPSHOT_CORRUPT",
      );
    const little = await deflate(page(32));
    expect(await code(forge({ name: "data", deflated: true, stored: little, rawSize: 5000 }))).toBe(
      "SNAPSHOT_CORRUPT",
    );
  });

  it("end inflation of a segment that holds more or less than its pages", async () => {
    const bomb = (await deflate(new Uint8Array(32 * MEBIBYTE))).slice(0, 4000);
    const hash = hashOf(page(1));
    expect(await code(image([{ firstPage: 0, bits: 1, stored: bomb, hash }]))).toBe("SNAPSHOT_CORRUPT");
    const one = await deflate(page(1));
    expect(await code(image([{ firstPage: 0, bits: 3, stored: one, hash }]))).toBe("SNAPSHOT_CORRUPT");
    expect(await code(image([{ firstPage: 0, bits: 1, stored: page(7).subarray(9), hash }]))).toBe(
      "SNAPSHOT_CORRUPT",
    );
    expect(await code(image([{ firstPage: 0, bits: 1, stored: page(2), hash }]))).toBe("SNAPSHOT_CORRUPT");
  });

  it("refuse segments out of order, twice, empty or outside the memory", async () => {
    const segment = (firstPage: number, bits = 1) => ({
      firstPage,
      bits,
      stored: page(1),
      hash: hashOf(page(1)),
    });
    expect((await decodeSnapshot(image([segment(255)]), expectations)).image?.pages).toEqual(
      Uint32Array.of(255),
    );
    for (const segments of [
      [segment(256)],
      [segment(0xffff_ffff)],
      [segment(254, 0b101)],
      [segment(2), segment(1)],
      [segment(2), segment(2)],
      [segment(2, 0b1001), segment(5)],
      [segment(0, 0)],
    ])
      expect(await code(image(segments))).toBe("SNAPSHOT_CORRUPT");
    expect(await code(image([], 0))).toBe("SNAPSHOT_CORRUPT");
    expect(await code(image([], 65535))).toBe("SNAPSHOT_CORRUPT");
    expect(await code(forge({ stored: new Uint8Array(5) }))).toBe("SNAPSHOT_CORRUPT");
  });

  it("refuse sections twice, sizes that do not match and text that is none", async () => {
    const text = (value: string) => new TextEncoder().encode(value);
    expect(await code(forge({ name: "data", stored: text("1") }, { name: "data", stored: text("1") }))).toBe(
      "SNAPSHOT_CORRUPT",
    );
    expect(await code(forge({ name: "data", stored: text("12"), rawSize: 1 }))).toBe("SNAPSHOT_CORRUPT");
    expect(await code(forge({ name: "data", stored: Uint8Array.of(0xff) }))).toBe("SNAPSHOT_CORRUPT");
    for (const index of ["", "{}", "[1]", "[null]", '[{"name":"a"}]'])
      expect(await code(forge({ name: "index", stored: text(index) }))).toBe("SNAPSHOT_CORRUPT");
    for (const meta of ["", "[]", "null", "1"])
      expect(await code(forge({ name: "meta", stored: text(meta) }))).toBe("SNAPSHOT_CORRUPT");
  });

  it("refuse anything that is not bytes as misuse", async () => {
    await expect(decodeSnapshot("EISN" as unknown as Uint8Array, expectations)).rejects.toThrow(TypeError);
    await expect(decodeSnapshot(await encodeSample(), { maxMemoryBytes: Number.NaN })).rejects.toThrow(
      "`maxMemoryBytes` must be a number above 0",
    );
  });
});
