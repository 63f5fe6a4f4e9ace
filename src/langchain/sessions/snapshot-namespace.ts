/**
 * Checkpoint namespaces that hold no checkpoints of a graph but snapshots of sessions, `edge-interpreter:<session>`,
 * and paused evals, `edge-interpreter:pause:<key>`. The graph's histories and states never show them.
 */
const PREFIX = "edge-interpreter:";
const PAUSES = `${PREFIX}pause:`;

/** One per session, because some savers keep only the latest checkpoint of each namespace. */
export function snapshotNamespace(session: string): string {
  return PREFIX + session;
}

export function pauseNamespace(key: string): string {
  return PAUSES + key;
}

/** True for both kinds: how many there are says nothing about what a checkpoint still needs. */
export function isOwnNamespace(namespace: string): boolean {
  return namespace.startsWith(PREFIX);
}

export function isSnapshotNamespace(namespace: string): boolean {
  return namespace.startsWith(PREFIX) && !namespace.startsWith(PAUSES);
}
