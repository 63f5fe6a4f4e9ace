/** Runs suites in workerd, through Miniflare. Its clock goes on during computation; a deployed Worker's does not. */
import { Miniflare } from "miniflare";
import { bundle, engines, readEngine } from "./bundle.mjs";

export async function runInWorkerd(suites, { rounds }) {
  const modules = [
    {
      type: "ESModule",
      path: "worker.mjs",
      contents: await bundle("workerd-entry.mjs", { conditions: ["workerd", "worker", "browser"] }),
    },
  ];
  for (const name of Object.keys(engines))
    modules.push({ type: "CompiledWasm", path: name, contents: await readEngine(name) });
  const miniflare = new Miniflare({
    modules,
    compatibilityDate: "2026-04-26",
    compatibilityFlags: ["nodejs_compat"],
    cf: false,
  });
  try {
    const response = await miniflare.dispatchFetch("http://bench/", {
      method: "POST",
      body: JSON.stringify({ suites, rounds }),
    });
    const { tables, error } = await response.json();
    if (error) throw new Error(`In workerd: ${error}`);
    return tables;
  } finally {
    await miniflare.dispose();
  }
}
