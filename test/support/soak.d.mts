import type { createInterpreter } from "../../src/interpreter.js";

type Create = typeof createInterpreter;

/** What there is to see of a process; the same shape at the start and at the end. */
type Measure<T> = () => T | Promise<T>;

interface Ends<T> {
  readonly atStart: T;
  readonly atEnd: T;
}

export interface SoakFigures<T> extends Ends<T> {
  readonly evals: number;
  readonly faults: number;
  readonly rebuilt: number;
  readonly storeFailures: number;
  readonly wrong: number;
  readonly firstWrong?: string;
  readonly liveAtEnd: number;
}

export function soak<T>(
  create: Create,
  options: { evals: number; threads: number; measure: Measure<T> },
): Promise<SoakFigures<T>>;

interface SessionSize {
  readonly memoryBytes: number;
  readonly snapshotBytes: number;
}

export function manyEvals<T>(
  create: Create,
  options: { evals: number; measure: Measure<T> },
): Promise<
  Ends<T> & {
    readonly evals: number;
    readonly wrong: number;
    readonly first: SessionSize;
    readonly last: SessionSize;
  }
>;

export function manySessions<T>(
  create: Create,
  options: { sessions: number; measure: Measure<T> },
): Promise<Ends<T> & { readonly sessions: number; readonly wrong: number; readonly liveSessions: number }>;
