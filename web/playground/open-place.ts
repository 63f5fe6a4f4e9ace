/** Loads what runs an agent: the large bundle for this tab, the small one for the Worker. Each once. */
import type { PlaceName } from "./address.js";
import type { AgentPlace } from "./agent/place.js";
import type { TabAgent, TabChoices } from "./agent/tab-agent.js";
import type { OwnTable } from "./own-tables.js";

let tab: Promise<TabAgent> | undefined;
let worker: Promise<AgentPlace> | undefined;

export async function openPlace(name: PlaceName, choices: () => TabChoices): Promise<AgentPlace> {
  if (name === "worker") {
    worker ??= import("./agent/worker-place.js").then(({ createWorkerPlace }) => createWorkerPlace());
    worker.catch(() => {
      worker = undefined;
    });
    return worker;
  }
  tab ??= loadTabAgent(choices);
  tab.catch(() => {
    tab = undefined;
  });
  return (await tab).place;
}

async function loadTabAgent(choices: () => TabChoices): Promise<TabAgent> {
  (await import("./agent/zod-settings.js")).forbidCodeFromText();
  return (await import("./agent/tab-agent.js")).createTabAgent(choices);
}

const SHARED_TOOLS = [
  "list_datasets",
  "describe_dataset",
  "load_rows",
  "draw_chart",
  "publish_report",
  "task",
];

/** What code may call in a place. A person's own tables stay in this tab. */
export function toolNamesFor(place: PlaceName, tables: readonly OwnTable[]): string[] {
  return place === "worker" ? SHARED_TOOLS : [...SHARED_TOOLS, ...tables.map(({ name }) => `load_${name}`)];
}

export interface WorkerInfo {
  /** As the Worker's `MODEL` names it; undefined when it does not say. */
  readonly model: string | undefined;
}

/** Undefined where no Worker serves this page, as from a static folder. */
export async function findWorker(): Promise<WorkerInfo | undefined> {
  try {
    const { ok } = (await answerOf("/ok")) as { ok?: unknown };
    if (ok !== true) return undefined;
  } catch {
    return undefined;
  }
  const info = (await answerOf("/info").catch(() => ({}))) as { metadata?: { model?: unknown } };
  const model = info.metadata?.model;
  return { model: typeof model === "string" ? model : undefined };
}

async function answerOf(path: string): Promise<unknown> {
  const response = await fetch(path, { signal: AbortSignal.timeout(5000) });
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
  return response.json();
}
