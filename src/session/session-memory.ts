/**
 * A session's instance, and everything it can be made from again: the last snapshot, the image it sleeps in, the
 * copy taken before an eval. Knows nothing of evals but their number.
 */

import type { Timekeeper } from "../clock.js";
import { memoryPages, resetInstance, startVm } from "../engine/base-image.js";
import type { Engine } from "../engine/engine.js";
import { FallbackImage } from "../engine/fallback-image.js";
import type { Vm } from "../engine/vm.js";
import { VmDamaged } from "../engine/vm-errors.js";
import { isShortage } from "../eval/guest-entry.js";
import { type Limits, MIN_MEMORY_BYTES } from "../limits.js";
import { type DecodedSnapshot, decodeSnapshot } from "../snapshot/decode-snapshot.js";
import { encodeSnapshot, type SnapshotParts } from "../snapshot/encode-snapshot.js";
import { sweepFreeSpace } from "../snapshot/free-space.js";
import { changedPages, differFromBase, type PageSet } from "../snapshot/pages.js";
import { exportData, importData, variablesOf } from "./guest-data.js";
import type { PoolMember, SessionPool } from "./session-pool.js";
import type { Seal, SessionMeta, SnapshotLayers, SnapshotOptions, Tombstone } from "./session-state.js";

/** A snapshot in memory and what it was made with. */
interface KeptSnapshot {
  readonly bytes: Uint8Array;
  readonly evals: number;
  readonly layers: SnapshotLayers;
  readonly attachment: string | undefined;
  readonly binding: string | undefined;
  readonly signingKey: string | Uint8Array | undefined;
}

export interface SessionMemoryContext {
  readonly engine: Engine;
  readonly engineId: Uint8Array;
  readonly limits: Limits;
  readonly pool: SessionPool;
  /** Says which interpreter a session is of, and holds nothing. */
  readonly owner: object;
  readonly time: Timekeeper;
  /** Text the guest's random numbers start from; a fresh one each time unless the app asked for repeatable runs. */
  readonly seed: () => string | undefined;
}

export class SessionMemory {
  readonly #context: SessionMemoryContext;
  readonly #member: PoolMember;
  #vm: Vm | undefined;
  #image: FallbackImage | undefined;
  /** What the instance was when it was put to sleep. */
  #asleep: Uint8Array | undefined;
  /** The last snapshot taken or restored. */
  #last: KeptSnapshot | undefined;
  /** Something may have changed since the last snapshot. */
  isDirty = false;

  /** @param isIdle Nothing of the session runs or is about to. */
  constructor(context: SessionMemoryContext, isIdle: () => boolean, sleep: () => Promise<void>) {
    this.#context = context;
    const liveBytes = () => this.liveBytes;
    this.#member = {
      owner: context.owner,
      get liveBytes() {
        return liveBytes();
      },
      get isIdle() {
        return isIdle();
      },
      sleepNow: () => this.#sleepNow(),
      sleep,
    };
  }

  get liveBytes(): number {
    return (this.#vm?.memory.buffer.byteLength ?? 0) + (this.#image?.bytes ?? 0);
  }

  get attachment(): string | undefined {
    return this.#last?.attachment;
  }

  get memoryBytes(): number {
    return this.#vm?.memory.buffer.byteLength ?? 0;
  }

  mayGrow(bytes: number): boolean {
    return this.#context.pool.mayGrow(this.#member, bytes + (this.#image?.bytes ?? 0));
  }

  /** The instance; made from what is there when the session has none. */
  async live(): Promise<Vm> {
    if (!this.#vm) {
      if (this.#asleep) {
        this.#vm = (await this.#load(this.#asleep, {}, "in turn")).vm;
        this.#asleep = undefined;
      } else if (this.#last) this.#vm = (await this.#load(this.#last.bytes, this.#last, "in turn")).vm;
      else await this.start();
    }
    this.#context.pool.use(this.#member);
    return this.#vm as Vm;
  }

  /** An empty session. */
  async start(): Promise<void> {
    const { pool, time } = this.#context;
    await pool.admit(this.#member, MIN_MEMORY_BYTES, time);
    try {
      await this.#startAnew();
    } catch (error) {
      pool.leave(this.#member);
      throw error;
    }
  }

  async #startAnew(): Promise<void> {
    const { seed } = this.#context;
    const vm = await this.#newVm();
    const wished = seed();
    vm.control("reseed", wished === undefined ? randomSeed() : `=${wished}`);
    await this.#settleIn(vm);
  }

  /** Others may have come while this one was made. */
  async #settleIn(vm: Vm): Promise<void> {
    const { pool } = this.#context;
    this.#vm = vm;
    pool.use(this.#member);
    await pool.makeRoom(this.#member, 0);
  }

  /** The state of a snapshot, and the variables it could not bring back. @throws {SnapshotError} */
  async restore(
    snapshot: Uint8Array,
    options: SnapshotOptions,
  ): Promise<{ meta: SessionMeta; buried: readonly Tombstone[] }> {
    const { vm, decoded, buried } = await this.#load(snapshot, options, "in turn");
    const given = decoded.meta as SessionMeta | undefined;
    const paused = decoded.image && given?.paused;
    // A clone must not repeat the numbers of its twin, unless repeatable runs were asked for; a program that was paused
    // goes on with the numbers it had.
    if (this.#context.seed() === undefined && !paused) vm.control("reseed", randomSeed());
    const meta = { ...given, evals: Number(given?.evals ?? 0), paused };
    const layers = decoded.image ? (decoded.data === undefined ? "image" : "both") : "data";
    const { binding, signingKey } = options;
    this.#last = {
      bytes: snapshot,
      evals: meta.evals,
      layers,
      attachment: meta.attachment,
      binding,
      signingKey,
    };
    this.isDirty = false;
    await this.#settleIn(vm);
    return { meta, buried };
  }

  /**
   * Before an eval: makes sure that there is something to go back to. `evals` have begun so far. A memory that is
   * already full is no state to go back to.
   */
  protect(vm: Vm, evals: number): void {
    const { allocator } = this.#context.engine.base;
    // The snapshot, or an empty session, is that state.
    if (!allocator || !this.isDirty || !vm.reserves.hasRoom()) return;
    this.#image = FallbackImage.take(vm, allocator, evals, this.#image) ?? this.#image;
  }

  /** After an eval. */
  async settle(): Promise<void> {
    await this.#context.pool.makeRoom(this.#member, 0);
  }

  /**
   * Replaces a damaged instance. Answers how many evals had begun in the state that the session is in now: the
   * latest one in which there is room to run anything.
   */
  async rebuild(): Promise<number> {
    this.#drop();
    const image = this.#image;
    const last = this.#last;
    if (image && image.evals >= (last?.evals ?? 0)) {
      const vm = await this.#newVm(image.memoryBytes);
      image.writeTo(vm);
      if (this.#accept(vm)) {
        this.isDirty = true;
        return image.evals;
      }
    }
    this.#image = undefined;
    if (last && this.#accept((await this.#load(last.bytes, last, "at once")).vm)) {
      this.isDirty = false;
      return last.evals;
    }
    this.#last = undefined;
    await this.#startAnew();
    this.isDirty = true;
    return 0;
  }

  #accept(vm: Vm): boolean {
    try {
      vm.setStackSize(this.#context.limits.maxStackSizeBytes);
      // A paused eval of that state is not to go on: what it waits for may have happened since.
      vm.control("end", "");
      if (!vm.reserves.hasRoom()) return false;
    } catch (error) {
      if (error instanceof VmDamaged || isShortage(error)) return false;
      throw error;
    }
    this.#vm = vm;
    this.#context.pool.use(this.#member);
    return true;
  }

  /** The state as bytes. When nothing changed since the last one, those very bytes. */
  async snapshot(options: SnapshotOptions, state: SessionMeta): Promise<Uint8Array> {
    const { layers = "both", attachment, binding, signingKey } = options;
    const last = this.#last;
    const isSealed = last?.binding === binding && last?.signingKey === signingKey;
    const isFor = isSealed && last?.attachment === attachment;
    if (last && isFor && !this.isDirty && (last.layers === layers || layers === "image")) return last.bytes;
    const vm = await this.live();
    // Listing and exporting make garbage of their own; it is swept with the rest.
    vm.collectGarbage();
    const index = variablesOf(vm);
    const exported = layers === "image" ? undefined : exportData(vm);
    const meta = { ...state, ...(attachment === undefined ? {} : { attachment }) };
    const snapshot = await encodeSnapshot(
      { image: layers === "data" ? undefined : this.#capture(vm), ...exported, index, meta },
      { engineId: this.#context.engineId, previous: last?.bytes, binding, signingKey },
    );
    // Plain data alone does not replace an image of the same state: the image is what a damaged instance falls back to.
    if (layers === "data" && last && last.layers !== "data" && !this.isDirty) return snapshot;
    this.#last = { bytes: snapshot, evals: meta.evals, layers, attachment, binding, signingKey };
    this.isDirty = false;
    if (layers !== "data") this.#image = undefined;
    return snapshot;
  }

  /** Lets the instance go, keeping its exact state compressed. */
  async sleep(meta: SessionMeta): Promise<void> {
    if (!this.#vm) return;
    if (!this.#isKept) {
      this.#asleep = await encodeSnapshot(
        { image: this.#capture(this.#vm), meta: { ...meta } },
        { engineId: this.#context.engineId, previous: this.#last?.bytes },
      );
    }
    this.#image = undefined;
    this.#giveBack();
  }

  #sleepNow(): boolean {
    if (!this.#isKept) return false;
    this.#image = undefined;
    this.#drop();
    return true;
  }

  /** The last snapshot is the exact state. */
  get #isKept(): boolean {
    return !this.isDirty && this.#last !== undefined && this.#last.layers !== "data";
  }

  dispose(): void {
    this.#giveBack();
    this.#image = undefined;
    this.#asleep = undefined;
    this.#last = undefined;
  }

  /** Only while nothing of the session runs. */
  #giveBack(): void {
    const { engine, pool } = this.#context;
    const instance = this.#vm?.release();
    this.#drop();
    if (instance && resetInstance(instance, engine.base)) pool.keepSpare(this.#member, instance);
  }

  #drop(): void {
    this.#vm = undefined;
    this.#context.pool.leave(this.#member);
  }

  /** The pages that differ from the base, once the free memory among them is cleared. */
  #capture(vm: Vm): NonNullable<SnapshotParts["image"]> {
    const { base } = this.#context.engine;
    const memory = new Uint8Array(vm.memory.buffer);
    const hints = base.allocator && sweepFreeSpace(memory, base.allocator);
    return { memory, pages: changedPages(memory, base.pages, hints), base: base.pages };
  }

  async #load(
    bytes: Uint8Array,
    seal: Seal,
    when: "in turn" | "at once",
  ): Promise<{ vm: Vm; decoded: DecodedSnapshot; buried: readonly Tombstone[] }> {
    const { engine, engineId, limits, pool, time } = this.#context;
    const decoded = await decodeSnapshot(bytes, {
      engineId,
      maxMemoryBytes: limits.memoryLimitBytes,
      signingKey: seal.signingKey,
      binding: seal.binding,
    });
    const { image, data } = decoded;
    if (image) differFromBase(image, engine.base.pages);
    const size = Math.max(image?.memoryBytes ?? 0, MIN_MEMORY_BYTES);
    // A damaged instance is replaced within its eval, which has waited already.
    if (when === "in turn") await pool.admit(this.#member, size, time);
    try {
      const vm = await this.#newVm(image?.memoryBytes, image);
      const buried = !image && data !== undefined ? importData(vm, data, decoded.bytes) : [];
      return { vm, decoded, buried };
    } catch (error) {
      pool.leave(this.#member);
      throw error;
    }
  }

  async #newVm(memoryBytes = 0, pages = nothing): Promise<Vm> {
    const { engine, limits, pool } = this.#context;
    const { initial, maximum } = memoryPages(limits.memoryLimitBytes, memoryBytes);
    const spare = memoryPages(0).initial === initial ? pool.takeSpare(this.#member, maximum) : undefined;
    await pool.makeRoom(this.#member, Math.max(memoryBytes, MIN_MEMORY_BYTES));
    const image = { memoryBytes, pages };
    const vm = await startVm(engine.module, engine.base, limits.memoryLimitBytes, image, spare);
    vm.setStackSize(limits.maxStackSizeBytes);
    return vm;
  }
}

const nothing: PageSet = { pages: new Uint32Array(0), bytes: new Uint8Array(0) };

function randomSeed(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(16)).join("-");
}
