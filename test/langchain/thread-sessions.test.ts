import { MemorySaver } from "@langchain/langgraph";
import { beforeAll, expect, test } from "vitest";
import { createInterpreter, type Interpreter } from "../../src/interpreter.js";
import { resolveOptions } from "../../src/langchain/resolve-options.js";
import { ThreadSessions } from "../../src/langchain/sessions/thread-sessions.js";
import { newState } from "../../src/langchain/state/interpreter-state.js";
import type { StepIdentity } from "../../src/langchain/step-identity.js";

let interpreter: Interpreter;
beforeAll(async () => {
  interpreter = await createInterpreter();
});

const stepOf = (checkpointer: MemorySaver | undefined, thread = "t"): StepIdentity => ({
  checkpointId: crypto.randomUUID(),
  taskId: crypto.randomUUID(),
  thread,
  namespace: "",
  checkpointer,
  isReplay: false,
});

test("sessions beyond the number remembered are let go, saved ones first, and come back from their snapshots", async () => {
  const saver = new MemorySaver();
  const opened: string[] = [];
  const counting: Interpreter = {
    ...interpreter,
    open: () => {
      opened.push("open");
      return interpreter.open();
    },
    restore: (bytes, options) => {
      opened.push("restore");
      return interpreter.restore(bytes, options);
    },
  };
  const sessions = new ThreadSessions(resolveOptions(), async () => counting, 2);
  const states = new Map<string, ReturnType<typeof newState>>();
  const run = async (name: string, code: string, checkpointer: MemorySaver | undefined) => {
    const lease = await sessions.acquire(states.get(name) ?? newState(undefined), stepOf(checkpointer, name));
    const result = await lease.session.eval(code);
    states.set(name, (await lease.commit()).state);
    lease.release();
    return result.status === "completed" ? result.value : result;
  };
  await run("unsaved", "var n = 'unsaved'; n", undefined);
  for (const name of ["a", "b", "c"]) await run(name, `var n = "${name}"; n`, saver);
  expect(opened).toEqual(["open", "open", "open", "open"]);
  expect(await run("c", "n", saver)).toBe("c");
  expect(await run("unsaved", "n", undefined)).toBe("unsaved");
  expect(opened).toHaveLength(4);
  expect(await run("a", "n", saver)).toBe("a");
  expect(opened.slice(4)).toEqual(["restore"]);
});

test("a lease that is released without a commit leaves the state as it was", async () => {
  const saver = new MemorySaver();
  const sessions = new ThreadSessions(resolveOptions(), async () => interpreter);
  const first = await sessions.acquire(newState(undefined), stepOf(saver));
  await first.session.eval("var n = 1");
  const { state } = await first.commit();
  first.release();
  const given = await sessions.acquire(state, stepOf(saver));
  await given.session.eval("n = 2");
  given.release();
  const again = await sessions.acquire(state, stepOf(saver));
  expect(await again.session.eval("n")).toMatchObject({ value: 1 });
  again.release();
});
