import { beforeAll, expect, inject, test } from "vitest";
import { createInterpreter, type Interpreter } from "../../src/interpreter.js";
import { makePortableSession, type PortableSession } from "../support/portable-session.js";

const fromNode = inject("fromNode");
let here: PortableSession;
let interpreter: Interpreter;
beforeAll(async () => {
  interpreter = await createInterpreter();
  here = await makePortableSession();
});

test("boots the base image that Node boots", () => {
  expect(here.baseImage).toBe(fromNode.baseImage);
});

test("the same program leaves the same heap as in Node, so a snapshot from here restores there", () => {
  expect(here.image).toBe(fromNode.image);
});

test("a session from Node goes on here: closure, private field, generator, pending await", async () => {
  const bytes = Uint8Array.from(atob(fromNode.snapshot), (character) => character.charCodeAt(0));
  const session = await interpreter.restore(bytes);
  const result = await session.eval(
    "open('X'); await 0; await 0; [counter(), box.get(), numbers.next().value, seen, rows.length]",
  );
  expect(result).toMatchObject({ status: "completed", value: [2, 42, 1, "resumed with X", 200] });
});
