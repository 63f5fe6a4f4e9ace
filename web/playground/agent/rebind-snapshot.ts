import { createInterpreter } from "../../../src/interpreter.js";

/** The snapshot of one session as that of another: a copy of a thread must not share the session it came from. */
export async function rebindSnapshot(bytes: Uint8Array, from: string, to: string): Promise<Uint8Array> {
  const interpreter = await createInterpreter({ engine: new URL("quickjs.wasm", document.baseURI) });
  try {
    const session = await interpreter.restore(bytes, { binding: from });
    // An unchanged session answers with the very bytes it was restored from.
    await session.eval("void 0", { returns: "text" });
    return await session.snapshot({ binding: to });
  } finally {
    interpreter.dispose();
  }
}
