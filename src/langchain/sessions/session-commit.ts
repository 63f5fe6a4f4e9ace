/**
 * How what an eval changed is kept: as a snapshot that the next state names and, where a thread's head stands in for the
 * graph's state, with the head moved there, unless somebody else has moved it meanwhile.
 */
import type { Session } from "../../session/session.js";
import type { ResolvedOptions } from "../options.js";
import type { InterpreterState, SnapshotReference } from "../state/interpreter-state.js";
import type { StepIdentity } from "../step-identity.js";
import type { Ground } from "./ground.js";
import type { Committed } from "./lease.js";
import type { LiveSession } from "./live-session.js";
import { overtaken } from "./lost-variables.js";
import { keepSnapshot } from "./snapshot-places.js";
import type { ThreadHeads } from "./thread-heads.js";

type SaveOptions = Pick<ResolvedOptions, "maxSnapshotBytes" | "snapshotFormat" | "snapshotSigningKey">;

/** Makes what the eval changed the state from now on. A failure to save is told, and costs only the saving. */
export async function commit(
  live: LiveSession,
  before: InterpreterState,
  step: StepIdentity,
  ground: Ground,
  options: SaveOptions,
): Promise<Committed> {
  const version = before.version + 1;
  const saved = ground.durable ? await save(live, { ...before, version }, ground, options) : {};
  const state: InterpreterState = {
    ...before,
    version,
    revision: crypto.randomUUID(),
    step: step.checkpointId,
    ...(saved.snapshot ? { snapshot: saved.snapshot } : {}),
  };
  const overtakenBy = ground.heads && (await moveHead(live, state, ground.heads, step));
  if (overtakenBy) return overtakenBy;
  live.state = state;
  return { state, note: saved.note };
}

async function save(
  live: LiveSession,
  { session: name, version }: InterpreterState,
  ground: Ground,
  { maxSnapshotBytes, snapshotFormat, snapshotSigningKey }: SaveOptions,
): Promise<{ snapshot?: SnapshotReference; note?: string }> {
  const session = live.session as Session;
  const layers = snapshotFormat === "data" ? "data" : "image";
  try {
    const bytes = await session.snapshot({ binding: name, signingKey: snapshotSigningKey, layers });
    if (bytes.length > maxSnapshotBytes)
      return { note: await tooLarge(session, bytes.length, maxSnapshotBytes) };
    return { snapshot: await keepSnapshot(ground, { session: name, version }, bytes) };
  } catch (error) {
    return { note: notSaved(error) };
  }
}

/** What the commit comes to when the head did not move to this state. */
async function moveHead(
  live: LiveSession,
  state: InterpreterState,
  heads: ThreadHeads,
  step: StepIdentity,
): Promise<Committed | undefined> {
  const thread = step.thread as string;
  try {
    const token = await heads.write(thread, state, live.headToken);
    if (token !== undefined) {
      live.headToken = token;
      return undefined;
    }
    // Somebody else wrote it while this eval ran: theirs is the state of the thread.
    live.replace(undefined, undefined);
    const head = await heads.read(thread);
    return {
      state: { ...(head.state ?? state), tools: state.tools, results: state.results },
      note: overtaken(),
    };
  } catch (error) {
    live.state = state;
    return { state, note: notSaved(error) };
  }
}

/** Adds the variables as plain data to the state that the session is in; undefined when they cannot be. */
export async function saveData(
  live: LiveSession,
  ground: Ground,
  { maxSnapshotBytes, snapshotSigningKey }: SaveOptions,
): Promise<InterpreterState | undefined> {
  const state = live.state as InterpreterState;
  if (!isDataMissing(state)) return undefined;
  const bytes = await (live.session as Session).snapshot({
    binding: state.session,
    signingKey: snapshotSigningKey,
    layers: "data",
  });
  if (bytes.length > maxSnapshotBytes) return undefined;
  const next = { ...state, data: await keepSnapshot(ground, state, bytes) };
  if (ground.heads) {
    const token = await ground.heads.write(ground.thread as string, next, live.headToken);
    if (token === undefined) return undefined;
    live.headToken = token;
  }
  live.state = next;
  return next;
}

/** Something ran since the variables were last kept as plain data. */
export function isDataMissing({ version, data }: InterpreterState): boolean {
  return version > 0 && data?.version !== version;
}

function notSaved(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `not saved: ${reason} The last saved state stays.`;
}

async function tooLarge(session: Session, bytes: number, limit: number): Promise<string> {
  const largest = (await session.variables())
    .slice(0, 3)
    .map(({ name, size }) => `${name} (about ${size} bytes)`);
  return `not saved: the variables take ${bytes} bytes, more than maxSnapshotBytes (${limit}); largest: ${largest.join(", ")}. The last saved state stays; free what is not needed.`;
}
