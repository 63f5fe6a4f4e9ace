/** `@cloudflare/codemode` in a page: every run is a new sandboxed iframe, and tools are calls by message. */
import { IframeSandboxExecutor } from "@cloudflare/codemode/browser";

export const name = "@cloudflare/codemode (iframe)";

export async function open({ tools = {} } = {}) {
  const executor = new IframeSandboxExecutor({ timeout: 60_000 });
  const run = async (code) => {
    const { result, error } = await executor.execute(code, [{ name: "tools", fns: tools }]);
    if (error) throw new Error(error);
    return result;
  };
  return {
    eval: (source) => run(`async () => { return (${source}\n); }`),
    compute: (body) => run(`async () => {${body}}`),
    computeAsync: (body) => run(`async () => {${body}}`),
    dispose() {},
  };
}

export const features = ["tools", "values"];
