import { describe, test } from "vitest";
import { type StoreContractOptions, storeContract } from "../../src/testing/store-contract.js";
import type { StoreUnderTest } from "../../src/testing/store-under-test.js";

/**
 * Runs the exported contract as one test per case. `use` opens a fresh store, hands it to the case and closes it:
 * a callback, because a Durable Object's storage can only be used from inside the object.
 */
export function describeStore(
  name: string,
  options: StoreContractOptions,
  use: (run: (subject: StoreUnderTest) => Promise<void>) => Promise<void>,
): void {
  describe(`${name} keeps the store contract`, () => {
    for (const { title, run } of storeContract(options)) test(title, () => use(run));
  });
}
