/**
 * What a checkpoint saver needs from the place it saves to: rows under ordered keys, and transactions. A transaction is
 * a `Plan`: a generator that asks for rows and is answered. It does no I/O of its own, so the same plan runs inside
 * SQLite's synchronous `transactionSync` and inside an IndexedDB transaction, which ends as soon as somebody awaits
 * anything but its requests.
 *
 * Kinds of rows, and what `a`, `b` and `index` are for them (each after the thread and the checkpoint namespace):
 * - `checkpoint`: a = checkpoint id. Everything but the channel values; the head says which `value` each channel has
 * - `value`: a = channel, b = version and id of the checkpoint that wrote it
 * - `part`: a = channel, b = that of the value that wrote it first, index = position. Of values that are larger than one
 * - `write`: a = checkpoint id, b = task id, index = number of the write
 */
export type RowKind = "checkpoint" | "value" | "part" | "write";

export type RowKey = readonly [
  kind: RowKind,
  thread: string,
  namespace: string,
  a: string,
  b: string,
  index: number,
];

/** The first parts of a key; a whole key stands for itself. */
export type RowPrefix = readonly [kind: RowKind, ...rest: (string | number)[]];

export interface Row {
  readonly key: RowKey;
  /** JSON, small. */
  readonly head: string;
  /** May have any size; the place splits it where it must. */
  readonly body: Uint8Array;
}

export type RowRequest =
  | { readonly type: "get"; readonly keys: readonly RowKey[] }
  | { readonly type: "keys"; readonly prefix: RowPrefix }
  | { readonly type: "last"; readonly prefix: RowPrefix }
  | { readonly type: "put"; readonly rows: readonly Row[] }
  | { readonly type: "delete"; readonly prefixes: readonly RowPrefix[] };

export interface RowAnswers {
  /** In the order of the keys. The bodies belong to the receiver. */
  get: (Row | undefined)[];
  /** In ascending order. */
  keys: RowKey[];
  last: RowKey | undefined;
  put: undefined;
  delete: undefined;
}

export type RowAnswer = RowAnswers[keyof RowAnswers];

export type Plan<Result> = Generator<RowRequest, Result, RowAnswer>;

export function* getRows(keys: readonly RowKey[]): Plan<(Row | undefined)[]> {
  if (keys.length === 0) return [];
  return (yield { type: "get", keys }) as RowAnswers["get"];
}

export function* getKeys(prefix: RowPrefix): Plan<RowKey[]> {
  return (yield { type: "keys", prefix }) as RowAnswers["keys"];
}

export function* getLastKey(prefix: RowPrefix): Plan<RowKey | undefined> {
  return (yield { type: "last", prefix }) as RowAnswers["last"];
}

/** Replaces rows with the same keys. */
export function* putRows(rows: readonly Row[]): Plan<void> {
  if (rows.length > 0) yield { type: "put", rows };
}

export function* deleteRows(prefixes: readonly RowPrefix[]): Plan<void> {
  if (prefixes.length > 0) yield { type: "delete", prefixes };
}

/** Runs a plan where answers are there at once. */
export function runPlan<Result>(plan: Plan<Result>, answer: (request: RowRequest) => RowAnswer): Result {
  let step = plan.next();
  while (!step.done) step = plan.next(answer(step.value));
  return step.value;
}

/** Runs a plan and awaits nothing but its answers. */
export async function runPlanAsync<Result>(
  plan: Plan<Result>,
  answer: (request: RowRequest) => Promise<RowAnswer>,
): Promise<Result> {
  let step = plan.next();
  while (!step.done) step = plan.next(await answer(step.value));
  return step.value;
}
