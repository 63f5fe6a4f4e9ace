/**
 * Which sessions have an instance. Idle ones are put to sleep when there are too many or they take too much together,
 * least recently used first. A session that runs an eval is never touched; one that has no instance yet waits until
 * those that run leave room for it. One instance that a session gave back waits for the next session of its
 * interpreter, where there is room for it.
 *
 * What a process can hold does not depend on how many interpreters share it: in a Worker every Durable Object of an
 * isolate has one of its own. All with the same figures share a pool. Nothing of one object may wait for another, which
 * can be gone before it answers: a session of another interpreter sleeps only if that takes no time, waiting is done
 * by the waiting session's own timer, and members are held weakly.
 */

import type { Capacity } from "../capacity.js";
import type { Timekeeper } from "../clock.js";
import type { EngineInstance } from "../engine/engine-instance.js";
import { SessionError } from "../errors.js";

export interface PoolMember {
  /** The same for sessions of one interpreter. */
  readonly owner: object;
  /** Memory of the instance and of what is kept beside it. */
  readonly liveBytes: number;
  /** Nothing of it runs or is about to. */
  readonly isIdle: boolean;
  /** Lets the instance go at once if a snapshot holds its state; the next use brings it back. */
  sleepNow(): boolean;
  /** Lets the instance go; the next use brings it back in the same state. */
  sleep(): Promise<void>;
}

interface Place {
  readonly member: { deref(): PoolMember | undefined };
  /** Bytes of an instance that is being made. */
  reserved: number;
}

const RETRY_MS = 20;
const ROOM_WAIT_MS = 60_000;

const pools = new Map<string, SessionPool>();

/** The pool of everything in this process or isolate that has these figures. */
export function sharedPool(capacity: Capacity): SessionPool {
  const { maxLiveSessions, maxTotalMemoryBytes } = capacity;
  const figures = `${maxLiveSessions} ${maxTotalMemoryBytes}`;
  const pool = pools.get(figures) ?? new SessionPool(capacity);
  pools.set(figures, pool);
  return pool;
}

export class SessionPool {
  readonly #capacity: Capacity;
  /** Those with an instance or about to have one, least recently used first. */
  readonly #places = new Set<Place>();
  readonly #placeOf = new WeakMap<PoolMember, Place>();

  #spare: { readonly instance: EngineInstance; readonly owner: object } | undefined;

  constructor(capacity: Capacity) {
    this.#capacity = capacity;
  }

  /** Memory of all instances there are. */
  get liveBytes(): number {
    return this.#total(() => true) + this.#spareBytes;
  }

  /** The session has an instance and is about to use it. */
  use(member: PoolMember): void {
    this.#take(member, 0);
  }

  leave(member: PoolMember): void {
    const place = this.#placeOf.get(member);
    if (place) this.#places.delete(place);
    this.#placeOf.delete(member);
  }

  /**
   * Keeps an instance in the state of the base image for the next session of `member`'s interpreter, in place of one
   * that another interpreter kept: that may be gone.
   */
  keepSpare(member: PoolMember, instance: EngineInstance): void {
    if (this.#spare?.owner === member.owner) return;
    const others = this.liveBytes - this.#spareBytes;
    if (others + instance.memory.buffer.byteLength <= this.#capacity.maxTotalMemoryBytes)
      this.#spare = { instance, owner: member.owner };
  }

  /** The interpreter has ended. */
  dropSpare(owner: object): void {
    if (this.#spare?.owner === owner) this.#spare = undefined;
  }

  /** The instance that waits, if it is of the same interpreter and may grow to just that many pages. */
  takeSpare(member: PoolMember, maximumPages: number): EngineInstance | undefined {
    const spare = this.#spare;
    if (spare?.owner !== member.owner || spare.instance.maximumPages !== maximumPages) return undefined;
    this.#spare = undefined;
    return spare.instance;
  }

  /**
   * Takes the place of an instance that `member` is about to make, once those that run leave room for it. What keeps
   * them is their tools, so this may take a while.
   *
   * @throws {SessionError} `SESSION_NO_ROOM` when none of them ended in time
   */
  async admit(member: PoolMember, bytes: number, time: Timekeeper): Promise<void> {
    for (let waited = 0; this.#running(member) > 0 && !this.mayGrow(member, bytes); waited += RETRY_MS) {
      if (waited >= ROOM_WAIT_MS) {
        throw new SessionError(
          "SESSION_NO_ROOM",
          "The sessions that run now take all the memory there is for them together (maxTotalMemoryBytes). Try again when some of them have ended.",
        );
      }
      await new Promise<void>((resolve) => time.after(RETRY_MS, resolve));
    }
    this.#take(member, bytes);
  }

  /** Puts idle sessions to sleep until `member` fits, or none is left. Never rejects. */
  async makeRoom(member: PoolMember, bytes: number): Promise<void> {
    if (this.#isOver(member, bytes)) this.#spare = undefined;
    const unwilling = new Set<PoolMember>();
    while (this.#isOver(member, bytes)) {
      const idle = this.#find((it) => it !== member && it.isIdle && !unwilling.has(it));
      if (!idle) return;
      unwilling.add(idle);
      if (idle.owner === member.owner) await idle.sleep().catch(() => {});
      else idle.sleepNow();
    }
  }

  /** Whether a running session may take this much in all. Idle ones give way afterwards and do not count. */
  mayGrow(member: PoolMember, bytes: number): boolean {
    const total = this.#running(member) + bytes;
    if (total + this.#spareBytes > this.#capacity.maxTotalMemoryBytes) this.#spare = undefined;
    return total <= this.#capacity.maxTotalMemoryBytes;
  }

  get #spareBytes(): number {
    return this.#spare?.instance.memory.buffer.byteLength ?? 0;
  }

  /** Memory of the others that run, or are about to. */
  #running(member: PoolMember): number {
    return this.#total((it, { reserved }) => it !== member && (reserved > 0 || !it.isIdle));
  }

  #take(member: PoolMember, reserved: number): void {
    const place = this.#placeOf.get(member) ?? { member: weakly(member), reserved };
    this.#placeOf.set(member, place);
    place.reserved = reserved;
    // Moves it to the end.
    this.#places.delete(place);
    this.#places.add(place);
  }

  #isOver(member: PoolMember, bytes: number): boolean {
    const { maxLiveSessions, maxTotalMemoryBytes } = this.#capacity;
    const others = this.#total((it) => it !== member) + this.#spareBytes;
    const total = others + Math.max(bytes, member.liveBytes);
    const added = this.#placeOf.has(member) ? 0 : 1;
    return this.#places.size + added > maxLiveSessions || total > maxTotalMemoryBytes;
  }

  #total(counts: (member: PoolMember, place: Place) => boolean): number {
    let total = 0;
    this.#find((member, place) => {
      if (counts(member, place)) total += Math.max(place.reserved, member.liveBytes);
      return false;
    });
    return total;
  }

  /** Sessions that were collected without having been disposed, as those of an evicted object are, have left. */
  #find(isWanted: (member: PoolMember, place: Place) => boolean): PoolMember | undefined {
    for (const place of this.#places) {
      const member = place.member.deref();
      if (!member) this.#places.delete(place);
      else if (isWanted(member, place)) return member;
    }
    return undefined;
  }
}

/** Workers with a compatibility date before May 2025 have no `WeakRef`. */
function weakly(member: PoolMember): Place["member"] {
  return typeof WeakRef === "undefined" ? { deref: () => member } : new WeakRef(member);
}
