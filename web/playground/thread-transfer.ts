/** Threads as a whole: from one place into another, into a file and out of it, and a new one from an old snapshot. */

import { fromBase64, toBase64 } from "../../src/values/base64.js";
import { ActivityLog } from "./activity.js";
import type { Address, PlaceName } from "./address.js";
import type { AgentPlace, SnapshotPoint, ThreadContent } from "./agent/place.js";
import type { TabChoices } from "./agent/tab-agent.js";
import { openPlace } from "./open-place.js";

const FORMAT = "edge-interpreter-thread";

/** The thread keeps its id and its session: it is the same one, elsewhere. */
export async function moveThread(from: Address, to: PlaceName, choices: () => TabChoices): Promise<void> {
  const source = await openPlace(from.place, choices);
  const target = await openPlace(to, choices);
  await target.write(from.threadId, await source.read(from.threadId));
}

/** A new thread with the conversation and the variables as they were; answers its id. */
export async function forkThread(place: AgentPlace, threadId: string, point: SnapshotPoint): Promise<string> {
  const snapshot = await place.snapshot(threadId, point.key);
  const content = { messages: point.messages, interpreter: point.interpreter, snapshot };
  return writeCopy(place, content);
}

export async function exportThread(
  place: AgentPlace,
  threadId: string,
  activity: ActivityLog,
): Promise<Blob> {
  const { messages, interpreter, snapshot } = await place.read(threadId);
  const bytes = snapshot && toBase64(snapshot);
  const file = {
    format: FORMAT,
    version: 1,
    messages,
    interpreter,
    snapshot: bytes,
    activity: activity.toJSON(),
  };
  return new Blob([JSON.stringify(file)], { type: "application/json" });
}

/** Answers the id of the new thread. @throws {Error} when the file is not such an export. */
export async function importThread(place: AgentPlace, text: string): Promise<string> {
  const file = parseFile(text);
  const snapshot = typeof file["snapshot"] === "string" ? fromBase64(file["snapshot"]) : undefined;
  const content = { messages: file["messages"], interpreter: file["interpreter"], snapshot } as ThreadContent;
  const threadId = await writeCopy(place, content);
  ActivityLog.store(threadId, file["activity"]);
  return threadId;
}

function parseFile(text: string): Record<string, unknown> {
  let file: Record<string, unknown> | undefined;
  try {
    file = JSON.parse(text) as Record<string, unknown>;
  } catch {
    // Told below, like any other file that is not ours.
  }
  if (file?.["format"] !== FORMAT || file["version"] !== 1 || !Array.isArray(file["messages"]))
    throw new Error("This file is not a thread that was exported here.");
  return file;
}

/** A copy has a session of its own: two threads must not go on with one. */
async function writeCopy(place: AgentPlace, content: ThreadContent): Promise<string> {
  const threadId = crypto.randomUUID();
  const { interpreter, snapshot } = content;
  if (!interpreter?.snapshot || !snapshot) {
    await place.write(threadId, { ...content, interpreter: undefined, snapshot: undefined });
    return threadId;
  }
  const { rebindSnapshot } = await import("./agent/rebind-snapshot.js");
  const session = crypto.randomUUID();
  const bytes = await rebindSnapshot(snapshot, interpreter.session, session);
  const key = `${session}/${String(interpreter.version).padStart(8, "0")}-${crypto.randomUUID().slice(0, 8)}`;
  const reference = { place: "store", key, bytes: bytes.length };
  const { version } = interpreter;
  const revision = crypto.randomUUID();
  const own = { session, version, revision, tools: interpreter.tools ?? [], snapshot: reference };
  await place.write(threadId, { messages: content.messages, interpreter: own, snapshot: bytes });
  return threadId;
}
