/** One case of the contract, and the store it is held against. */
import type { SnapshotStore } from "../store.js";

/** A fresh and empty store, and what the suite may do to it. */
export interface StoreUnderTest {
  readonly store: SnapshotStore;
  /** Another store object on the same place, as after a restart. Leaves out the cases that need it when absent. */
  readonly reopen?: () => Promise<SnapshotStore>;
  /**
   * Makes the place fail the next reads or writes until the returned function is called. The error it fails with must
   * be the `cause` of what the store throws. Leaves out the cases that need it when absent.
   */
  readonly failing?: (operation: "read" | "write", error: Error) => () => void;
}

export interface StoreCase {
  /** The behaviour as a sentence. */
  readonly title: string;
  /** Throws when the store does not behave so. */
  run(subject: StoreUnderTest): Promise<void>;
}
