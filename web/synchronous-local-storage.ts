import { provideSynchronousStorage } from "../src/langchain/synchronous-storage.js";

/**
 * Gives LangGraph a stand-in for `AsyncLocalStorage` where a real one can never come: in a browser. Code that reads it
 * before its first `await` finds the running task, which is what `interrupt()` and the tools of Deep Agents need. The
 * middleware sees to it for `task()`; call this for tools of your own that use LangGraph's functions without a config.
 *
 * @returns `false` anywhere else, where it does nothing. Nothing changes either when LangGraph already has a storage.
 */
export function installSynchronousLocalStorage(): boolean {
  const runtime = globalThis as {
    process?: { versions?: { node?: string } };
    navigator?: { userAgent?: string };
  };
  if (runtime.process?.versions?.node || runtime.navigator?.userAgent === "Cloudflare-Workers") return false;
  provideSynchronousStorage();
  return true;
}
