import { invalidOption } from "./errors.js";

const MIB = 1024 * 1024;

/** The engine's own minimum: its linear memory starts at 256 pages of 64 KiB. */
export const MIN_MEMORY_BYTES: number = 16 * MIB;
/** The engine's own maximum: 32768 pages. */
export const MAX_MEMORY_BYTES: number = 2048 * MIB;

/** Caps on a session and on each of its evals. `null` means no limit. */
export interface Limits {
  /** The session's whole WebAssembly memory: objects, strings and buffers. 16 MiB to 2 GiB. @default 64 MiB */
  readonly memoryLimitBytes: number;
  /** The engine's stack; less where the runtime's own cannot hold it (`stack-size.ts`). @default 320 KiB */
  readonly maxStackSizeBytes: number;
  /** Time the guest itself may run in one eval; waiting for host functions is free. @default 5000 */
  readonly executionTimeoutMs: number | null;
  /** Time of a whole eval, waiting included. @default 900 000 */
  readonly waitTimeoutMs: number | null;
  /** Calls of `tools` that one eval may start. @default 256 */
  readonly maxHostCalls: number | null;
  /** Calls of `tools` running at the same time; the others queue. @default null */
  readonly maxConcurrentCalls: number | null;
  /** Characters of source one eval may have. @default 1 000 000 */
  readonly maxSourceChars: number;
  /** Characters of one argument or result that crosses the boundary, in its encoded form. @default 32 Mi */
  readonly maxValueChars: number;
  /** Characters of console output kept per eval: head and tail of it. @default 200 000 */
  readonly maxLogChars: number;
  /** Characters a value is rendered to. @default 100 000 */
  readonly maxRenderChars: number;
}

export const DEFAULT_LIMITS: Limits = {
  memoryLimitBytes: 64 * MIB,
  maxStackSizeBytes: 320 * 1024,
  executionTimeoutMs: 5000,
  waitTimeoutMs: 900_000,
  maxHostCalls: 256,
  maxConcurrentCalls: null,
  maxSourceChars: 1_000_000,
  maxValueChars: 32 * MIB,
  maxLogChars: 200_000,
  maxRenderChars: 100_000,
};

/** Smallest and largest accepted value; `off` says that `null` (and a negative number or `Infinity`) means no limit. */
const ranges: { readonly [K in keyof Limits]: { min: number; max: number; off?: true } } = {
  memoryLimitBytes: { min: MIN_MEMORY_BYTES, max: MAX_MEMORY_BYTES },
  maxStackSizeBytes: { min: 16 * 1024, max: 1024 * 1024 },
  executionTimeoutMs: { min: 1, max: 2 ** 31 - 1, off: true },
  waitTimeoutMs: { min: 1, max: 2 ** 31 - 1, off: true },
  maxHostCalls: { min: 1, max: Number.MAX_SAFE_INTEGER, off: true },
  maxConcurrentCalls: { min: 1, max: Number.MAX_SAFE_INTEGER, off: true },
  maxSourceChars: { min: 1, max: 64 * MIB },
  maxValueChars: { min: 1024, max: 512 * MIB },
  maxLogChars: { min: 0, max: 64 * MIB },
  maxRenderChars: { min: 0, max: 64 * MIB },
};

/** Timeouts accept the spellings of "none" that the documented interpreter accepts: negative, `Infinity`. */
const timeouts: readonly string[] = ["executionTimeoutMs", "waitTimeoutMs"];

/**
 * The given limits over the defaults.
 *
 * @throws {TypeError} naming the limit, its value and what is allowed.
 */
export function resolveLimits(given: Partial<{ [K in keyof Limits]: Limits[K] | undefined }> = {}): Limits {
  const resolved: Record<string, number | null> = { ...DEFAULT_LIMITS };
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(ranges, name)) {
      throw new TypeError(`Unknown limit \`${name}\`. Known: ${Object.keys(ranges).join(", ")}.`);
    }
    if (value !== undefined) resolved[name] = resolveLimit(name as keyof Limits, value);
  }
  return resolved as unknown as Limits;
}

function resolveLimit(name: keyof Limits, value: unknown): number | null {
  const { min, max, off } = ranges[name];
  const none =
    value === null ||
    (timeouts.includes(name) && typeof value === "number" && (value < 0 || value === Infinity));
  if (off && none) return null;
  if (typeof value !== "number" || !Number.isInteger(value) || value < min || value > max) {
    const orNone = off
      ? timeouts.includes(name)
        ? ", or null (or a negative number) for no limit"
        : ", or null for no limit"
      : "";
    throw invalidOption(name, value, `a whole number from ${min} to ${max}${orNone}`);
  }
  return value;
}
