/** A Worker as wrangler would deploy it. */
import { readdirSync } from "node:fs";
import { type Consumer, root } from "./consumer.js";

const quiet = {
  CI: "1",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
};

export const compatibilityDate = "2026-04-26";

export interface BundledWorker {
  cf: false;
  compatibilityDate: string;
  modulesRoot: string;
  modules: { type: "ESModule" | "CompiledWasm"; path: string }[];
}

/** Runs `wrangler deploy --dry-run` in the project and answers what Miniflare needs to run the result. */
export async function bundleWorker(app: Consumer): Promise<BundledWorker> {
  const wrangler = `${root}/node_modules/wrangler/bin/wrangler.js`;
  await app.run(process.execPath, [wrangler, "deploy", "--dry-run", "--outdir", "out"], quiet);
  const modules = readdirSync(app.path("out")).flatMap((name) => {
    const path = app.path(`out/${name}`);
    if (name.endsWith(".wasm")) return { type: "CompiledWasm" as const, path };
    return name.endsWith(".js") ? { type: "ESModule" as const, path } : [];
  });
  // Miniflare starts with the first.
  modules.sort((a, b) => b.type.localeCompare(a.type));
  return { cf: false, compatibilityDate, modulesRoot: app.path("out"), modules };
}
