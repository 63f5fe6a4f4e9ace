/** This package: the core, without an agent framework. */
import { createInterpreter } from "edge-interpreter/core";

export const name = "edge-interpreter";

let interpreter;
/** @param {{ engine?: WebAssembly.Module }} [options] */
export async function prepare(options = {}) {
  interpreter ??= await createInterpreter({
    ...options,
    // The text for the model as long as the middleware has it.
    limits: { maxHostCalls: null, executionTimeoutMs: 60_000, maxRenderChars: 4000 },
  });
}

export async function open({ tools } = {}) {
  await prepare();
  return wrap(await interpreter.open(), tools);
}

function wrap(session, tools) {
  return {
    async eval(source) {
      const result = await session.eval(source, { tools });
      if (result.status !== "completed") throw new Error(result.error?.message ?? result.status);
      return result.value;
    },
    compute(body) {
      return this.eval(`(() => {${body}})()`);
    },
    computeAsync(body) {
      return this.eval(`await (async () => {${body}})()`);
    },
    save: () => session.snapshot({ layers: "image" }),
    dispose: () => session.dispose(),
  };
}

export const snapshots = {
  async restore(bytes) {
    return wrap(await interpreter.restore(bytes));
  },
};

export const features = ["typescript", "repl", "tools", "snapshots", "values"];
