import { expect, test } from "vitest";
import { FRAMING } from "../../src/result/framing.js";
import { openRawGuest } from "../support/raw-engine.js";

test("the prelude and the result text agree on what looks like framing", async () => {
  const guest = await openRawGuest(`
    import { JSONStringify } from "./primordials.js";
    import { FRAMING } from "./quote.js";
    export const show = () => JSONStringify("/" + FRAMING.source + "/" + FRAMING.flags);
    export const caught = show;
  `);
  expect(guest.run("0")).toBe(String(FRAMING));
  guest.dispose();
});
