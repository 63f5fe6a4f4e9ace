/** `node:vm`: no sandbox at all, the limit of what an interpreter could reach here. */
import vm from "node:vm";

export const name = "node:vm";

export async function prepare() {}

export async function open({ tools } = {}) {
  const context = vm.createContext({ tools });
  const run = (source) => vm.runInContext(source, context);
  return {
    eval: async (source) => run(source),
    compute: async (body) => run(`(() => {${body}})()`),
    computeAsync: (body) => run(`(async () => {${body}})()`),
    dispose() {},
  };
}

export const features = ["repl", "tools", "values"];
