/**
 * What happened during the evals of a thread: calls, console lines, charts. LangGraph streams it and does not keep it,
 * so the page does, per thread, in its own storage.
 */
import type { InterpreterEvent } from "../../src/langchain/progress.js";
import type { ChartEvent } from "../demo/page-tools.js";

export interface CallActivity {
  readonly id: string;
  readonly name: string;
  readonly label: string | undefined;
  readonly kind: "tool" | "subagent";
  /** Milliseconds since the first event of the eval. */
  readonly start: number;
  /** Calls that were under way when it began, itself included. */
  readonly atOnce: number;
  duration?: number;
  ok?: boolean;
  /** Size of what the call gave to the code, in characters. */
  chars?: number;
}

export interface EvalActivity {
  readonly calls: CallActivity[];
  readonly lines: { readonly level: string; readonly text: string }[];
  readonly charts: unknown[];
  duration?: number;
}

const PREFIX = "edge-interpreter:activity:";
const MAX_STORED_CHARS = 400_000;
const MAX_LINES = 200;

export class ActivityLog {
  readonly #threadId: string;
  readonly #evals: Map<string, EvalActivity>;
  readonly #began = new Map<string, number>();

  constructor(threadId: string) {
    this.#threadId = threadId;
    this.#evals = new Map(read(threadId));
  }

  get(evalId: string): EvalActivity | undefined {
    return this.#evals.get(evalId);
  }

  /** The time an eval has been at it, while it is. */
  elapsed(evalId: string): number | undefined {
    const began = this.#began.get(evalId);
    return began === undefined ? undefined : performance.now() - began;
  }

  begin(evalId: string): void {
    if (this.#began.has(evalId)) return;
    this.#began.set(evalId, performance.now());
    if (!this.#evals.has(evalId)) this.#evals.set(evalId, { calls: [], lines: [], charts: [] });
  }

  end(evalId: string): void {
    const activity = this.#evals.get(evalId);
    const elapsed = this.elapsed(evalId);
    if (activity && elapsed !== undefined) activity.duration = elapsed;
    this.#began.delete(evalId);
  }

  apply(event: InterpreterEvent | ChartEvent): void {
    const evalId = evalIdOf(event);
    this.begin(evalId);
    const activity = this.#evals.get(evalId)!;
    if (event.type === "playground_chart") activity.charts.push(event.spec);
    else if (event.type === "interpreter_console") {
      if (activity.lines.length < MAX_LINES) activity.lines.push({ level: event.level, text: event.text });
    } else if (event.phase === "start") {
      const { id, name, kind } = event;
      const label = event.label ?? event.subagentType;
      const atOnce = activity.calls.filter(({ ok }) => ok === undefined).length + 1;
      activity.calls.push({ id, name, kind, label, atOnce, start: this.elapsed(evalId)! });
    } else {
      const call = activity.calls.findLast(({ id }) => id === event.id);
      if (call)
        Object.assign(call, { duration: event.durationMs, ok: event.ok, chars: event.resultChars ?? 0 });
    }
  }

  toJSON(): [string, EvalActivity][] {
    return [...this.#evals];
  }

  save(): void {
    const entries = this.toJSON();
    let text = JSON.stringify(entries);
    // The oldest go first; what they answered is in the conversation anyway.
    while (text.length > MAX_STORED_CHARS && entries.length > 0) {
      entries.shift();
      text = JSON.stringify(entries);
    }
    try {
      localStorage.setItem(PREFIX + this.#threadId, text);
    } catch {
      // A full storage costs the timeline after a reload, nothing else.
    }
  }

  static store(threadId: string, entries: unknown): void {
    if (Array.isArray(entries)) localStorage.setItem(PREFIX + threadId, JSON.stringify(entries));
  }
}

/** A call's id begins with that of its eval. */
export function evalIdOf(event: InterpreterEvent | ChartEvent): string {
  return event.type === "playground_chart" ? event.callId.replace(/_\d+$/, "") : event.evalId;
}

function read(threadId: string): [string, EvalActivity][] {
  try {
    const entries: unknown = JSON.parse(localStorage.getItem(PREFIX + threadId) ?? "[]");
    return Array.isArray(entries) ? (entries as [string, EvalActivity][]) : [];
  } catch {
    return [];
  }
}
