/**
 * What an eval has called, noted in a durable store before the first call runs. LangGraph runs a task again when the
 * process that ran it ended in the middle; an eval that had called nothing by then simply starts anew, one that had
 * is not run a second time: the model reads which calls had been made and decides itself.
 *
 * The first note is awaited, later ones follow behind the calls, so the list may miss the last of them. One key per
 * session: `<thread>/calls/<session>`.
 */
import type { HostFunction, HostFunctionSource } from "../../eval/host-functions.js";
import type { SnapshotStore } from "../../store.js";
import type { EvalMessage } from "../eval-tool.js";
import { fromText, type Serializer, toText } from "../serialized-text.js";
import type { StepIdentity } from "../step-identity.js";
import { threadPrefix } from "./snapshot-keys.js";

interface JournalRecord {
  readonly task: string;
  /** Calls per name: started, and known to have ended. */
  readonly calls: readonly (readonly [name: string, started: number, ended: number])[];
  /** The eval itself had ended; only LangGraph had not saved its message yet. */
  readonly message?: string;
}

export type EarlierLife =
  | { readonly type: "ended"; readonly message: EvalMessage }
  | { readonly type: "cut"; readonly text: string };

export class CallJournal {
  readonly #store: SnapshotStore;
  readonly #key: string;
  readonly #task: string;
  readonly #serde: Serializer | undefined;
  readonly #calls = new Map<string, { started: number; ended: number }>();
  #first: Promise<void> | undefined;
  #writing: Promise<void> | undefined;
  #isStale = false;

  private constructor(store: SnapshotStore, key: string, step: StepIdentity) {
    this.#store = store;
    this.#key = key;
    this.#task = step.taskId;
    this.#serde = step.checkpointer?.serde;
  }

  /** Only where an eval can be run again by another process: with checkpoints, and a store that outlives this one. */
  static of(store: SnapshotStore | undefined, session: string, step: StepIdentity): CallJournal | undefined {
    if (!store?.supports.durable || !step.checkpointer || step.isReplay) return undefined;
    return new CallJournal(store, `${threadPrefix(step.thread)}calls/${session}`, step);
  }

  /** What this very eval had done in a process that is gone; nothing when it is new or had called nothing. */
  async earlierLife(): Promise<EarlierLife | undefined> {
    const stored = await this.#store.get(this.#key);
    if (!stored) return undefined;
    const record = JSON.parse(new TextDecoder().decode(stored.bytes)) as JournalRecord;
    if (record.task !== this.#task) return undefined;
    if (record.message !== undefined && this.#serde) {
      return { type: "ended", message: await fromText<EvalMessage>(record.message, this.#serde) };
    }
    return { type: "cut", text: cutText(record.calls) };
  }

  source(functions: HostFunctionSource): HostFunctionSource {
    return {
      ...functions,
      names: () => functions.names(),
      get: (name) => {
        const found = functions.get(name);
        return found && !name.startsWith("$") ? this.call(name, found) : found;
      },
    };
  }

  /** The function, noted before it runs. @throws {StoreError} from the call when the note cannot be made. */
  call(name: string, target: HostFunction): HostFunction {
    return async (input, context) => {
      const count = this.#calls.get(name) ?? { started: 0, ended: 0 };
      this.#calls.set(name, count);
      count.started++;
      if (!this.#first) this.#first = this.#put({});
      else this.#follow();
      await this.#first;
      try {
        return await target(input, context);
      } finally {
        count.ended++;
        this.#follow();
      }
    };
  }

  /** The eval's message is known; until LangGraph has it, it may be asked for again. */
  async ended(message: EvalMessage): Promise<void> {
    if (!this.#first) return;
    await this.#first.catch(() => {});
    await this.#writing;
    const text = this.#serde && (await toText(message, this.#serde));
    await this.#put(text === undefined ? {} : { message: text }).catch(() => {});
  }

  /** One write at a time; what changes meanwhile is in the next one. */
  #follow(): void {
    this.#isStale = true;
    this.#writing ??= this.#drain().finally(() => {
      this.#writing = undefined;
    });
  }

  async #drain(): Promise<void> {
    await this.#first?.catch(() => {});
    while (this.#isStale) {
      this.#isStale = false;
      // The calls have been made; a list that lacks the last of them still says that there were some.
      await this.#put({}).catch(() => {});
    }
  }

  async #put(more: Pick<JournalRecord, "message">): Promise<void> {
    const calls = [...this.#calls].map(([name, { started, ended }]) => [name, started, ended] as const);
    const record: JournalRecord = { task: this.#task, calls, ...more };
    await this.#store.put(this.#key, new TextEncoder().encode(JSON.stringify(record)));
  }
}

function cutText(calls: JournalRecord["calls"]): string {
  const list = calls.map(([name, started, ended]) => {
    const open = started - ended;
    return `${name} (${started} started${open > 0 ? `, ${open} not known to have ended` : ""})`;
  });
  return [
    `This eval was cut off: the process that ran it ended after it had called ${list.join(", ")}.`,
    "It was not run again, so that nothing happens twice. Variables are as they were before it.",
    "Check what these calls have done, then go on from there.",
  ].join(" ");
}
