/** A folder of files as a static host serves it, on loopback. */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

export interface StaticFolder {
  /** Ends with a slash. */
  readonly url: string;
  close(): void;
}

/** @param at Where the folder is to be, beginning and ending with a slash. */
export async function serveFolder(
  folder: string,
  { at = "/", headers = {} }: { at?: string; headers?: Readonly<Record<string, string>> } = {},
): Promise<StaticFolder> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://page");
    const name = pathname.startsWith(at) ? pathname.slice(at.length) || "index.html" : "";
    const body = name === "" ? undefined : await readFile(join(folder, name)).catch(() => undefined);
    const type = types[extname(name)] ?? "application/octet-stream";
    if (body) response.writeHead(200, { "content-type": type, ...headers }).end(body);
    else response.writeHead(404).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}${at}`, close };
}
