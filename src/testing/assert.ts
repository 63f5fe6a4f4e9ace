/** The few assertions the exported suites need, so that they depend on no test framework. */
import { InterpreterError } from "../errors.js";

/** @throws {Error} when the condition does not hold */
export function assertThat(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

export function assertEqual(actual: unknown, expected: unknown, what: string): void {
  if (!Object.is(actual, expected))
    throw new Error(`Expected ${what} to be ${String(expected)}, but it is ${String(actual)}.`);
}

export function assertBytes(actual: Uint8Array | undefined, expected: Uint8Array): void {
  assertThat(actual instanceof Uint8Array, `Expected bytes, but it is ${String(actual)}.`);
  assertEqual(actual.length, expected.length, "number of bytes");
  for (let index = 0; index < expected.length; index++)
    if (actual[index] !== expected[index]) assertEqual(actual[index], expected[index], `byte ${index}`);
}

export async function assertCode(code: string, promise: Promise<unknown>): Promise<void> {
  let found: unknown = "nothing was thrown";
  try {
    await promise;
  } catch (error) {
    if (InterpreterError.isInstance(error) && error.code === code) return;
    found = error;
  }
  throw new Error(`Expected an error with the code ${code}, but: ${String(found)}`);
}

export const MiB: number = 1024 * 1024;

/** Bytes that differ at every chunk boundary and per seed. */
export function pattern(size: number, seed = 0): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let state = seed * 2654435761 + 1;
  for (let index = 0; index < size; index++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[index] = state >>> 24;
  }
  return bytes;
}
