/** What the model reads when variables it may count on are missing after a restore. */
import type { Tombstone } from "../../session/session-state.js";

const SHOWN = 30;

/** Nothing came back. `names` are the variables there were, as far as that is known. */
export function allLost(reason: string, names: readonly string[] = []): string {
  return `The variables of earlier evals are gone${names.length > 0 ? ` (${list(names)})` : ""}: ${reason}`;
}

/** The state could not be read now; nothing ran and nothing is lost. */
export function notLoaded(reason: string): string {
  return `The variables of earlier evals could not be loaded, so nothing was run and nothing has changed; try again. ${reason}`;
}

export interface DataRestore {
  /** Why the exact image was not used; left out when there is none by choice. */
  readonly reason: string | undefined;
  readonly tombstones: readonly Tombstone[];
  /** Evals that ran after what was restored. */
  readonly missedEvals: number;
}

/** Plain data came back; functions and the like did not. Undefined when nothing is missing. */
export function partlyLost({ reason, tombstones, missedEvals }: DataRestore): string | undefined {
  const parts: string[] = [];
  if (reason !== undefined && (tombstones.length > 0 || missedEvals > 0))
    parts.push(`Variables were restored as plain data. ${reason}`);
  if (tombstones.length > 0) {
    const names = list(tombstones.map(({ name, type }) => `${name} (${type})`));
    parts.push(
      `Not restored, because they are not plain data: ${names}; define them again before using them.`,
    );
  }
  if (missedEvals > 0) parts.push(unsaved(missedEvals));
  return parts.length > 0 ? parts.join(" ") : undefined;
}

export function unsaved(evals: number): string {
  const last = evals === 1 ? "the last eval" : `the last ${evals} evals`;
  return `What ${last} changed could not be restored: the variables are those of before.`;
}

export function movedByOthers(): string {
  return "Another run of this thread (another tab or process) has changed the variables since; they are the newest ones now.";
}

export function overtaken(): string {
  return "not saved: another run of this thread (another tab or process) changed the variables at the same time. They have been reloaded and are the other run's now; what this eval changed is gone.";
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN).join(", ");
  return names.length > SHOWN ? `${shown} and ${names.length - SHOWN} more` : shown;
}
