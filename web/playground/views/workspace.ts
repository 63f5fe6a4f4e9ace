/** The session beside the conversation: memory, variables, functions, and the snapshots it went through. */
import { inspectSnapshot, type SnapshotInspection } from "../../../src/snapshot/inspect.js";
import type { SnapshotPoint } from "../agent/place.js";
import type { App } from "../app.js";
import { button, h, setText, show } from "../dom.js";
import { bytesText, countText } from "../sizes.js";
import { historyLine } from "./history-line.js";
import { variableList } from "./variable-list.js";

/** The middleware's default, which the demo agent keeps. */
const MEMORY_LIMIT = 64 * 1024 * 1024;
const PAGE = 4096;

export class Workspace {
  readonly element: HTMLElement;
  readonly #app: App;
  readonly #memory = h("div", { class: "memory" });
  readonly #snapshots: HTMLElement;
  readonly #points = h("div");
  readonly #chosen = h("div", { class: "chosen", hidden: true });
  readonly #variables = h("div");
  /** What a person may miss in what is shown. */
  readonly #note = h("p", { class: "quiet" });
  readonly #inspections = new Map<string, Promise<SnapshotInspection | undefined>>();
  #history: readonly SnapshotPoint[] = [];
  #key = "";
  #past: SnapshotPoint | undefined;

  constructor(app: App) {
    this.#app = app;
    this.#snapshots = h(
      "div",
      { class: "snapshots" },
      h("h3", { class: "label" }, "Snapshots"),
      this.#points,
      this.#chosen,
    );
    this.element = h(
      "div",
      { class: "workspace" },
      this.#note,
      this.#memory,
      this.#snapshots,
      this.#variables,
    );
    app.addEventListener("thread", () => this.#follow());
    app.addEventListener("status", () => this.#follow());
    this.#draw(undefined, undefined);
    this.#remark();
  }

  /** The list of snapshots is read again when the thread is at another one. */
  #follow(): void {
    this.#remark();
    const { thread, address, status } = this.#app;
    const key = `${address.place}/${address.threadId}/${thread.interpreter?.snapshot?.key ?? ""}`;
    if (key === this.#key || status.kind === "loading") return;
    this.#key = key;
    this.#past = undefined;
    void this.#load(key);
  }

  #remark(): void {
    const { thread, status } = this.#app;
    const isEmpty = thread.interpreter?.snapshot === undefined;
    const isBusy = status.kind === "working" || status.kind === "waiting" || status.kind === "elsewhere";
    const text = isBusy
      ? "A program is at work; what it declares shows here when it has ended."
      : "Empty. What programs declare, rows and functions alike, stays here from one question to the next.";
    setText(this.#note, text);
    show(this.#note, isEmpty);
    for (const part of [this.#memory, this.#snapshots, this.#variables]) show(part, !isEmpty);
  }

  async #load(key: string): Promise<void> {
    const current = this.#app.thread.interpreter?.snapshot?.key;
    const history = current === undefined ? [] : await this.#app.history().catch(() => []);
    const inspection = current === undefined ? undefined : await this.#inspect(current);
    if (key !== this.#key) return;
    this.#history = history;
    this.#draw(inspection, undefined);
  }

  #inspect(key: string): Promise<SnapshotInspection | undefined> {
    const known = this.#inspections.get(key);
    if (known) return known;
    const { threadId } = this.#app.address;
    const inspection = this.#app.place
      .then((place) => place.snapshot(threadId, key))
      .then((bytes) => bytes && inspectSnapshot(bytes))
      .catch(() => undefined);
    this.#inspections.set(key, inspection);
    return inspection;
  }

  async #choose(point: SnapshotPoint): Promise<void> {
    const now = this.#history.at(-1);
    this.#past = point === now ? undefined : point;
    const key = this.#key;
    const [inspection, current] = await Promise.all([
      this.#inspect(point.key),
      now && this.#inspect(now.key),
    ]);
    if (key !== this.#key) return;
    this.#draw(inspection, this.#past ? current : undefined);
  }

  /** `later` is what to compare with when an old snapshot is shown. */
  #draw(shown: SnapshotInspection | undefined, later: SnapshotInspection | undefined): void {
    const past = this.#past;
    this.#memory.replaceChildren(memoryMeter(shown));
    const selected = past ?? this.#history.at(-1);
    const line = historyLine(this.#history, selected, (point) => void this.#choose(point));
    const focused = this.#points.contains(document.activeElement);
    this.#points.replaceChildren(line);
    if (focused) line.querySelector<HTMLElement>("[aria-pressed=true]")?.focus();
    show(this.#chosen, past !== undefined);
    if (past) {
      const fork = button("Fork a new thread here", () => void this.#app.fork(past), {
        class: "button primary",
      });
      const back = button("Back to now", () => void this.#choose(this.#history.at(-1)!));
      const text = h("p", {});
      setText(text, `As it was at version ${past.interpreter.version}. Marked: what is different now.`);
      this.#chosen.replaceChildren(text, h("div", { class: "decide" }, fork, back));
    }
    this.#variables.replaceChildren(variableList(shown?.variables ?? [], later?.variables));
  }
}

function memoryMeter(inspection: SnapshotInspection | undefined): HTMLElement {
  const used = (inspection?.image?.pages ?? 0) * PAGE;
  const share = used / MEMORY_LIMIT;
  const meter = h("span", {
    class: "meter",
    role: "meter",
    "aria-label": "Memory of the workspace",
    "aria-valuemin": 0,
    "aria-valuemax": MEMORY_LIMIT,
    "aria-valuenow": used,
    "aria-valuetext": `${bytesText(used)} of ${bytesText(MEMORY_LIMIT)}`,
  });
  meter.style.setProperty("--share", String(share));
  const kept = inspection ? `, kept as a snapshot of ${bytesText(inspection.bytes)}` : "";
  const names = countText(inspection?.variables?.length ?? 0, "name");
  return h(
    "div",
    {},
    h(
      "p",
      { class: "memory-text" },
      h("strong", {}, bytesText(used)),
      ` of ${bytesText(MEMORY_LIMIT)} in use`,
    ),
    meter,
    h("p", { class: "quiet" }, `${names}${kept}`),
  );
}
