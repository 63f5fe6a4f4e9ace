/** What a snapshot says in words, beside memory and data: the index of variables, and meta. */

/** One variable of a session as the index lists it. */
export interface SnapshotVariable {
  readonly name: string;
  /** `array`, `Map`, `function`, ... as the guest calls it. */
  readonly type: string;
  /** Approximate size in bytes. */
  readonly size: number;
  /** The start of its rendered value. */
  readonly preview: string;
}

/** Host-side counters and the like; JSON. */
export type SnapshotMeta = Readonly<Record<string, unknown>>;
