/**
 * Measures the time the guest itself runs, by the clock and, where the clock stands still while code runs (deployed
 * Workers advance it only on I/O), by the engine's interrupt ticks.
 */
import type { Timekeeper } from "../clock.js";

/**
 * The engine asks 0.3 (sorting strings) to 3.4 (tight loop) times per millisecond. With a frozen clock a tight loop
 * therefore ends at about the limit's 60 %, heavy built-ins at up to five times the limit.
 */
const TICKS_PER_MS = 2;
/** Queued jobs ask seldom; this many count as one tick. */
const JOBS_PER_TICK = 200;
/**
 * Requests of the host take 9 µs (a short line on the console) to 40 µs (a URL), and 15 ns more for each character;
 * what asks without an argument (the clock) takes 1.3 µs. The engine counts a few steps for each.
 */
const TICKS_PER_REQUEST = 0.02;
const TICKS_PER_CHAR = 3e-5;
const TICKS_PER_QUESTION = 0.003;

export class GuestMeter {
  readonly #time: Timekeeper;
  readonly #limitMs: number;
  #usedMs: number;
  #frozenTicks = 0;
  #sliceStart = 0;
  #sliceTicks = 0;
  #depth = 0;

  constructor(time: Timekeeper, limitMs: number | null, usedMs = 0) {
    this.#time = time;
    this.#limitMs = limitMs ?? Number.POSITIVE_INFINITY;
    this.#usedMs = usedMs;
  }

  /** Runs guest code and counts it. */
  run<T>(guest: () => T): T {
    if (this.#depth++ === 0) {
      this.#sliceStart = this.#time.now();
      this.#sliceTicks = 0;
    }
    try {
      return guest();
    } finally {
      if (--this.#depth === 0) {
        const elapsed = this.#time.now() - this.#sliceStart;
        this.#usedMs += elapsed;
        if (elapsed === 0) this.#frozenTicks += this.#sliceTicks;
      }
    }
  }

  /** One question of the engine. */
  tick(): boolean {
    this.#sliceTicks++;
    return this.isOver;
  }

  /** One request of the guest, whose argument has so many characters. */
  countRequest(chars: number): void {
    this.#sliceTicks += chars === 0 ? TICKS_PER_QUESTION : TICKS_PER_REQUEST + chars * TICKS_PER_CHAR;
  }

  /** Jobs that ran between two questions. */
  countJobs(jobs: number): void {
    this.#sliceTicks += jobs / JOBS_PER_TICK;
    if (this.#depth === 0) this.#frozenTicks += jobs / JOBS_PER_TICK;
  }

  get isOver(): boolean {
    const elapsed = this.#depth > 0 ? this.#time.now() - this.#sliceStart : 0;
    if (this.#usedMs + elapsed > this.#limitMs) return true;
    const frozen = this.#frozenTicks + (elapsed === 0 ? this.#sliceTicks : 0);
    return frozen > this.#limitMs * TICKS_PER_MS;
  }

  get usedMs(): number {
    return this.#usedMs + (this.#depth > 0 ? this.#time.now() - this.#sliceStart : 0);
  }
}
