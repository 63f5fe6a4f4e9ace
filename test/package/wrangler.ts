/** A Worker as wrangler would deploy it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createInterface } from "node:readline";
import { type Consumer, root } from "./consumer.js";

export const wrangler = `${root}/node_modules/wrangler/bin/wrangler.js`;

export const quiet = {
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

export interface DevServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** `wrangler dev` in the project, on a free port of loopback, once it takes requests. */
export async function startDev(app: Consumer): Promise<DevServer> {
  const args = ["dev", "--local", "--ip", "127.0.0.1", "--port", "0", "--inspector-port", "0"];
  const server = spawn(process.execPath, [wrangler, ...args], {
    cwd: app.directory,
    // A group of its own, so that the whole of it can be ended: wrangler starts workerd.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...quiet },
  });
  const ended = once(server, "exit");
  const printed: string[] = [];
  const url = new Promise<string>((resolve, reject) => {
    for (const stream of [server.stdout, server.stderr]) {
      createInterface({ input: stream }).on("line", (line) => {
        printed.push(line);
        const [, address] = /Ready on (http:\/\/\S+)/.exec(line) ?? [];
        if (address) resolve(address);
      });
    }
    void ended.then(() => reject(new Error(`wrangler dev ended:\n${printed.join("\n")}`)));
  });
  const stop = async () => {
    if (server.exitCode === null && server.signalCode === null) process.kill(-server.pid!, "SIGTERM");
    await ended;
  };
  return { url: await url, stop };
}
