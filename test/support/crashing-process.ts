/**
 * A process that is meant to be killed: it runs turns on one thread and says before and after every write what it
 * does. `node FILE FOLDER checkpointer|store TURNS`
 */
import { join } from "node:path";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import type { SnapshotStore } from "../../src/store.js";
import { fileStore } from "./file-store.js";
import { answers, ask, startAgent, thread } from "./persistent-agent.js";

const [folder = "", place = "", turns = "0"] = process.argv.slice(2);
const say = (text: string) => process.stdout.write(`${text}\n`);

/** Every method of it is announced. */
function announced<T extends object>(target: T): T {
  return new Proxy(target, {
    get(object, name) {
      const member: unknown = Reflect.get(object, name, object);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        if (name === "put" || name === "putWrites") say(`write ${String(name)}`);
        return Reflect.apply(member, object, args) as unknown;
      };
    },
  });
}

const agent =
  place === "store"
    ? startAgent(undefined, { snapshots: announced<SnapshotStore>(fileStore(join(folder, "snapshots"))) })
    : startAgent(announced(SqliteSaver.fromConnString(join(folder, "thread.sqlite"))));

for (let turn = 0; turn < Number(turns); turn++) {
  const code = "globalThis.log ??= []; const step = () => log.push(log.length); step(); log.length";
  const [answer = ""] = answers(await agent.invoke(ask(code), thread("t")));
  say(`done ${answer.replace("→ ", "")}`);
}
say("finished");
