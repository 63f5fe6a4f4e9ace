/** The playground's page. What it needs to show itself is here; the agent is loaded behind it. */
import type { AgentPlace } from "./agent/place.js";
import type { MessageView } from "./agent/thread-view.js";

type PlaceName = "tab" | "worker";

const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const conversation = element<HTMLOListElement>("conversation");
const status = element("status");
const select = element<HTMLSelectElement>("place");
const question = element<HTMLInputElement>("question");

const places: Record<PlaceName, () => Promise<AgentPlace>> = {
  tab: async () => (await import("./agent/tab-place.js")).createTabPlace(),
  worker: async () => (await import("./agent/worker-place.js")).createWorkerPlace(),
};
const opened = new Map<PlaceName, Promise<AgentPlace>>();

function open(name: PlaceName): Promise<AgentPlace> {
  const place = opened.get(name) ?? places[name]();
  opened.set(name, place);
  return place;
}

function current(): { name: PlaceName; threadId: string } {
  const [, name = "tab", id] = /^#(tab|worker)\/([0-9a-f-]{36})$/.exec(location.hash) ?? [];
  if (id) return { name: name as PlaceName, threadId: id };
  const kept = localStorage.getItem(`thread:${name}`) ?? crypto.randomUUID();
  return { name: name as PlaceName, threadId: kept };
}

function go(name: PlaceName, threadId: string): void {
  localStorage.setItem(`thread:${name}`, threadId);
  history.replaceState(null, "", `#${name}/${threadId}`);
  select.value = name;
  element("thread").textContent = threadId;
}

function show(messages: readonly MessageView[]): void {
  conversation.replaceChildren(
    ...messages.map((message) => {
      const item = document.createElement("li");
      item.dataset["kind"] = message.kind;
      if (message.text)
        item.append(Object.assign(document.createElement("pre"), { textContent: message.text }));
      for (const call of message.calls) {
        const code = Object.assign(document.createElement("pre"), {
          textContent: String(call.args["code"] ?? ""),
        });
        code.className = "code";
        item.append(code);
      }
      return item;
    }),
  );
}

async function load(): Promise<void> {
  const { name, threadId } = current();
  go(name, threadId);
  status.textContent = "Loading";
  try {
    show((await (await open(name)).load(threadId)).messages);
    status.textContent = "Ready";
  } catch (error) {
    status.textContent = String(error);
  }
}

select.addEventListener("change", () => {
  const name = select.value as PlaceName;
  go(name, localStorage.getItem(`thread:${name}`) ?? crypto.randomUUID());
  void load();
});

element<HTMLFormElement>("ask").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { name, threadId } = current();
  const text = question.value;
  question.value = "";
  status.textContent = "Working";
  try {
    const place = await open(name);
    for await (const part of place.ask(threadId, text, { signal: new AbortController().signal })) {
      if (part.type === "thread") show(part.thread.messages);
    }
    status.textContent = "Ready";
  } catch (error) {
    status.textContent = String(error);
  }
});

void load();
