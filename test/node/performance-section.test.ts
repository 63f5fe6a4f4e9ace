import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { performanceSection } from "../bench/fill.mjs";

test("every figure of the README's performance section is one of the committed result file", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  expect(unaligned(readme)).toContain(unaligned(`\n## Performance\n\n${performanceSection()}\n## `));
});

/** The formatter pads the tables. */
const unaligned = (text: string) => text.replaceAll(/ +/g, " ").replaceAll(/-+/g, "-");
