/** The interpreter without a framework, as a user's compiler sees it. */
import {
  createInterpreter,
  formatResult,
  type HostFunction,
  InterpreterError,
  memoryStore,
  type SnapshotStore,
} from "edge-interpreter/core";
import engine from "edge-interpreter/quickjs.wasm";
import { storeContract } from "edge-interpreter/testing";
import type { Equal } from "./equal.js";

const interpreter = await createInterpreter({ engine, limits: { executionTimeoutMs: 100 } });
const session = await interpreter.open();
const double: HostFunction = async (input) => (input as { n: number }).n * 2;
const result = await session.eval("await tools.double({ n: 21 })", { tools: { double } });
const text: string = formatResult(result);

// A result is told apart by its status, and its value has to be looked at.
if (result.status === "completed") {
  const unknownValue: Equal<typeof result.value, unknown> = true;
  unknownValue satisfies true;
  // @ts-expect-error a completed eval has no error
  result.error;
} else if (result.status === "failed") {
  result.error.code satisfies string;
  // @ts-expect-error a code that no failure has
  result.error.code === "NONSENSE";
  // @ts-expect-error a failed eval has no value
  result.value;
}

const error: unknown = new Error();
if (InterpreterError.isInstance(error)) error.code satisfies string;

const store: SnapshotStore = memoryStore();
for (const { title, run } of storeContract()) {
  title satisfies string;
  await run({ store });
}
// @ts-expect-error a store has four methods
const half: SnapshotStore = { get: async () => undefined };
// @ts-expect-error an option that does not exist
createInterpreter({ memory: 1 });
// @ts-expect-error the source is text
session.eval(42);

export const used: unknown[] = [text, half];
