import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import "@langchain/langgraph";
import { SynchronousLocalStorage } from "../../src/langchain/synchronous-storage.js";

/** False where the suite runs as in a tab. */
export const hasAsyncContext = !(
  AsyncLocalStorageProviderSingleton.getInstance() instanceof SynchronousLocalStorage
);
