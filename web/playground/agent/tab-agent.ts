/** The agent in this tab: LangChain, LangGraph and the interpreter, with everything kept in IndexedDB. */
import { createDemoAgent } from "../../demo/agent.js";
import { DataLibrary } from "../../demo/data-sets.js";
import { IndexedDBSaver, indexedDBStore, installSynchronousLocalStorage } from "../../index.js";
import type { OwnTable } from "../own-tables.js";
import type { ModelSettings } from "../settings.js";
import { createModel } from "./models.js";
import { ENGINE, sessionsInWorkers } from "./page-interpreter.js";
import { AgentPlace } from "./place.js";
import { createTabPort } from "./tab-port.js";

export interface TabChoices {
  readonly model: ModelSettings;
  readonly tables: readonly OwnTable[];
}

export interface TabAgent {
  readonly place: AgentPlace;
}

/** Milliseconds between two pieces of what the script writes: fast enough not to wait, slow enough to read along. */
const SCRIPT_PAUSE = 12;

/** `choices` are looked at before every run: the agent is built anew when they have changed. */
export function createTabAgent(choices: () => TabChoices): TabAgent {
  installSynchronousLocalStorage();
  const checkpointer = new IndexedDBSaver();
  const snapshots = indexedDBStore();
  const library = new DataLibrary(async (file) => (await fetch(`data/${file}`)).text());
  let current: { choices: string; agent: Promise<ReturnType<typeof createDemoAgent>> } | undefined;
  const build = async ({ model }: TabChoices) => {
    const chosen = await createModel(model);
    return createDemoAgent({
      library,
      checkpointer,
      interpreter: { snapshots, engine: ENGINE, interpreter: sessionsInWorkers },
      script: { pauseMs: SCRIPT_PAUSE },
      ...(chosen ? { model: chosen } : {}),
    });
  };
  const agent = () => {
    const now = choices();
    const key = JSON.stringify([now.model, now.tables.map(({ name, rows }) => [name, rows.length])]);
    if (current?.choices !== key) {
      for (const { name } of library.own) library.remove(name);
      for (const { name, file, rows } of now.tables)
        library.add(name, `All rows of ${file}: ${Object.keys(rows[0] ?? {}).join(", ")}`, rows);
      current = { choices: key, agent: build(now) };
      current.agent.catch(() => {
        current = undefined;
      });
    }
    return current.agent;
  };
  return {
    place: new AgentPlace(createTabPort(agent, snapshots)),
  };
}
