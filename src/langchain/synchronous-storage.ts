/**
 * LangGraph and Deep Agents look up the running task in an `AsyncLocalStorage`, which a tab does not have. This
 * stand-in is synchronous: code that reads it before its first `await` sees the right store, later code sees none,
 * never a wrong one. That is enough for Deep Agents' `task` tool, also in parallel.
 */
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";

export class SynchronousLocalStorage {
  #current: unknown;

  getStore(): unknown {
    return this.#current;
  }

  run<T>(store: unknown, callback: () => T): T {
    const previous = this.#current;
    this.#current = store;
    try {
      return callback();
    } finally {
      this.#current = previous;
    }
  }

  enterWith(store: unknown): void {
    this.#current = store;
  }
}

type Storage = Parameters<typeof AsyncLocalStorageProviderSingleton.initializeGlobalInstance>[0];

/** Does nothing where there is a storage already. */
export function provideSynchronousStorage(): void {
  AsyncLocalStorageProviderSingleton.initializeGlobalInstance(
    new SynchronousLocalStorage() as unknown as Storage,
  );
}
