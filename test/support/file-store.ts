import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { refuseStaleWrite, type SnapshotStore } from "../../src/store.js";

/** Files in a folder, for one process at a time: a value is written beside its place and moved there. */
export function fileStore(folder: string): SnapshotStore {
  mkdirSync(folder, { recursive: true });
  const name = (key: string) => Buffer.from(key).toString("hex");
  const read = (key: string) => {
    try {
      const bytes = readFileSync(join(folder, name(key)));
      return { bytes: new Uint8Array(bytes.subarray(16)), version: bytes.subarray(0, 16).toString("latin1") };
    } catch {
      return undefined;
    }
  };
  return {
    supports: { durable: true, shared: false },
    get: async (key) => read(key),
    async put(key, bytes, { replaces } = {}) {
      refuseStaleWrite(key, read(key)?.version, replaces);
      const version = crypto.randomUUID().replaceAll("-", "").slice(0, 16);
      const part = join(folder, `part-${version}`);
      writeFileSync(part, Buffer.concat([Buffer.from(version, "latin1"), bytes]));
      renameSync(part, join(folder, name(key)));
      return version;
    },
    delete: async (key) => rmSync(join(folder, name(key)), { force: true }),
    list: async (prefix = "") =>
      readdirSync(folder)
        .filter((file) => !file.startsWith("part-"))
        .map((file) => Buffer.from(file, "hex").toString())
        .filter((key) => key.startsWith(prefix))
        .map((key) => ({ key, version: read(key)?.version ?? "", size: read(key)?.bytes.length ?? 0 })),
  };
}
