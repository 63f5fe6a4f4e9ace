import { afterAll, beforeAll, expect, test } from "vitest";
import { createInterpreter, type Interpreter } from "../../src/index.js";

/**
 * A real trap: the engine's heap is overwritten, as a bug of the engine would do it. Memories are caught where they
 * are made, because nothing of a session leads to its own.
 */
const memories: WebAssembly.Memory[] = [];
const Native = WebAssembly.Memory;
let interpreter: Interpreter;

beforeAll(async () => {
  WebAssembly.Memory = class extends Native {
    constructor(descriptor: WebAssembly.MemoryDescriptor) {
      super(descriptor);
      memories.push(this);
    }
  };
  interpreter = await createInterpreter();
});
afterAll(() => {
  WebAssembly.Memory = Native;
});

/** Static data and stack stay as they are; the heap begins behind them. */
const HEAP_START = 5.5 * 1024 * 1024;

function overwriteHeap(memory: WebAssembly.Memory): void {
  new Uint8Array(memory.buffer).fill(0xff, HEAP_START, HEAP_START + 512 * 1024);
}

/** A new session, and what destroys its heap. */
async function openFragile(by: Interpreter = interpreter) {
  const session = await by.open();
  const memory = memories.at(-1)!;
  return { session, damage: () => overwriteHeap(memory) };
}

test("a trap in the middle of an eval costs that eval only", async () => {
  const { session, damage } = await openFragile();
  await session.eval("var kept = 'kept', count = 1");
  await session.eval("count++");
  const result = await session.eval("count = 100; await tools.damage(); count", {
    tools: { damage },
  });
  expect(result).toMatchObject({ status: "failed", error: { code: "SESSION_REBUILT" } });
  expect(await session.eval("kept + count")).toMatchObject({ status: "completed", value: "kept2" });
  session.dispose();
});

test("a heap that was destroyed between two evals is given up for the last snapshot", async () => {
  const { session, damage } = await openFragile();
  await session.eval("var saved = 1");
  await session.snapshot();
  await session.eval("var notSaved = 2");
  damage();
  expect(await session.eval("saved")).toMatchObject({ status: "failed", error: { code: "SESSION_REBUILT" } });
  expect(await session.eval("[saved, typeof notSaved]")).toMatchObject({ value: [1, "undefined"] });
  session.dispose();
});

test("without a snapshot it starts anew, and says so", async () => {
  const { session, damage } = await openFragile();
  await session.eval("var notSaved = 2");
  await session.eval("notSaved++");
  damage();
  expect(await session.eval("notSaved")).toMatchObject({
    status: "failed",
    error: { code: "SESSION_REBUILT" },
  });
  expect(await session.eval("typeof notSaved")).toMatchObject({ status: "completed", value: "undefined" });
  session.dispose();
});

test("a snapshot of a destroyed heap says so, and the session goes on from the last one", async () => {
  const { session, damage } = await openFragile();
  await session.eval("var saved = 1");
  await session.snapshot();
  await session.eval("var notSaved = 2");
  damage();
  await expect(session.snapshot()).rejects.toMatchObject({
    code: "SESSION_REBUILT",
    message:
      "Between two evals the engine failed. The session is as it was after eval 1; what was changed since is lost.",
  });
  expect(await session.eval("saved")).toMatchObject({ status: "completed", value: 1 });
  session.dispose();
});

test("an eval that would first look for modules fails like any other", async () => {
  const withModules = await createInterpreter({ modules: { one: "export const one = 1" } });
  const { session, damage } = await openFragile(withModules);
  await session.eval("import { one } from 'one'; var saved = one");
  await session.snapshot();
  await session.eval("var notSaved = 2");
  damage();
  expect(await session.eval("saved")).toMatchObject({ error: { code: "SESSION_REBUILT" } });
  expect(await session.eval("saved")).toMatchObject({ status: "completed", value: 1 });
  session.dispose();
});
