/**
 * What every `SnapshotStore` keeps, as a list of named cases that throw when it does not. No test framework is
 * imported, so the list runs in any of them and inside any runtime (a Durable Object, a page):
 *
 * @example
 * for (const { title, run } of storeContract()) test(title, async () => run({ store: myStore() }));
 */
import { failureCases } from "./failure-cases.js";
import { keyCases } from "./key-cases.js";
import { reopenCases } from "./reopen-cases.js";
import type { StoreCase } from "./store-under-test.js";
import { valueCases } from "./value-cases.js";
import { versionCases } from "./version-cases.js";

export interface StoreContractOptions {
  /**
   * `StoreUnderTest.reopen` is given.
   *
   * @default false
   */
  readonly reopen?: boolean;
  /**
   * `StoreUnderTest.failing` is given.
   *
   * @default false
   */
  readonly failing?: boolean;
}

/** The cases for a store; those that need more than the store only when it is said to be there. */
export function storeContract(options: StoreContractOptions = {}): readonly StoreCase[] {
  return [
    ...valueCases,
    ...versionCases,
    ...keyCases,
    ...(options.reopen ? reopenCases : []),
    ...(options.failing ? failureCases : []),
  ];
}
