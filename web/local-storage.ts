/**
 * LangGraph and Deep Agents look up the running task in an `AsyncLocalStorage`, which a tab does not have. This
 * stand-in is synchronous: code that reads it before its first `await` sees the right store, later code sees none,
 * never a wrong one. That is enough for Deep Agents' `task` tool, also in parallel.
 */
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";

class SynchronousLocalStorage {
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

/**
 * Installs the stand-in where a real `AsyncLocalStorage` can never come: in a browser. Does nothing anywhere else, and
 * nothing when LangGraph already has one.
 */
export function installSynchronousLocalStorage(): boolean {
  const runtime = globalThis as {
    process?: { versions?: { node?: string } };
    navigator?: { userAgent?: string };
  };
  if (runtime.process?.versions?.node || runtime.navigator?.userAgent === "Cloudflare-Workers") return false;
  const storage = new SynchronousLocalStorage();
  AsyncLocalStorageProviderSingleton.initializeGlobalInstance(
    storage as unknown as Parameters<typeof AsyncLocalStorageProviderSingleton.initializeGlobalInstance>[0],
  );
  return true;
}
