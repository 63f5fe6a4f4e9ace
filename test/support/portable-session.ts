import { loadEngine } from "../../src/engine/engine.js";
import { createInterpreter } from "../../src/interpreter.js";
import { decodeSnapshot } from "../../src/snapshot/decode-snapshot.js";

/** What one runtime tells the others: its base image, and a session with everything that is hard to move. */
export interface PortableSession {
  readonly baseImage: string;
  readonly snapshot: string;
  /** Of the session's memory, which is the same wherever the same program ran. */
  readonly image: string;
}

const program = `
  const counter = (() => { let n = 0; return () => ++n; })(); counter();
  class Box { #x = 41; get() { return ++this.#x; } }
  const box = new Box();
  const numbers = (function* () { let i = 0; while (true) yield i++; })(); numbers.next();
  let open; const gate = new Promise((resolve) => { open = resolve; });
  let seen = "waiting"; (async () => { seen = "resumed with " + (await gate); })();
  const rows = Array.from({ length: 200 }, (_, id) => ({ id, name: "row " + id }));
  rows.length;
`;

export async function makePortableSession(): Promise<PortableSession> {
  const { base } = await loadEngine();
  // A stack that every runtime has: how much of it an engine is given is part of its memory.
  const interpreter = await createInterpreter({ random: 1, limits: { maxStackSizeBytes: 64 * 1024 } });
  const session = await interpreter.open();
  const result = await session.eval(program);
  if (result.status !== "completed") throw new Error(JSON.stringify(result));
  const snapshot = await session.snapshot();
  const { image } = await decodeSnapshot(snapshot, {
    maxMemoryBytes: 2 ** 28,
    sections: ["image"],
    ...(await engineId()),
  });
  return {
    baseImage: await hash(base.pages.bytes),
    snapshot: btoa(String.fromCharCode(...snapshot)),
    image: await hash(image?.bytes ?? new Uint8Array()),
  };
}

async function engineId(): Promise<{ engineId: Uint8Array }> {
  const { id } = await loadEngine();
  return { engineId: Uint8Array.from(id.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)) };
}

async function hash(bytes: Uint8Array): Promise<string> {
  // A copy: Chromium digests no buffer that may be resized (own-pages.ts).
  const digest = new Uint8Array(
    await crypto.subtle.digest("SHA-256", bytes.slice() as Uint8Array<ArrayBuffer>),
  );
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
