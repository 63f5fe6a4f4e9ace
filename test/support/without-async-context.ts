/** Takes the `AsyncLocalStorage` away that LangGraph finds in Node and puts in its place what a tab has. */
import { AsyncLocalStorage } from "node:async_hooks";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import {
  provideSynchronousStorage,
  SynchronousLocalStorage,
} from "../../src/langchain/synchronous-storage.js";

const initialize = AsyncLocalStorageProviderSingleton.initializeGlobalInstance;
AsyncLocalStorageProviderSingleton.initializeGlobalInstance = function (instance) {
  if (!(instance instanceof AsyncLocalStorage)) initialize.call(this, instance);
};

await import("@langchain/langgraph");
provideSynchronousStorage();
const storage = AsyncLocalStorageProviderSingleton.getInstance();
if (!(storage instanceof SynchronousLocalStorage))
  throw new Error("There is an AsyncLocalStorage after all.");
