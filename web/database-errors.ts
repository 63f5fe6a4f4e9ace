/** Why a database cannot be opened, in words for whoever has the page, and whether it may be over the next time. */
import { StoreError } from "../src/errors.js";

/** True for a failure that may be over the next time, or that only another version of the page can handle. */
export function isPassing(error: StoreError): boolean {
  return isNamed(error.cause, "TimeoutError") || isNamed(error.cause, "VersionError");
}

export function isNamed(error: unknown, name: string): boolean {
  return typeof error === "object" && error !== null && "name" in error && error.name === name;
}

export function explain(error: unknown): string {
  if (isNamed(error, "VersionError")) return "a newer version of this page has upgraded it. Reload the page";
  return error instanceof Error || error instanceof DOMException
    ? `${error.name}: ${error.message}`
    : String(error);
}

export function unavailable(name: string, why: string, cause: unknown): StoreError {
  return new StoreError(
    "STORE_UNAVAILABLE",
    `The database ${JSON.stringify(name)} cannot be opened: ${why}.`,
    { cause },
  );
}
