/** Both ends of an eval inside the guest: what is put in place before the program, and what is put away after it. */

import { dropJobs, unhandledRejections } from "../engine/heap.js";
import type { EvalStop } from "./eval-stop.js";
import type { EvaluationOptions } from "./evaluation-options.js";
import { type GuestEntry, isShortage } from "./guest-entry.js";
import { toSource } from "./host-functions.js";

/** Unhandled errors told per eval. */
export const MAX_UNHANDLED = 5;

/** @throws {VmDamaged} when the memory is so full that not even this has room. */
export function beginEval(guest: GuestEntry, options: EvaluationOptions, resumed: boolean): void {
  const { vm, returns, limits, globals, tools, imports } = options;
  const settings = JSON.stringify({
    resumed,
    tools: tools !== undefined,
    globals: toSource(globals).names(),
    ...(imports && { imports }),
    maxRenderChars: limits.maxRenderChars,
    maxLogLineChars: Math.min(limits.maxRenderChars, limits.maxLogChars),
    returns,
  });
  // What filled the memory can only be let go of by code that has room to run.
  if (!vm.reserves.hold() || !vm.reserves.hasRoom()) guest.giveUpReserves();
  guest.must(() => guest.timed(() => vm.control("begin", settings)));
}

export interface PutAway {
  /** Descriptions of rejections that nothing in the program handled. */
  readonly unhandled: readonly unknown[];
  readonly clearedTimers: number;
  /** What guest code holds leaves no room for the reserves. */
  readonly memoryIsFull: boolean;
}

/** @throws {VmDamaged} */
export function endEval(
  guest: GuestEntry,
  options: EvaluationOptions,
  stop: EvalStop,
  { mayReject, isGrown }: { readonly mayReject: boolean; readonly isGrown: boolean },
): PutAway {
  const { vm } = options;
  // The deadline is over for guest code, not for the few steps that put things away.
  vm.hooks = { ...vm.hooks, shouldStop: () => false };
  guest.must(() => dropJobs(vm));
  if (stop.isDue) guest.must(() => vm.forgetException());
  // The look at all objects is a good part of what a small eval costs.
  const unhandled = mayReject && !stop.isDue ? findUnhandled(guest, options) : [];
  const cleared = guest.must(() => vm.control("end", ""));
  // What a stopped or greedy eval left unreachable should be free memory for the next one.
  if (stop.memoryWasRefused || stop.isDue || isGrown) guest.must(() => vm.collectGarbage());
  const memoryIsFull = !vm.reserves.hold() || (stop.memoryWasRefused && !vm.reserves.hasRoom());
  return { unhandled, clearedTimers: Number(cleared.split(" ")[1]), memoryIsFull };
}

function findUnhandled(guest: GuestEntry, { vm, layout }: EvaluationOptions): unknown[] {
  const found: unknown[] = [];
  for (const reason of unhandledRejections(vm, layout).slice(0, MAX_UNHANDLED)) {
    const copy = vm.duplicate(reason);
    try {
      found.push(JSON.parse(guest.handOver("describe", "", copy)));
    } catch (error) {
      // No room to tell it.
      if (!isShortage(error)) throw error;
    }
  }
  return found;
}
