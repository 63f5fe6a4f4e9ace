/**
 * Which sessions of an interpreter have an instance. Idle ones are put to sleep when there are too many or they take
 * too much together, least recently used first. A session that runs an eval is never touched. One instance that a
 * session gave back waits for the next session, where there is room for it.
 */
import type { Capacity } from "./capacity.js";
import type { EngineInstance } from "./engine-instance.js";

export interface PoolMember {
  /** Memory of the instance and of what is kept beside it. */
  readonly liveBytes: number;
  /** Nothing of it runs or is about to. */
  readonly isIdle: boolean;
  /** Lets the instance go; the next use brings it back in the same state. */
  sleep(): Promise<void>;
}

export class SessionPool {
  readonly #capacity: Capacity;
  /** Those with an instance, least recently used first. */
  readonly #live = new Set<PoolMember>();

  #spare: EngineInstance | undefined;

  constructor(capacity: Capacity) {
    this.#capacity = capacity;
  }

  get liveSessions(): number {
    return this.#live.size;
  }

  /** The session has an instance and is about to use it. */
  use(member: PoolMember): void {
    this.#live.delete(member);
    this.#live.add(member);
  }

  leave(member: PoolMember): void {
    this.#live.delete(member);
  }

  /** Keeps an instance in the state of the base image for the next session. */
  keepSpare(instance: EngineInstance): void {
    const { maxTotalMemoryBytes } = this.#capacity;
    if (!this.#spare && this.#total() + instance.memory.buffer.byteLength <= maxTotalMemoryBytes)
      this.#spare = instance;
  }

  /** The instance that waits, if it may grow to just that many pages. */
  takeSpare(maximumPages: number): EngineInstance | undefined {
    const spare = this.#spare;
    if (spare?.maximumPages !== maximumPages) return undefined;
    this.#spare = undefined;
    return spare;
  }

  /** Puts idle sessions to sleep until `member` fits, or none is left. Never rejects. */
  async makeRoom(member: PoolMember, bytes: number): Promise<void> {
    if (this.#total() + bytes > this.#capacity.maxTotalMemoryBytes) this.#spare = undefined;
    const others = this.#live.has(member) ? 0 : 1;
    const unwilling = new Set<PoolMember>();
    while (
      this.#live.size + others > this.#capacity.maxLiveSessions ||
      this.#total() + bytes > this.#capacity.maxTotalMemoryBytes
    ) {
      const idle = [...this.#live].find((it) => it !== member && it.isIdle && !unwilling.has(it));
      if (!idle) return;
      unwilling.add(idle);
      await idle.sleep().catch(() => {});
    }
  }

  /** Whether a running session may take this much in all. Idle ones give way afterwards and do not count. */
  mayGrow(member: PoolMember, bytes: number): boolean {
    let total = bytes;
    for (const other of this.#live) if (other !== member && !other.isIdle) total += other.liveBytes;
    if (total + this.#spareBytes > this.#capacity.maxTotalMemoryBytes) this.#spare = undefined;
    return total <= this.#capacity.maxTotalMemoryBytes;
  }

  get #spareBytes(): number {
    return this.#spare?.memory.buffer.byteLength ?? 0;
  }

  #total(): number {
    let total = this.#spareBytes;
    for (const member of this.#live) total += member.liveBytes;
    return total;
  }
}
