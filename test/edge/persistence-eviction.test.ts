import { abortAllDurableObjects } from "cloudflare:test";
import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { DurableObjectSaver } from "../../edge/durable-object-saver.js";
import { durableObjectStore } from "../../edge/durable-object-store.js";
import { answers, ask, startAgent, thread } from "../support/persistent-agent.js";
import { randomFrom } from "../support/snapshots.js";
import { inObject } from "./objects.js";

const t = thread("t");
const TURNS = 30;
const count = "globalThis.log ??= []; const step = () => log.push(log.length); step(); log.length";

/** The storage of an object that ends at the `limit`th statement that writes: it and all after it fail. */
function mortal(storage: DurableObjectStorage, limit: number): DurableObjectStorage {
  let left = limit;
  const sql = new Proxy(storage.sql, {
    get(target, property) {
      if (property !== "exec") return Reflect.get(target, property, target) as unknown;
      return (query: string, ...bindings: unknown[]) => {
        if (!/^\s*SELECT/i.test(query) && --left <= 0) throw new Error("the object is gone");
        return target.exec(query, ...bindings);
      };
    },
  });
  return new Proxy(storage, {
    get(target, property) {
      if (property === "sql") return sql;
      const member: unknown = Reflect.get(target, property, target);
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
}

function agentOn(storage: DurableObjectStorage, place: string) {
  const saver = place === "store" ? undefined : new DurableObjectSaver(storage);
  return startAgent(saver, place === "checkpointer" ? {} : { snapshots: durableObjectStore(storage) });
}

const isCount = (message: BaseMessage) => ToolMessage.isInstance(message) && /^→ \d+$/.test(message.text);

test.each(["checkpointer", "store", "checkpointer and store"])(
  "an object evicted at any write of 30 turns has the state of its last completed eval (%s)",
  async (place) => {
    const random = randomFrom(81);
    let reached = 0;
    while (reached < TURNS) {
      let done = reached;
      await inObject(place, async (storage) => {
        const agent = agentOn(mortal(storage, 1 + random(120)), place);
        for (let next = done; next < TURNS; next++) {
          const [answer = ""] = answers(await agent.invoke(ask(count), t));
          if (!/^→ \d+$/.test(answer)) return;
          done = Number(answer.replace("→ ", ""));
        }
      }).catch(() => {});
      await abortAllDurableObjects();
      const [found, counted] = await inObject(place, async (storage) => {
        const result = await agentOn(storage, place).invoke(
          ask("globalThis.log ??= []; [log.length, log.every((n, i) => n === i)]"),
          t,
        );
        const found = Number(/→ \[(\d+), true\]/.exec(answers(result)[0] ?? "")?.[1] ?? -1);
        return [found, result.messages.filter(isCount).length];
      });
      if (place !== "store") expect(found).toBe(counted);
      expect(found).toBeGreaterThanOrEqual(done);
      expect(found).toBeLessThanOrEqual(done + 1);
      reached = found as number;
    }
    expect(reached).toBe(TURNS);
  },
  120_000,
);
