import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import "@langchain/langgraph";

const storage = AsyncLocalStorageProviderSingleton.getInstance() as {
  run<T>(store: object, work: () => T): T;
  getStore(): unknown;
};

/** False in a tab, and where the suite runs as in one. */
export const hasAsyncContext = await storage.run({}, async () => {
  await Promise.resolve();
  return storage.getStore() !== undefined;
});
