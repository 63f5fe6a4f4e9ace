/** Why an eval has to stop before its program ends, and how that reads. The first reason stays. */
import type { FailureCode } from "../errors.js";
import type { Limits } from "../limits.js";
import type { Outcome } from "./program-outcome.js";

interface Reason {
  readonly code: FailureCode;
  readonly message: string;
}

/** Names of pending calls in a message. */
const MAX_NAMES = 5;

export class EvalStop {
  readonly #limits: Limits;
  #reason: Reason | undefined;
  /** The guest asked for more memory than there was, since the eval began. */
  memoryWasRefused = false;
  /** It was not the session's own limit that refused it. */
  othersTakeMemory = false;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get isDue(): boolean {
    return this.#reason !== undefined;
  }

  /** How the eval ends; undefined while it may go on. */
  get outcome(): Outcome | undefined {
    if (!this.#reason) return undefined;
    const { code, message } = this.#reason;
    const stays = code !== "MEMORY";
    return {
      status: "failed",
      code,
      message: stays ? `${message}; what it changed until then stays` : message,
    };
  }

  abort(): void {
    this.#reason ??= { code: "ABORTED", message: "the eval was aborted" };
  }

  /** Guest code ran too long. */
  overtime(): void {
    this.#reason ??= {
      code: "TIMEOUT",
      message: `the code ran longer than ${this.#limits.executionTimeoutMs} ms (executionTimeoutMs); waiting for tools does not count`,
    };
  }

  /** The eval took too long altogether. `pending` are the names of its calls that have not ended. */
  waitTimeout(pending: readonly string[]): void {
    const more = pending.length - MAX_NAMES;
    const shown = pending.slice(0, MAX_NAMES).join(", ") + (more > 0 ? `, ${more} more` : "");
    this.#reason ??= {
      code: "WAIT_TIMEOUT",
      message: `the eval took longer than ${this.#limits.waitTimeoutMs} ms (waitTimeoutMs)${pending.length > 0 ? `; still pending: ${shown}` : ""}`,
    };
  }

  shortOfMemory(): void {
    this.#reason ??= { code: "MEMORY", message: this.#memoryText() };
  }

  /** The program's own end, when that was for want of memory. */
  outOfMemory(): Outcome {
    return { status: "failed", code: "MEMORY", message: this.#memoryText() };
  }

  #memoryText(): string {
    if (this.othersTakeMemory)
      return "the sessions that run now take all the memory there is for them together (maxTotalMemoryBytes). Keep less in variables, or try again later.";
    const mib = Math.floor(this.#limits.memoryLimitBytes / 1048576);
    return `the session's limit is ${mib} MiB (memoryLimitBytes). Keep less in variables, or process the data in parts.`;
  }
}
