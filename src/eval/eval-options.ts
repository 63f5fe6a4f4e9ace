/** What a caller may ask of one eval. */

import { type Limits, resolveLimits } from "../limits.js";
import type { LogLine, PausedCall } from "../result/outcome.js";
import type { HostFunctions } from "./host-functions.js";
import type { CallEvent } from "./running-call.js";

export interface EvalOptions {
  /** Functions under `tools`. */
  readonly tools?: HostFunctions;
  /** Functions as globals of their own, such as `task`. */
  readonly globals?: HostFunctions;
  /** Ends the eval; what it has changed so far stays. */
  readonly signal?: AbortSignal;
  /**
   * Asked again and again while guest code runs, when no event can reach the signal: true ends the eval as an abort
   * does. For a thread that another one tells through shared memory.
   */
  readonly isAborted?: () => boolean;
  /**
   * `"text"` spares encoding the value for the host; `"content"` hands over only what may be content blocks of a
   * message (images, files). @default "value"
   */
  readonly returns?: "value" | "content" | "text";
  /** `false`: `console` exists and is silent. @default true */
  readonly captureConsole?: boolean;
  /** Limits of this eval instead of the session's; memory and stack are fixed. */
  readonly limits?: Partial<
    Pick<Limits, "executionTimeoutMs" | "waitTimeoutMs" | "maxHostCalls" | "maxConcurrentCalls">
  >;
  /** True for a call that has to wait for an approval: the eval then pauses. */
  readonly isGated?: (call: PausedCall) => boolean | Promise<boolean>;
  /** What the guest sees of a host function's failure. @default its name, message and `data` */
  readonly describeError?: (error: unknown, name: string) => unknown;
  readonly onCall?: (event: CallEvent) => void;
  readonly onLog?: (line: LogLine) => void;
}

export interface ResumeOptions extends EvalOptions {
  /** The source of the paused eval, so that errors point into it where the session was restored in between. */
  readonly source?: string | undefined;
}

/** @throws {TypeError} naming the limit that is wrong. */
export function limitsOf(session: Limits, given: EvalOptions["limits"]): Limits {
  if (!given) return session;
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  return resolveLimits({ ...session, ...Object.fromEntries(present) });
}
