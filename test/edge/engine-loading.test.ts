import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { createInterpreter } from "../../src/interpreter.js";
import { inObject, objectStub } from "./objects.js";

test("an object that is lost while it loads the engine for all of its isolate holds up none of the others", async () => {
  const lost = runInDurableObject(objectStub("lost while loading"), async (_object, state) => {
    const loading = createInterpreter();
    state.abort("lost");
    await loading;
  });
  const others = ["one", "two"].map((name) =>
    inObject(name, async () => {
      const interpreter = await createInterpreter();
      const session = await interpreter.open();
      const result = await session.eval("6 * 7");
      interpreter.dispose();
      return result.status === "completed" && result.value;
    }),
  );
  await expect(lost).rejects.toThrow("lost");
  expect(await Promise.all(others)).toEqual([42, 42]);
});
