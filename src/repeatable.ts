/** What makes runs repeatable: the seed of the guest's random numbers, and its clock. */
import { invalidOption } from "./errors.js";

/** @throws {TypeError} naming the option that is wrong. */
export function checkRepeatable({ random, clock }: { random?: unknown; clock?: unknown }): void {
  if (random !== undefined && typeof random !== "string" && !Number.isFinite(random))
    throw invalidOption("random", random, "a string or a finite number");
  if (clock !== undefined && typeof clock !== "function")
    throw invalidOption("clock", clock, "a function that answers milliseconds since 1970");
}
