/** What is kept of a session: what a caller may say about it, and what goes with its memory. */

import type { PausedEvaluation } from "../eval/program-outcome.js";
import { decodeValue } from "../values/decode-value.js";
import { encodeValue } from "../values/encode-value.js";

/** What a snapshot is bound to and signed with. */
export interface Seal {
  /** The thread it is for; readers that expect another one refuse it. */
  readonly binding?: string | undefined;
  readonly signingKey?: string | Uint8Array | undefined;
}

export interface SnapshotOptions extends Seal {
  /**
   * What to keep: the exact image, which only this engine build can read; the variables as plain data, which every
   * later version can read and which costs time in proportion to them; or both. @default "both"
   */
  readonly layers?: SnapshotLayers | undefined;
  /** A text of the caller's that is kept with the snapshot; see `Session.attachment`. */
  readonly attachment?: string | undefined;
}

export type SnapshotLayers = "image" | "data" | "both";

/** A variable that is not there after a restore as plain data; reading it throws an error that says so. */
export interface Tombstone {
  readonly name: string;
  /** `function`, `object`, `array`, ... */
  readonly type: string;
}

/** What a snapshot holds beside the memory. */
export interface SessionMeta {
  readonly evals: number;
  readonly paused?: StoredPause | undefined;
  readonly attachment?: string;
  /** Variables that an earlier restore could not bring back. */
  readonly tombstones?: readonly Tombstone[];
}

/** Inputs are guest values, which JSON does not hold. */
export type StoredPause = Omit<PausedEvaluation, "gated"> & {
  readonly gated: readonly { readonly id: number; readonly name: string; readonly argument: string }[];
};

export function toStored(paused: PausedEvaluation): StoredPause {
  const gated = paused.gated.map(({ id, name, input }) => ({
    id,
    name,
    argument: input === undefined ? "" : encodeValue(input),
  }));
  return { ...paused, gated };
}

export function fromStored(paused: StoredPause): PausedEvaluation {
  const gated = paused.gated.map(({ id, name, argument }) => ({
    id,
    name,
    input: argument === "" ? undefined : decodeValue(argument),
  }));
  return { ...paused, gated };
}
