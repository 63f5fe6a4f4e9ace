/** The pauses of a middleware: for each eval that can pause, where it is kept and what it has to know of its step. */
import type { BaseStore } from "@langchain/langgraph-checkpoint";
import type { Interpreter } from "../../interpreter.js";
import type { EvalToolConfig } from "../eval-tool.js";
import type { ResolvedOptions } from "../options.js";
import { StoppedEvals } from "../sessions/stopped-evals.js";
import type { InterpreterState } from "../state/interpreter-state.js";
import type { StepIdentity } from "../step-identity.js";
import { KeptPause } from "./kept-pause.js";
import { PausableEval } from "./pausable-eval.js";
import { pausePlace } from "./pause-places.js";
import type { Configurable, TaskInterrupts } from "./task-interrupts.js";

export class Pauses {
  readonly #options: ResolvedOptions;
  readonly #interpreter: () => Promise<Interpreter>;
  readonly #local = new Map<string, Uint8Array>();

  constructor(options: ResolvedOptions, interpreter: () => Promise<Interpreter>) {
    this.#options = options;
    this.#interpreter = interpreter;
  }

  of(
    state: InterpreterState,
    step: StepIdentity,
    config: EvalToolConfig,
    interrupts: TaskInterrupts,
  ): PausableEval {
    const { snapshots, snapshotSigningKey, maxSnapshotBytes } = this.#options;
    const { checkpointer, thread } = step;
    const store = config["store"] as BaseStore | undefined;
    const places = { snapshots, checkpointer, thread, local: this.#local };
    const toolCall = config.toolCall?.id ?? config.toolCallId;
    const interpreter = this.#interpreter;
    const common = { signingKey: snapshotSigningKey, maxBytes: maxSnapshotBytes, interpreter };
    const { serde } = interrupts.checkpointer;
    // LangGraph's store takes nothing any more once the run is over.
    const placeOfStopped = pausePlace({ ...places, store: undefined });
    return new PausableEval({
      interrupts,
      kept: new KeptPause({
        ...common,
        place: pausePlace({ ...places, store }),
        session: state.session,
        serde,
      }),
      stopped: new StoppedEvals({ ...common, place: placeOfStopped, state, step, toolCall }),
      revision: state.revision,
      step,
      configurable: config.configurable as Configurable,
      toolCall,
    });
  }
}
