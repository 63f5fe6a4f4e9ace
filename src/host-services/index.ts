/**
 * The host services that need nothing of a session. Each answers synchronously with text and has no effect.
 * What the guest sends is untrusted: services validate it and never look up properties by its names.
 */
import { fail, succeed } from "./answer.js";
import { intlService } from "./intl.js";
import { urlService } from "./url.js";

export interface HostEnvironment {
  /** Milliseconds since 1970. Without it the guest has no clock. */
  readonly clock?: () => number;
}

/** The encoded answer, or `undefined` when `operation` is not one of these services. */
export function answerHostService(
  operation: string,
  argument: string,
  environment: HostEnvironment,
): string | undefined {
  switch (operation) {
    case "url":
      return urlService(argument);
    case "intl":
      return intlService(argument);
    case "clock":
      return readClock(environment.clock);
    case "random":
      return randomBytes(argument);
    default:
      return undefined;
  }
}

function readClock(clock: (() => number) | undefined): string {
  if (clock === undefined)
    return fail(
      "Error",
      "There is no clock here. Pass the current time in as a value, or use a tool that tells it; dates made from given values work.",
    );
  return succeed(String(clock()));
}

/** As many bytes as `crypto.getRandomValues` gives at once. */
const MAX_RANDOM_BYTES = 65_536;

function randomBytes(argument: string): string {
  const length = Number(argument);
  if (!Number.isInteger(length) || length < 0 || length > MAX_RANDOM_BYTES)
    return fail("RangeError", `random: the number of bytes must be from 0 to ${MAX_RANDOM_BYTES}`);
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return succeed(Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(""));
}
