import type { EvalOptions } from "../../../src/eval/eval-options.js";
import type { HostFunctions } from "../../../src/eval/host-functions.js";
import type { InterpreterOptions } from "../../../src/interpreter.js";

/** Text that a model reads: exactly this, or matching this. An array: of each eval in turn. */
export type Expected = string | RegExp | readonly (string | RegExp)[];

export interface RowOptions {
  readonly interpreter?: InterpreterOptions;
  readonly eval?: EvalOptions;
  /** @default 4000 */
  readonly maxResultChars?: number;
}

/** What is written, in one session, and what the last of it (or each) answers. */
export type Row = readonly [
  title: string,
  evals: string | readonly string[],
  expected: Expected,
  options?: RowOptions,
];

export const functions: HostFunctions = {
  num: () => 42,
  echo: (input) => input,
  boom: () => {
    throw new Error("exploded");
  },
};

export const withTools: RowOptions = { eval: { tools: functions } };
