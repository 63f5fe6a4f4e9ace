import { MemorySaver } from "@langchain/langgraph";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Effects, start, world } from "../support/approval-agent.js";
import { type Answer, asked, texts } from "../support/approval-answers.js";
import { programs } from "../support/random-programs.js";

type Choice = "approve" | "edit" | "reject";

/** The same for a label in every run, so that a run without gates can act as if it had been decided. */
function choiceFor(label: string, seed: number, edits: boolean): Choice {
  let hash = seed;
  for (const character of label) hash = (hash * 31 + character.charCodeAt(0)) >>> 0;
  const choice = (["approve", "approve", "edit", "reject"] as const)[hash % 4] as Choice;
  return choice === "edit" && !edits ? "approve" : choice;
}

/** Tools that are not gated and do what the decision would have made of the call. */
class DecidedEffects extends Effects {
  readonly #seed: number;

  constructor(seed: number) {
    super();
    this.#seed = seed;
  }

  override act(name: string, of: string): string {
    const isGated = name === "send_mail" || name === "delete_file";
    const choice = isGated ? choiceFor(of, this.#seed, name === "send_mail") : "approve";
    if (choice === "reject") throw new Error("rejected");
    return super.act(name, choice === "edit" ? `edited ${of}` : of);
  }
}

const printed = (answer: Answer) =>
  (texts(answer)[0] ?? "").split("\n").filter((line) => /^(did|failed|step) /.test(line));

test("whatever a program does and wherever it is restarted, its effects are those of a run without gates, once each", async () => {
  let pauses = 0;
  await fc.assert(
    fc.asyncProperty(
      programs,
      fc.nat(),
      fc.infiniteStream(fc.nat({ max: 5 })),
      async (code, seed, chance) => {
        const options = { maxResultChars: 100_000, maxPtcCalls: null };
        const free = world(code, { ...options, interruptOn: {} }, { effects: new DecidedEffects(seed) });
        const expected = await start(free).ask();

        const gated = world(code, options, { checkpointer: new MemorySaver() });
        let run = start(gated);
        let answer = await run.ask();
        while (answer.__interrupt__) {
          pauses++;
          if (chance.next().value % 2 === 0) run = start(gated);
          const { actionRequests } = asked(answer);
          const decisions = actionRequests.map(({ name, args }) => {
            if (actionRequests.length > 1 && chance.next().value === 0) return { type: "wait" };
            const label = String(args["of"]);
            const type = choiceFor(label, seed, name === "send_mail");
            const editedAction = { name, args: { of: `edited ${label}` } };
            return type === "edit" ? { type, editedAction } : { type };
          });
          answer = await run.resume({ decisions });
        }
        expect([...gated.effects.done].sort()).toEqual([...free.effects.done].sort());
        expect(new Set(gated.effects.done).size).toBe(gated.effects.done.length);
        expect(printed(answer).sort()).toEqual(printed(expected).sort());
      },
    ),
    { numRuns: 30 },
  );
  expect(pauses).toBeGreaterThan(20);
});
