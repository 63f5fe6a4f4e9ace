import { describe, expect, it } from "vitest";
import { inspectSnapshot } from "../../src/snapshot/inspect.js";
import { encodeSample, MEBIBYTE, refusal, sampleParts } from "../support/snapshots.js";

describe("inspectSnapshot", () => {
  it("lists variables, sizes and origin of a snapshot", async () => {
    const bytes = await encodeSample({ signingKey: "k", binding: "thread" });
    const seen = await inspectSnapshot(bytes);
    expect(seen).toMatchObject({
      formatVersion: 1,
      engineId: "00070e151c232a31383f464d545b626970777e858c939aa1a8afb6bdc4cbd2d9",
      signed: true,
      bound: true,
      bytes: bytes.length,
      image: { memoryBytes: MEBIBYTE, pages: 7, segments: 3 },
      variables: sampleParts().index,
      meta: { evals: 3 },
    });
    expect(seen.sections.map(({ name }) => name)).toEqual(["meta", "index", "data", "image"]);
    for (const { storedBytes, rawBytes } of seen.sections) expect(storedBytes).toBeLessThanOrEqual(rawBytes);
  });

  it("refuses what is damaged", async () => {
    const bytes = await encodeSample();
    bytes[bytes.length - 1]! ^= 1;
    expect((await refusal(inspectSnapshot(bytes))).code).toBe("SNAPSHOT_CORRUPT");
  });
});
