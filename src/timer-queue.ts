import type { Timekeeper } from "./clock.js";

/** Timers at the same time; each is one of the host's too. */
const MAX_TIMERS = 10_000;

/** The guest's timers on the host's clock. Due ones wait until they are taken. */
export class TimerQueue {
  readonly #time: Timekeeper;
  readonly #onDue: () => void;
  readonly #running = new Map<number, { cancel: () => void; dueAt: number }>();
  #due: number[] = [];

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
    const cancel = this.#time.after(delayMs, () => {
      this.#running.delete(id);
      this.#due.push(id);
      this.#onDue();
    });
    this.#running.set(id, { cancel, dueAt: this.#time.now() + delayMs });
  }

  stop(id: number): void {
    this.#running.get(id)?.cancel();
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
    const running = [...this.#running].map(([id, timer]) => ({ id, leftMs: Math.max(0, timer.dueAt - now) }));
    return [...this.#due.map((id) => ({ id, leftMs: 0 })), ...running];
  }

  clear(): void {
    for (const timer of this.#running.values()) timer.cancel();
    this.#running.clear();
    this.#due = [];
  }
}
