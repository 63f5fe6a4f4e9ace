/**
 * What a program had changed when a person stopped it, made part of the thread: the run that was aborted wrote nothing,
 * but the page may. So the workspace shows it, and it goes along when the thread is moved or exported.
 */

import { snapshotKey, threadPrefix } from "../../../src/langchain/sessions/snapshot-keys.js";
import {
  readStoppedRecord,
  type StopOutcome,
  type StoppedRecord,
  stoppedHeapKey,
  stoppedKey,
} from "../../../src/langchain/sessions/stopped-evals.js";
import type { InterpreterState } from "../../../src/langchain/state/interpreter-state.js";
import { STOPPED_CALL } from "../leaving.js";
import type { GraphPort } from "./graph-port.js";

export interface StoppedProgram {
  /** For the model, and for the program's card. */
  readonly text: string;
  /** The session's new state; undefined when it is what the thread says already. */
  readonly interpreter: InterpreterState | undefined;
}

/** Milliseconds between two looks. A run is over at once; its program may take until its worker is ended. */
const LOOKS = [0, 50, 100, 200, 400, 800, 1600];

export async function stoppedProgram(
  port: GraphPort,
  threadId: string,
  session: string | undefined,
  calls: readonly string[],
): Promise<StoppedProgram> {
  const record = session === undefined ? undefined : await findRecord(port, threadId, session, calls);
  if (!record) return { text: STOPPED_CALL, interpreter: undefined };
  const text = `${STOPPED_CALL} ${texts[record.outcome]}`;
  const image = await port.readSnapshot(threadId, pausedKey(threadId, stoppedHeapKey(record.from.session)));
  if (record.outcome !== "kept" || !image) return { text, interpreter: undefined };
  const version = record.from.version + 1;
  const key = snapshotKey(threadId, record.from.session, version);
  await port.writeSnapshot(threadId, key, image);
  const snapshot = { place: "store" as const, key, bytes: image.length, version };
  const { step: _, ...from } = record.from;
  return { text, interpreter: { ...from, version, revision: crypto.randomUUID(), snapshot } };
}

async function findRecord(
  port: GraphPort,
  threadId: string,
  session: string,
  calls: readonly string[],
): Promise<StoppedRecord | undefined> {
  for (const pause of LOOKS) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    const bytes = await port.readSnapshot(threadId, pausedKey(threadId, stoppedKey(session)));
    const record = bytes && (await readStoppedRecord(bytes, session));
    if (record?.toolCall !== undefined && calls.includes(record.toolCall)) return record;
  }
  return undefined;
}

/** Where the middleware keeps what no state names. */
function pausedKey(threadId: string, name: string): string {
  return `${threadPrefix(threadId)}pauses/${name}`;
}

const texts: Readonly<Record<StopOutcome, string>> = {
  kept: "What it had changed by then stays.",
  rebuilt: "It was in the middle of something that cannot be interrupted: what it had changed is lost.",
  "not kept": "What it had changed could not be kept.",
};
