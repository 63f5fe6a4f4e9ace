import { AsyncLocalStorage } from "node:async_hooks";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";

/**
 * Gives LangGraph a real AsyncLocalStorage. The `workerd` and `browser` builds of LangGraph install none, and
 * without one `interrupt()` and the `task` tool of Deep Agents fail inside a node. Needs the compatibility flag
 * `nodejs_compat` (or `nodejs_als`). The first caller wins, so importing this module twice is harmless.
 */
export function installAsyncLocalStorage(): void {
  AsyncLocalStorageProviderSingleton.initializeGlobalInstance(new AsyncLocalStorage());
}
