/** How the host enters the guest during an eval: with its time counted, and in a memory that may be full. */
import type { Operation } from "../engine/boot.js";
import type { Address, Vm } from "../engine/vm.js";
import { VmOutOfMemory, VmPreludeError } from "../engine/vm-errors.js";
import type { EvalStop } from "./eval-stop.js";
import type { GuestMeter } from "./meter.js";

export class GuestEntry {
  readonly #vm: Vm;
  readonly #meter: GuestMeter;
  readonly #stop: EvalStop;

  constructor(vm: Vm, meter: GuestMeter, stop: EvalStop) {
    this.#vm = vm;
    this.#meter = meter;
    this.#stop = stop;
  }

  /** A prelude that fails inside means that the eval has no room or no time left: it stops. @throws {VmDamaged} */
  run(enter: () => unknown): void {
    try {
      this.#meter.run(enter);
    } catch (error) {
      if (!isShortage(error)) throw error;
      if (this.#meter.isOver) this.#stop.overtime();
      this.#stop.shortOfMemory();
    }
  }

  /** Counts the time as the guest's. */
  timed<T>(step: () => T): T {
    return this.#meter.run(step);
  }

  /**
   * Steps of ours that also have to work in a memory that guest code filled: they get the reserves then.
   *
   * @throws {VmDamaged} when those are not enough. The instance is given up.
   */
  must<T>(step: () => T): T {
    try {
      return step();
    } catch (error) {
      if (!isShortage(error)) throw error;
      try {
        this.giveUpReserves();
        this.#vm.collectGarbage();
        return step();
      } catch (again) {
        if (!isShortage(again)) throw again;
        return this.#vm.retire(again);
      }
    }
  }

  giveUpReserves(): void {
    this.#vm.reserves.giveUp("guest");
    this.#vm.reserves.giveUp("host");
  }

  /** Calls the prelude with a value that is then given up, also when the eval is stopped in the middle of it. */
  handOver(operation: Operation, argument: string, value: Address): string {
    try {
      return this.#vm.control(operation, argument, value);
    } finally {
      if (!this.#vm.isDamaged) this.#vm.free(value);
    }
  }
}

/** The prelude or the host found no room or no time inside the instance, which goes on. */
export function isShortage(error: unknown): boolean {
  return error instanceof VmPreludeError || error instanceof VmOutOfMemory;
}
