/** What goes out on LangGraph's `custom` stream while an eval runs: no payloads, and never a failure of the eval. */

import type { CallEvent } from "../eval/running-call.js";
import type { LogLine } from "../result/outcome.js";

/** One call of a tool or subagent began or ended, or code printed a line. */
export type InterpreterEvent =
  | {
      readonly type: "interpreter_call";
      readonly phase: "start" | "end";
      /** Of the eval that calls. */
      readonly evalId: string;
      readonly id: string;
      /** As code names it: `webSearch`, `task`. */
      readonly name: string;
      readonly kind: "tool" | "subagent";
      /** Only at the end. */
      readonly ok?: boolean;
      readonly durationMs?: number;
      /** Characters of the result: what code got and the model did not read. */
      readonly resultChars?: number;
      /** Of a subagent, at its start. */
      readonly subagentType?: string;
      readonly label?: string;
    }
  | {
      readonly type: "interpreter_console";
      readonly evalId: string;
      readonly level: LogLine["level"];
      readonly text: string;
    };

type Writer = (chunk: unknown) => void;

export class Progress {
  readonly #write: (event: InterpreterEvent) => void;
  readonly #evalId: string;

  constructor(writer: unknown, evalId: string | undefined) {
    this.#evalId = evalId ?? "eval";
    this.#write = (event) => {
      try {
        (writer as Writer | undefined)?.(event);
      } catch {
        // A stream that is gone stops nobody.
      }
    };
  }

  readonly onLog = ({ level, text }: LogLine): void => {
    this.#write({ type: "interpreter_console", evalId: this.#evalId, level, text });
  };

  readonly onCall = (event: CallEvent): void => {
    const { id, name } = event;
    // Looking a tool up calls none.
    if (name.startsWith("$")) return;
    const kind = name === "task" ? ("subagent" as const) : ("tool" as const);
    const base = {
      type: "interpreter_call" as const,
      evalId: this.#evalId,
      id: `${this.#evalId}_${id}`,
      name,
      kind,
    };
    if (event.type === "end") {
      this.#write({
        ...base,
        phase: "end",
        ok: event.ok,
        durationMs: event.durationMs,
        resultChars: event.resultChars,
      });
      return;
    }
    this.#write({ ...base, phase: "start", ...(kind === "subagent" ? subagentFacts(event.input) : {}) });
  };
}

function subagentFacts(input: unknown): { subagentType?: string; label?: string } {
  const { subagentType, subagent_type, label, description } = (input ?? {}) as Record<string, unknown>;
  const type = subagentType ?? subagent_type;
  const shown = typeof label === "string" ? label.slice(0, 120) : shorten(description);
  return {
    ...(typeof type === "string" ? { subagentType: type } : {}),
    ...(shown === undefined ? {} : { label: shown }),
  };
}

function shorten(description: unknown): string | undefined {
  return typeof description === "string" ? description.replace(/\s+/g, " ").trim().slice(0, 60) : undefined;
}
