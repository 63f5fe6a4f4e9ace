/** The reference: the session behind the middleware of `@langchain/quickjs`, as that middleware drives it. */
import { ReplSession } from "@langchain/quickjs";

export const name = "@langchain/quickjs";

let sessions = 0;
export async function prepare() {}

/** Tools are LangChain tools here: the session invokes them by itself. */
export async function open({ langchainTools } = {}) {
  const session = ReplSession.getOrCreate(`bench-${sessions++}`, {
    ...(langchainTools ? { tools: langchainTools } : {}),
    maxPtcCalls: null,
  });
  return {
    async eval(source) {
      const result = await session.eval(source, 60_000);
      if (!result.ok) throw new Error(result.error?.message ?? JSON.stringify(result.error));
      return result.value;
    },
    compute(body) {
      return this.eval(`(() => {${body}})()`);
    },
    computeAsync(body) {
      return this.eval(`await (async () => {${body}})()`);
    },
    dispose: () => session.dispose(),
  };
}

export const features = ["typescript", "repl", "tools", "values"];
