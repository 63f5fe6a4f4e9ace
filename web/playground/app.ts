/**
 * Everything a person can do with the page. Nothing here touches the document, and the agent is loaded when it is first
 * needed.
 */
import { ActivityLog } from "./activity.js";
import { type Address, type PlaceName, readAddress, writeAddress } from "./address.js";
import type { AgentPlace, Decision, SnapshotPoint } from "./agent/place.js";
import type { RunEvent } from "./agent/stream-events.js";
import type { ThreadView } from "./agent/thread-view.js";
import { LEFT } from "./leaving.js";
import { findWorker, openPlace, toolNamesFor, type WorkerInfo } from "./open-place.js";
import { listTables, type OwnTable } from "./own-tables.js";
import { type ModelSettings, modelText, readModel, workerModelText, writeModel } from "./settings.js";
import { ShownThread } from "./shown-thread.js";
import { type ChannelMessage, runMark, ThreadChannel } from "./thread-channel.js";
import { forkThread, moveThread } from "./thread-transfer.js";

export class App extends ShownThread {
  address: Address;
  tables: readonly OwnTable[] = [];
  model: ModelSettings = readModel();
  /** Where the thread is, or is on its way to. */
  destination: PlaceName;
  /** The Worker that serves this page; `null`: there is none; undefined: not known yet. */
  worker: WorkerInfo | null | undefined;
  /** Counts what the person started. */
  asked = 0;
  #stop: AbortController | undefined;
  #opened: Promise<void> = Promise.resolve();
  #channel: ThreadChannel | undefined;
  /** Counts what the person opened: what an earlier thread still sends is not shown. */
  #visit = 0;

  constructor() {
    const address = readAddress();
    super(address.threadId);
    this.address = address;
    this.destination = address.place;
  }

  get isRunning(): boolean {
    return this.#stop !== undefined;
  }

  get place(): Promise<AgentPlace> {
    return openPlace(this.address.place, () => ({ model: this.model, tables: this.tables }));
  }

  /** Who answers where the thread is: a choice made in this tab has no part in what the Worker does. */
  get modelText(): string {
    return this.address.place === "tab" ? modelText(this.model) : workerModelText(this.worker?.model);
  }

  chooseModel(model: ModelSettings): void {
    this.model = model;
    writeModel(model);
    this.changed("model");
  }

  async start(): Promise<void> {
    void findWorker().then((worker) => {
      this.worker = worker ?? null;
      this.changed("model");
    });
    await this.refreshTables();
    await this.open(this.address);
  }

  async refreshTables(): Promise<void> {
    this.tables = await listTables().catch(() => []);
    this.changed("tables");
  }

  async open(address: Address): Promise<void> {
    const visit = ++this.#visit;
    const opened = this.#load(address, visit);
    this.#opened = opened.catch(() => {});
    await opened;
    if (visit !== this.#visit) return;
    if (this.thread.isUnfinished && (address.place === "worker" || runMark.isSet(address.threadId)))
      await this.#join();
  }

  async #load(address: Address, visit: number): Promise<void> {
    // A run in this tab ends with the view of it; it goes on when the thread is opened again.
    this.#stop?.abort(LEFT);
    this.#stop = undefined;
    this.#channel?.close();
    this.#channel = undefined;
    this.address = address;
    this.destination = address.place;
    writeAddress(address);
    this.clear(address.threadId);
    try {
      const thread = await (await this.place).load(address.threadId);
      if (visit !== this.#visit) return;
      this.show(thread);
      this.settle();
      this.#channel = new ThreadChannel(address.threadId, (message) => this.#follow(message));
    } catch (error) {
      if (visit === this.#visit) this.fail(error);
    }
  }

  /** Takes the thread away from the tab that works on it, and goes on where that one was. */
  takeOver(): Promise<void> {
    return this.#run((place, threadId, signal) => place.resume(threadId, "take", signal));
  }

  /** What another tab does with this thread. */
  #follow(message: ChannelMessage): void {
    if (this.isRunning) return;
    if (message.type === "begin") void this.#join();
    else if (message.type === "end") void this.attempt(() => this.#reload());
    else {
      if (this.status.kind !== "elsewhere") this.setStatus({ kind: "elsewhere" });
      this.apply(message);
    }
  }

  /** A run in the Worker is everybody's: each tab follows its stream, and each may stop it. */
  #join(): Promise<void> {
    const isInWorker = this.address.place === "worker";
    return this.#run((place, threadId, signal) => place.resume(threadId, "try", signal), isInWorker);
  }

  /** Shows what has become of the thread elsewhere. */
  async #reload(): Promise<void> {
    const visit = this.#visit;
    const thread = await (await this.place).load(this.address.threadId);
    if (visit === this.#visit && !this.isRunning) this.#finish(thread);
  }

  /** Other devices have no channel to this tab: a thread in the Worker is looked at again when the page is. */
  async seen(): Promise<void> {
    if (this.address.place !== "worker" || this.status.kind !== "ready") return;
    // What cannot be reached now stays as it was shown.
    await this.#reload().catch(() => {});
    if (this.status.kind === "ready" && this.thread.isUnfinished) await this.#join();
  }

  /** The address was changed by hand or by a link. */
  async visit(): Promise<void> {
    const address = readAddress();
    if (address.threadId !== this.address.threadId || address.place !== this.address.place)
      await this.open(address);
  }

  /** What fails is shown like a failed run. */
  async attempt(body: () => Promise<void>): Promise<void> {
    try {
      await body();
    } catch (error) {
      this.fail(error);
    }
  }

  newThread(): Promise<void> {
    return this.open({ place: this.address.place, threadId: crypto.randomUUID() });
  }

  /** A person may ask before the agent is there. */
  async ask(question: string): Promise<void> {
    await this.#opened;
    if (this.isRunning) return;
    const asked = { id: "", kind: "human" as const, text: question, calls: [] };
    this.show({ ...this.thread, messages: [...this.thread.messages, asked] });
    return this.#run((place, threadId, signal) => place.ask(threadId, question, signal));
  }

  async runCode(code: string): Promise<void> {
    await this.#opened;
    const tools = toolNamesFor(this.address.place, this.tables);
    return this.#run((place, threadId, signal) => place.runCode(threadId, code, tools, signal));
  }

  decide(decisions: ReadonlyMap<string, readonly Decision[]>): Promise<void> {
    this.show({ ...this.thread, approvals: [] });
    return this.#run((place, threadId, signal) => place.decide(threadId, decisions, signal));
  }

  stop(): void {
    this.#stop?.abort();
  }

  /** The same thread goes on in the other place. An empty one just starts there. */
  async move(to: PlaceName): Promise<void> {
    const from = this.address;
    if (from.place === to || this.isRunning) return;
    this.destination = to;
    if (this.thread.messages.length > 0) {
      this.setStatus({ kind: "working" });
      try {
        await moveThread(from, to, () => ({ model: this.model, tables: this.tables }));
      } catch (error) {
        this.destination = from.place;
        this.fail(error);
        return;
      }
    }
    await this.open({ place: to, threadId: from.threadId });
  }

  async history(): Promise<SnapshotPoint[]> {
    return (await this.place).history(this.address.threadId);
  }

  async fork(point: SnapshotPoint): Promise<void> {
    const threadId = await forkThread(await this.place, this.address.threadId, point);
    ActivityLog.store(threadId, this.activity.toJSON());
    await this.open({ place: this.address.place, threadId });
  }

  async #run(
    start: (place: AgentPlace, threadId: string, signal: AbortSignal) => AsyncIterable<RunEvent>,
    isJoined = false,
  ): Promise<void> {
    if (this.#stop) return;
    const visit = this.#visit;
    const stop = new AbortController();
    this.#stop = stop;
    this.asked++;
    this.setStatus({ kind: "working" });
    const { threadId, place: where } = this.address;
    const isInTab = where === "tab";
    const channel = this.#channel;
    // One that was joined is announced by whoever started it.
    const tells = (event: RunEvent) => !isJoined && (isInTab || event.type === "begin");
    runMark.set(threadId);
    try {
      const place = await this.place;
      for await (const event of start(place, threadId, stop.signal)) {
        if (tells(event)) channel?.post(event);
        if (visit === this.#visit) this.apply(event);
      }
      runMark.clear(threadId);
      if (visit === this.#visit) this.#finish();
    } catch (error) {
      // Another tab has it now: the mark is its own.
      const isTaken = (error as { code?: unknown } | null)?.code === "STORE_CONFLICT";
      if (!isTaken && stop.signal.reason !== LEFT) runMark.clear(threadId);
      if (visit !== this.#visit) return;
      this.#finish();
      if (isTaken) this.setStatus({ kind: "elsewhere" });
      else this.fail(error, isInTab ? this.model : undefined);
      if (isTaken) return;
    }
    if (!isJoined || stop.signal.aborted) channel?.post({ type: "end" });
  }

  #finish(thread?: ThreadView): void {
    this.#stop = undefined;
    this.finish(thread);
  }
}
