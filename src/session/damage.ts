/** What the end of an engine instance is to the model: what happened, and what of the session is lost. */

import { VmDamaged, VmOutOfMemory, VmPreludeError } from "../engine/vm-errors.js";
import type { EvalFailure } from "../result/outcome.js";

/** `kept` evals had begun in the state the session is in now; `current` is the one that failed. */
export function damageFailure(damage: unknown, kept: number, current: number): EvalFailure {
  const { code, name, text } = damageKind(damage instanceof VmDamaged ? damage.cause : damage);
  return { code, name, message: `${text}; ${lostText(kept, current)}`, frames: [], rebuilt: true };
}

/** What to say when the instance ended between two evals: `kept` had begun in the state the session is in now. */
export function damageBetweenEvals(damage: unknown, kept: number): string {
  const { text } = damageKind(damage instanceof VmDamaged ? damage.cause : damage);
  const state = kept === 0 ? "starts empty" : `is as it was after eval ${kept}`;
  return `Between two evals ${text}. The session ${state}; what was changed since is lost.`;
}

function damageKind(cause: unknown): Pick<EvalFailure, "code" | "name"> & { text: string } {
  if (cause instanceof VmOutOfMemory || cause instanceof VmPreludeError) {
    return {
      code: "MEMORY",
      name: "OutOfMemoryError",
      text: "the memory was so full that nothing could run",
    };
  }
  // V8, JavaScriptCore: RangeError; SpiderMonkey: InternalError.
  if (cause instanceof RangeError || (cause instanceof Error && cause.name === "InternalError")) {
    const text = "the code, or the data it walks, is nested too deep for the stack";
    return { code: "STACK", name: "RangeError", text };
  }
  return { code: "SESSION_REBUILT", name: "InternalError", text: "the engine failed" };
}

function lostText(kept: number, current: number): string {
  if (kept >= current) return "the session is as it was when this eval paused; it cannot go on";
  if (kept === current - 1)
    return "the session is as it was before this eval, so only its own changes are lost";
  const lost = kept === current - 2 ? `evals ${kept + 1} and ${current}` : `evals ${kept + 1} to ${current}`;
  if (kept === 0) return `the session starts empty: what ${lost} defined and changed is lost`;
  return `the session is as it was after eval ${kept}: what ${lost} changed is lost`;
}
