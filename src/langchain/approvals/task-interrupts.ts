/**
 * LangGraph's `interrupt()` for one task, without `AsyncLocalStorage`. A task that is resumed starts anew, and its
 * interrupts are answered by their position: the first `interrupt()` gets the first answer, and so on. An eval does not
 * start anew, so it takes the answer of its latest interrupt and leaves the earlier ones alone.
 */
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import { GraphInterrupt, type Interrupt, interrupt } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

/** One entry of a `GraphInterrupt`. */
export interface OpenInterrupt {
  readonly id?: string | undefined;
  readonly value?: unknown;
  /** JSON Schema of the answer, where the tool asked for one. */
  readonly response_schema?: unknown;
}

/** What LangGraph keeps per task to answer its interrupts. */
export interface Scratchpad {
  interruptCounter: number;
  resume: unknown[];
  nullResume?: unknown;
  subgraphCounter: number;
  callCounter: number;
  currentTaskInput?: unknown;
  consumeNullResume(): unknown;
}

export type Configurable = Readonly<Record<string, unknown>> & {
  readonly __pregel_scratchpad?: Scratchpad;
  readonly __pregel_checkpointer?: BaseCheckpointSaver;
};

export class TaskInterrupts {
  readonly #configurable: Configurable;
  readonly #scratchpad: Scratchpad;
  /** Middleware around the eval may have interrupted before it. */
  readonly #first: number;

  private constructor(configurable: Configurable, scratchpad: Scratchpad) {
    this.#configurable = configurable;
    this.#scratchpad = scratchpad;
    this.#first = scratchpad.interruptCounter + 1;
  }

  /** Undefined where nothing can be paused: outside a graph, or in one without a checkpointer. */
  static of(config: { readonly configurable?: unknown }): TaskInterrupts | undefined {
    const configurable = config.configurable as Configurable | undefined;
    const scratchpad = configurable?.__pregel_scratchpad;
    if (!configurable?.__pregel_checkpointer || !scratchpad) return undefined;
    return new TaskInterrupts(configurable, scratchpad);
  }

  get checkpointer(): BaseCheckpointSaver {
    return this.#configurable.__pregel_checkpointer as BaseCheckpointSaver;
  }

  /** The graph goes on from where it was, so this task may have run before. */
  get isResuming(): boolean {
    return this.#configurable["__pregel_resuming"] === true || this.isAnswered(0);
  }

  /** Whether there is an answer for the eval's interrupt of this position. */
  isAnswered(position: number): boolean {
    const index = this.#first + position;
    const { resume, nullResume } = this.#scratchpad;
    return index < resume.length || (index === resume.length && nullResume !== undefined);
  }

  /** True for an answer that was addressed to this task, not to whichever task asks first. */
  isAddressed(position: number): boolean {
    return this.#first + position < this.#scratchpad.resume.length;
  }

  /** The answer of that position; LangGraph is told that it has been used. */
  take(position: number): unknown {
    let answer: unknown;
    while (this.#scratchpad.interruptCounter < this.#first + position)
      answer = withConfigurable(this.#configurable, () => interrupt(undefined));
    return answer;
  }

  /** More interrupts of this task were answered than the one of that position and those before it. */
  isBeyond(position: number): boolean {
    return this.#scratchpad.resume.length > this.#first + position + 1;
  }

  /** The error to be thrown so that the graph pauses and asks. */
  toError({ value, response_schema }: OpenInterrupt): Error {
    const answered = this.#scratchpad.resume.length;
    const raised = newInterrupt(this.#configurable, answered, value);
    const asked = response_schema === undefined ? raised : { ...raised, response_schema };
    return new GraphInterrupt([asked as Interrupt]);
  }
}

/** An interrupt as LangGraph makes it after so many answers, which decide its id. */
function newInterrupt(configurable: Configurable, answered: number, value: unknown): OpenInterrupt {
  const scratchpad = { ...emptyScratchpad(), resume: new Array(answered), interruptCounter: answered - 1 };
  try {
    withConfigurable({ ...configurable, __pregel_scratchpad: scratchpad }, () => interrupt(value));
  } catch (error) {
    if (error instanceof GraphInterrupt && error.interrupts[0]) return error.interrupts[0];
    throw error;
  }
  throw new Error("LangGraph did not interrupt.");
}

/** The id of a task's interrupt after so many answers. */
export function interruptIdOf(configurable: Configurable, answered: number): string | undefined {
  return newInterrupt(configurable, answered, undefined).id;
}

export function emptyScratchpad(): Scratchpad {
  return {
    interruptCounter: -1,
    resume: [],
    subgraphCounter: 0,
    callCounter: 0,
    consumeNullResume: () => undefined,
  };
}

/** `interrupt` reads its config from the store of LangChain's async context, which a tab has too while it is set. */
export function withConfigurable<T>(configurable: Configurable, work: () => T): T {
  return AsyncLocalStorageProviderSingleton.runWithConfig({ configurable }, work) as T;
}

/** So that `interrupt()` and the like in a tool that is a class find this config and not that of the step around it. */
export function runWithConfig<T>(config: unknown, work: (config: unknown) => T): T {
  if (typeof config !== "object" || config === null || !("configurable" in config)) return work(config);
  return AsyncLocalStorageProviderSingleton.runWithConfig(config, () => work(config)) as T;
}
