/** `@sebastianwessel/quickjs` with the variant its README names; a sandbox is kept open for the session's lifetime. */
import { loadQuickJs } from "@sebastianwessel/quickjs";

export const name = "@sebastianwessel/quickjs";

let runSandboxed;
export async function prepare(variant) {
  if (!runSandboxed) ({ runSandboxed } = await loadQuickJs(variant));
}

export async function open({ tools } = {}) {
  let close;
  const closed = new Promise((resolve) => {
    close = resolve;
  });
  const evalCode = await new Promise((opened, failed) => {
    const options = { executionTimeout: 3_600_000, ...(tools ? { env: tools } : {}) };
    runSandboxed(async (sandbox) => {
      opened(sandbox.evalCode);
      await closed;
    }, options).catch(failed);
  });
  const run = async (expression) => {
    const result = await evalCode(`export default ${expression}`);
    if (!result.ok) throw new Error(result.error.message);
    return result.data;
  };
  return {
    eval: run,
    compute: (body) => run(`(() => {${body}})()`),
    computeAsync: (body) => run(`await (async () => {${tools ? "const tools = env;" : ""}${body}})()`),
    dispose: close,
  };
}

export const features = ["tools", "values"];
