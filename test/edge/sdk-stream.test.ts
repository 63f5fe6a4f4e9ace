import { expect, test } from "vitest";
import { collect, createClient, say } from "./agent-client.js";

test("the SDK streams a run in the modes it asks for", async () => {
  const client = createClient();
  const { thread_id } = await client.threads.create();
  const parts = await collect(
    client.runs.stream(thread_id, "agent", {
      input: say('call count {"label":"a"}'),
      streamMode: ["values", "updates", "messages-tuple", "custom"],
    }),
  );
  expect(parts[0]!.event).toBe("metadata");
  expect(parts.at(-1)).toMatchObject({ event: "end", data: { status: "success" } });
  const events = new Set(parts.map((part) => part.event));
  expect([...events].sort()).toEqual(["custom", "end", "messages", "metadata", "updates", "values"]);
});
