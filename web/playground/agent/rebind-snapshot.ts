import { ENGINE, sessionsInWorkers } from "./page-interpreter.js";

/** The snapshot of one session as that of another: a copy of a thread must not share the session it came from. */
export async function rebindSnapshot(bytes: Uint8Array, from: string, to: string): Promise<Uint8Array> {
  const interpreter = await sessionsInWorkers({ engine: ENGINE });
  try {
    const session = await interpreter.restore(bytes, { binding: from });
    return await session.snapshot({ binding: to });
  } finally {
    interpreter.dispose();
  }
}
