import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { deltaChannelHistoryTests, validate } from "@langchain/langgraph-checkpoint-validation";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

/**
 * LangChain's own suite for checkpoint savers. It expects the test functions as globals, which is all that keeps it from
 * running in a browser or in workerd: its entry point imports no Node module.
 */
export function describeCheckpointSaver(
  name: string,
  create: () => BaseCheckpointSaver,
  destroy: (saver: BaseCheckpointSaver) => Promise<void> = async () => {},
): void {
  Object.assign(globalThis, { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it });
  const initializer = { checkpointerName: name, createCheckpointer: create, destroyCheckpointer: destroy };
  validate(initializer);
  deltaChannelHistoryTests(initializer);
}
