/** The sessions that are in memory, by who may use them. Idle ones beyond the limit are opened from their snapshots again. */

import type { StepIdentity } from "../step-identity.js";
import { LiveSession } from "./live-session.js";

export class LiveSessions {
  readonly #maxRemembered: number;
  /** The one used longest ago first. */
  readonly #byKey = new Map<string, LiveSession>();

  constructor(maxRemembered: number) {
    this.#maxRemembered = maxRemembered;
  }

  /**
   * Another step of the same session that runs now (a fork) keeps what it has; this one gets a session of its own. One
   * that was aborted is about to end, and what it leaves may be what this one goes on from.
   */
  claim(key: string, { checkpointId }: StepIdentity, followsHead: boolean): LiveSession {
    let live = this.#byKey.get(key);
    const isElsewhere = live && live.users > 0 && live.claim !== checkpointId && !live.signal?.aborted;
    if (isElsewhere && !followsHead) live = undefined;
    live ??= new LiveSession();
    this.#byKey.delete(key);
    this.#byKey.set(key, live);
    live.users++;
    live.claim = checkpointId;
    this.#forgetOldest();
    return live;
  }

  /** The end of a claim. */
  leave(key: string, live: LiveSession): void {
    if (--live.users === 0 && this.#byKey.get(key) !== live) live.replace(undefined, undefined);
  }

  /** Forgets a session, whose name its keys begin with. */
  drop(session: string): void {
    for (const [key, live] of this.#byKey) {
      if (!key.startsWith(`${session} `)) continue;
      this.#byKey.delete(key);
      if (live.users === 0) live.replace(undefined, undefined);
    }
  }

  /** First those that a snapshot can bring back, and only then the others. */
  #forgetOldest(): void {
    for (const onlySaved of [true, false]) {
      for (const [key, live] of this.#byKey) {
        if (this.#byKey.size <= this.#maxRemembered) return;
        if (live.users > 0 || (onlySaved && !live.isSaved)) continue;
        this.#byKey.delete(key);
        live.replace(undefined, undefined);
      }
    }
  }
}
