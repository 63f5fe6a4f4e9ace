import { expect, test } from "vitest";
import { BUILTIN_NAMES } from "../../../src/builtin-names.js";
import { openBuiltins } from "../../support/builtins-guest.js";

test("the list for the prompt is what the engine has beyond the language", async () => {
  const guest = await openBuiltins();
  const added = guest.run(
    "Object.getOwnPropertyNames(globalThis).filter((name) => !namesBefore.includes(name) && !/ForTest$|^namesBefore$/.test(name)).sort()",
  );
  expect(added).toEqual([...BUILTIN_NAMES]);
});

test("installing asks the host nothing", async () => {
  expect((await openBuiltins()).asked).toEqual([]);
});
