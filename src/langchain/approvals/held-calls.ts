/**
 * The calls of one eval that wait for a person. LangGraph numbers the interrupts of a task, and an eval with many
 * calls is one task: so each call gets a scratchpad of its own, in which its first `interrupt()` is the first, however
 * many other calls interrupt beside it.
 */
import { type GraphInterrupt, isGraphInterrupt, isInvalidResume } from "@langchain/langgraph";
import { CallHeld } from "../../eval/host-functions.js";
import { isControlFlow, unwrapError } from "../tools/tool-error.js";
import { steersText, ToolFailure } from "../tools/tool-result.js";
import {
  type Configurable,
  emptyScratchpad,
  interruptIdOf,
  type OpenInterrupt,
  withConfigurable,
} from "./task-interrupts.js";

/** A tool that called `interrupt()`, or whose subagent did: it runs again with the answers it has so far. */
interface InterruptedCall {
  /** Answers of the tool's own interrupts, in their order. */
  readonly answers: readonly unknown[];
  /** What it waits for; the first is asked first. */
  readonly open: readonly OpenInterrupt[];
  /** Answers for graphs inside the tool, by the id of the interrupt; each is used once. */
  readonly nested?: Readonly<Record<string, unknown>> | undefined;
}

/** What has to be kept while the eval is paused. */
export interface HeldCallsState {
  readonly interrupted: readonly (readonly [id: number, call: InterruptedCall])[];
  readonly subagentCalls: number;
}

/** Numbers per call for graphs and tasks that a tool starts; none starts so many. */
const STRIDE = 1000;

export class HeldCalls {
  readonly #interrupted: Map<number, InterruptedCall>;
  readonly #approved = new Set<number>();
  /** Counted over the whole eval, pauses included. */
  subagentCalls: number;

  constructor(state: HeldCallsState = { interrupted: [], subagentCalls: 0 }) {
    this.#interrupted = new Map(state.interrupted);
    this.subagentCalls = state.subagentCalls;
  }

  get state(): HeldCallsState {
    return { interrupted: [...this.#interrupted], subagentCalls: this.subagentCalls };
  }

  /** What a call waits for; undefined for one that waits for an approval. */
  openInterrupt(id: number): OpenInterrupt | undefined {
    const call = this.#interrupted.get(id);
    return call && (call.open[0] ?? {});
  }

  /** The call ran before, and runs again only to go on. */
  hasRun(id: number): boolean {
    return this.#interrupted.has(id);
  }

  approve(id: number): void {
    this.#approved.add(id);
  }

  isApproved(id: number): boolean {
    return this.#approved.has(id) || this.#interrupted.has(id);
  }

  /** Answers the first open interrupt of a call. */
  answer(id: number, answer: unknown, configurable: Configurable): void {
    const call = this.#interrupted.get(id);
    if (!call) return;
    const { answers, open } = call;
    const asked = open[0]?.id;
    const isOwn = asked === undefined || asked === interruptIdOf(configurable, answers.length);
    this.#interrupted.set(id, {
      answers: isOwn ? [...answers, answer] : answers,
      open,
      nested: isOwn ? undefined : { [asked]: answer },
    });
  }

  /** The config of a call, in which interrupts are its own. Outside a graph it stays what it is. */
  configFor<Config extends object>(id: number, config: Config): Config {
    const { configurable } = config as { configurable?: Configurable };
    const around = configurable?.__pregel_scratchpad;
    if (!configurable || !around) return config;
    const call = this.#interrupted.get(id);
    const send = configurable["__pregel_send"] as
      | ((writes: readonly [string, unknown][]) => void)
      | undefined;
    const own: Configurable = {
      ...configurable,
      __pregel_scratchpad: {
        ...emptyScratchpad(),
        resume: [...(call?.answers ?? [])],
        subgraphCounter: id * STRIDE,
        callCounter: id * STRIDE,
        currentTaskInput: around.currentTaskInput,
      },
      __pregel_resuming: call !== undefined,
      __pregel_resume_map: call?.nested ?? {},
      // What a call was answered is not what the eval was answered.
      ...(send && {
        __pregel_send: (writes: readonly [string, unknown][]) => {
          const others = writes.filter(([channel]) => channel !== "__resume__");
          if (others.length > 0) send(others);
        },
      }),
    };
    const { interrupt } = config as { interrupt?: (...parameters: unknown[]) => unknown };
    return {
      ...config,
      configurable: own,
      ...(interrupt && {
        interrupt: (...parameters: unknown[]) => withConfigurable(own, () => interrupt(...parameters)),
      }),
    };
  }

  /** What to throw instead of what a call threw, when that was a signal to LangGraph; undefined for ordinary errors. */
  hold(id: number, thrown: unknown): CallHeld | ToolFailure | undefined {
    const error = unwrapError(thrown);
    const before = this.#interrupted.get(id);
    if (isGraphInterrupt(error)) {
      const { interrupts } = error as GraphInterrupt;
      this.#interrupted.set(id, { answers: before?.answers ?? [], open: interrupts as OpenInterrupt[] });
      return new CallHeld({ cause: error });
    }
    if (before && isInvalidResume(thrown)) {
      // The tool refused the answer by its schema: the question stays.
      const isOwn = before.nested === undefined;
      this.#interrupted.set(id, {
        answers: isOwn ? before.answers.slice(0, -1) : before.answers,
        open: before.open,
      });
      return new CallHeld({ cause: error });
    }
    this.#interrupted.delete(id);
    return isControlFlow(error) ? new ToolFailure(steersText) : undefined;
  }

  /** The call has ended. */
  settle(id: number): void {
    this.#interrupted.delete(id);
  }
}
