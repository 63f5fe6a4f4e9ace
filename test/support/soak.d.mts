import type { Interpreter, InterpreterOptions } from "../../src/interpreter.js";

export interface SoakFigures {
  evals: number;
  faults: number;
  rebuilt: number;
  storeFailures: number;
  wrong: number;
  liveAtEnd: number;
  memoryAtStart: number;
  memoryAtEnd: number;
}

export function soak(
  createInterpreter: (options: InterpreterOptions) => Promise<Interpreter>,
  options: { evals: number; threads: number; memory: () => number },
): Promise<SoakFigures>;
