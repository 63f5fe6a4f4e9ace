/** How much of this process or isolate live sessions may take. The only place that asks which runtime it is. */
import { invalidOption } from "./errors.js";
import { MIN_MEMORY_BYTES } from "./limits.js";

const MIB = 1024 * 1024;

/** Interpreters with the same figures share them. */
export interface Capacity {
  /**
   * Sessions with an instance of their own; the others sleep as a compressed image in memory and wake when they are
   * used. @default 256; 64 in a browser; 4 in a Worker
   */
  readonly maxLiveSessions: number;
  /**
   * Memory of all live sessions together. Idle ones are put to sleep, least recently used first; running ones cannot
   * be, so they are refused to grow beyond it. @default 4 GiB; 1 GiB in a browser; 80 MiB in a Worker
   */
  readonly maxTotalMemoryBytes: number;
}

/** An isolate of Cloudflare's has 128 MB for everything. */
const WORKER: Capacity = { maxLiveSessions: 4, maxTotalMemoryBytes: 80 * MIB };
const BROWSER: Capacity = { maxLiveSessions: 64, maxTotalMemoryBytes: 1024 * MIB };
const PROCESS: Capacity = { maxLiveSessions: 256, maxTotalMemoryBytes: 4096 * MIB };

const runtimeName = (): string | undefined =>
  typeof navigator === "undefined" ? undefined : navigator.userAgent;

/**
 * How much more the host's stack has to hold than the engine will be given. Its frames are not the same size twice,
 * and in a tab or a Worker its size is not either: it depends on where the thread was when the event began.
 */
export const stackMargin = (): number => (defaultCapacity() === PROCESS ? 1.12 : 1.5);

/** @param userAgent What the runtime calls itself. */
export function defaultCapacity(userAgent: string | undefined = runtimeName()): Capacity {
  if (userAgent === "Cloudflare-Workers") return WORKER;
  return userAgent?.startsWith("Mozilla/") ? BROWSER : PROCESS;
}

/**
 * The given figures over the runtime's.
 *
 * @throws {TypeError} naming the option, its value and what is allowed.
 */
export function resolveCapacity(
  given: { readonly [K in keyof Capacity]?: Capacity[K] | undefined },
): Capacity {
  const { maxLiveSessions, maxTotalMemoryBytes } = { ...defaultCapacity(), ...withoutAbsent(given) };
  return {
    maxLiveSessions: whole("maxLiveSessions", maxLiveSessions, 1),
    maxTotalMemoryBytes: whole("maxTotalMemoryBytes", maxTotalMemoryBytes, MIN_MEMORY_BYTES),
  };
}

function withoutAbsent<T extends object>(given: T): Partial<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function whole(name: string, value: unknown, min: number): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < min) {
    throw invalidOption(name, value, `a whole number of at least ${min}`);
  }
  return value;
}
