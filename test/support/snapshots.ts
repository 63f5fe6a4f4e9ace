import { type InterpreterError, SnapshotError } from "../../src/errors.js";
import {
  type EncodeOptions,
  encodeSnapshot,
  type SnapshotParts,
} from "../../src/snapshot/encode-snapshot.js";
import { type BaseImage, changedPages, PAGE_BYTES, takeBaseImage } from "../../src/snapshot/pages.js";

export const MEBIBYTE = 1 << 20;
export const engineId: Uint8Array = new Uint8Array(32).map((_, index) => index * 7);

/** Repeatable pseudo-random numbers from 0 up to, not including, `limit`. */
export function randomFrom(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** A memory with some words of a "booted engine" in it, the same every time. */
export function bootedMemory(bytes = MEBIBYTE): { memory: Uint8Array; base: BaseImage } {
  const memory = new Uint8Array(bytes);
  for (const page of [0, 1, 9, 40]) memory.fill(page + 1, page * PAGE_BYTES, page * PAGE_BYTES + 3000);
  return { memory, base: takeBaseImage(memory) };
}

/** Overwrites a part of a page with bytes that hardly compress. */
export function scribble(memory: Uint8Array, page: number, seed = page): void {
  const random = randomFrom(seed);
  for (let i = 0; i < 900; i++) memory[page * PAGE_BYTES + i] = random(256);
}

/** A session that changed a few pages, with every section. */
export function sampleParts(): SnapshotParts & { image: { memory: Uint8Array; pages: Uint32Array } } {
  const { memory, base } = bootedMemory();
  for (const page of [1, 7, 31, 32, 33, 200]) scribble(memory, page);
  memory.fill(0, 9 * PAGE_BYTES, 10 * PAGE_BYTES);
  return {
    image: { memory, pages: changedPages(memory, base) },
    data: JSON.stringify({ rows: Array.from({ length: 50 }, (_, id) => ({ id, name: `row ${id} ünï` })) }),
    index: [{ name: "rows", type: "array", size: 1200, preview: "[{ id: 0, name: …" }],
    meta: { evals: 3 },
  };
}

export function encodeSample(options: Partial<EncodeOptions> = {}): Promise<Uint8Array> {
  return encodeSnapshot(sampleParts(), { engineId, ...options });
}

/** `toEqual` takes seconds for a mebibyte. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** The error a promise rejects with, which has to be a `SnapshotError`. */
export async function refusal(promise: Promise<unknown>): Promise<InterpreterError> {
  const outcome = await promise.then(
    () => "it was accepted",
    (error: unknown) => error,
  );
  if (!(outcome instanceof SnapshotError)) throw new Error("expected a SnapshotError", { cause: outcome });
  return outcome;
}
