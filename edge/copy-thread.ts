/** The Worker's side of copying a thread: it carries the parts from one object into another. */
import { HttpError } from "./http-error.js";
import { type AgentNamespace, objectOf } from "./thread-directory.js";
import type { TransferPlace } from "./thread-transfer.js";

/** @throws {HttpError} 404 where there is nothing to copy, 409 where a run is under way */
export async function copyThread(namespace: AgentNamespace, from: string, to: string): Promise<void> {
  const source = objectOf(namespace, from);
  const target = objectOf(namespace, to);
  let stamp: string | undefined;
  let metadata = "{}";
  for (let place: TransferPlace | null = { table: 0, after: 0 }; place; ) {
    const part = await source.readThreadPart(place);
    if (part === "absent") throw new HttpError(404, `Thread ${from} not found.`);
    if (part === "busy" || (stamp !== undefined && part.stamp !== stamp)) {
      await target.discardCopy();
      throw new HttpError(409, "The thread is busy: it can be copied when the run is over.");
    }
    await target.writeThreadPart(part);
    stamp = part.stamp;
    metadata = part.metadata;
    place = part.next;
  }
  await target.finishCopy({ from, to, metadata });
}
