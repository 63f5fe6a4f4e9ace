/** Opens the session a state names, from the best of what was kept of it. */
import { InterpreterError } from "../../errors.js";
import type { Interpreter } from "../../interpreter.js";
import type { Session } from "../../session/session.js";
import type { Seal } from "../../session/session-state.js";
import { salvageNames } from "../../snapshot/salvage.js";
import type { InterpreterState, SnapshotReference } from "../state/interpreter-state.js";
import { allLost, partlyLost, unsaved } from "./lost-variables.js";
import { findSnapshot, type SnapshotPlaces } from "./snapshot-places.js";

export interface OpenedSession {
  readonly session: Session;
  /** For the model: what is missing, and why. */
  readonly lost: string | undefined;
}

/** @throws {StoreError} when the place cannot be read now; every other failure is told in `lost`. */
export async function openSession(
  interpreter: Interpreter,
  state: InterpreterState,
  places: SnapshotPlaces,
  seal: Seal,
): Promise<OpenedSession> {
  if (state.version === 0) return { session: await interpreter.open(), lost: undefined };
  const { snapshot, data } = state;
  if (!snapshot) {
    const lost = allLost("they were kept only in the process that ran them.");
    return { session: await interpreter.open(), lost };
  }
  const restored = await restore(interpreter, state.session, snapshot, places, seal);
  if (restored.session)
    return { session: restored.session, lost: missing(state, snapshot, restored.session) };
  const fallback = data && (await restore(interpreter, state.session, data, places, seal));
  if (data && fallback?.session) {
    return { session: fallback.session, lost: missing(state, data, fallback.session, restored.reason) };
  }
  return { session: await interpreter.open(), lost: allLost(restored.reason ?? "", restored.names) };
}

type Restored =
  | { readonly session: Session; readonly reason?: undefined; readonly names?: undefined }
  | { readonly session?: undefined; readonly reason: string; readonly names: readonly string[] };

async function restore(
  interpreter: Interpreter,
  session: string,
  reference: SnapshotReference,
  places: SnapshotPlaces,
  seal: Seal,
): Promise<Restored> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = await findSnapshot(places, session, reference);
    return { session: await interpreter.restore(bytes, seal) };
  } catch (error) {
    if (!InterpreterError.isInstance(error) || !error.code.startsWith("SNAPSHOT_")) throw error;
    // What somebody else may have written is not read out.
    const isOurs = bytes && seal.signingKey === undefined && error.code !== "SNAPSHOT_SIGNATURE";
    return { reason: error.message, names: isOurs ? await salvageNames(bytes as Uint8Array, session) : [] };
  }
}

function missing(
  state: InterpreterState,
  { version }: SnapshotReference,
  session: Session,
  reason?: string,
): string | undefined {
  const missedEvals = state.version - version;
  if (reason === undefined && !session.hasNewTombstones)
    return missedEvals > 0 ? unsaved(missedEvals) : undefined;
  return partlyLost({ reason, tombstones: session.tombstones, missedEvals });
}
