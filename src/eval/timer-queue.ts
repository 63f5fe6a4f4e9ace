import type { Timekeeper } from "../clock.js";

/** More than a program needs; they are kept in the guest's memory and in the host's. */
const MAX_TIMERS = 10_000;

/**
 * The guest's timers on the host's clock, all on one timer of the host's: a Worker has 10 000 of those for everything.
 * Due ones wait until they are taken.
 */
export class TimerQueue {
  readonly #time: Timekeeper;
  readonly #onDue: () => void;
  /** When each is due. */
  readonly #running = new Map<number, number>();
  #due: number[] = [];
  #armedFor = Number.POSITIVE_INFINITY;
  #disarm: () => void = () => {};

  constructor(time: Timekeeper, onDue: () => void) {
    this.#time = time;
    this.#onDue = onDue;
  }

  get size(): number {
    return this.#running.size + this.#due.length;
  }

  /** @throws what the guest gets when it has too many. */
  start(id: number, delayMs: number): void {
    if (this.size >= MAX_TIMERS) throw new RangeError(`More than ${MAX_TIMERS} timers are pending.`);
    const dueAt = this.#time.now() + delayMs;
    this.#running.set(id, dueAt);
    if (dueAt < this.#armedFor) this.#arm(dueAt, delayMs);
  }

  stop(id: number): void {
    if (!this.#running.delete(id)) this.#due = this.#due.filter((due) => due !== id);
  }

  takeDue(): number[] {
    const due = this.#due;
    this.#due = [];
    return due;
  }

  /** What is left of every timer, for a pause. */
  left(): { id: number; leftMs: number }[] {
    const now = this.#time.now();
    const running = [...this.#running].map(([id, dueAt]) => ({ id, leftMs: Math.max(0, dueAt - now) }));
    return [...this.#due.map((id) => ({ id, leftMs: 0 })), ...running];
  }

  clear(): void {
    this.#disarm();
    this.#armedFor = Number.POSITIVE_INFINITY;
    this.#running.clear();
    this.#due = [];
  }

  #arm(dueAt: number, delayMs: number): void {
    this.#disarm();
    this.#armedFor = dueAt;
    this.#disarm = this.#time.after(delayMs, () => this.#collect());
  }

  /** In the order they are due, those of the same moment in the order they were started. */
  #collect(): void {
    // The host's timer may come a moment before the clock says so.
    const now = Math.max(this.#time.now(), this.#armedFor);
    const ready = [...this.#running].filter(([, dueAt]) => dueAt <= now).sort((a, b) => a[1] - b[1]);
    for (const [id] of ready) {
      this.#running.delete(id);
      this.#due.push(id);
    }
    this.#armedFor = Number.POSITIVE_INFINITY;
    this.#disarm = () => {};
    let next = Number.POSITIVE_INFINITY;
    for (const dueAt of this.#running.values()) if (dueAt < next) next = dueAt;
    if (next !== Number.POSITIVE_INFINITY) this.#arm(next, Math.max(0, next - this.#time.now()));
    if (ready.length > 0) this.#onDue();
  }
}
