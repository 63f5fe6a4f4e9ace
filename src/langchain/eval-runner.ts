/**
 * The evals of a middleware: for each, what it goes on from and which session it gets. An eval of which nothing may run
 * is answered here.
 */
import type { BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { Command } from "@langchain/langgraph";
import { InterpreterError } from "../errors.js";
import type { Interpreter } from "../interpreter.js";
import { shareWork } from "../shared-work.js";
import type { Found } from "./approvals/pausable-eval.js";
import { Pauses } from "./approvals/pauses.js";
import { TaskInterrupts } from "./approvals/task-interrupts.js";
import { type EvalToolConfig, toToolAnswer } from "./eval-tool.js";
import { type EvalRun, runLeased } from "./leased-eval.js";
import type { ResolvedOptions } from "./options.js";
import { CallJournal } from "./sessions/call-journal.js";
import type { Lease } from "./sessions/lease.js";
import { notLoaded } from "./sessions/lost-variables.js";
import { isNoRoom, NotRun, notRun, orNotRun } from "./sessions/no-room.js";
import { ThreadSessions } from "./sessions/thread-sessions.js";
import { type InterpreterState, newState, readInterpreterState } from "./state/interpreter-state.js";
import { SiblingWrites } from "./state/sibling-writes.js";
import { type StepConfig, stepIdentity } from "./step-identity.js";
import { provideSynchronousStorage } from "./synchronous-storage.js";
import type { AgentAccess } from "./tools/invoke-tool.js";
import {
  expectedResults,
  messageOfCall,
  type RequestTools,
  restoreRequestTools,
  type ToolsByMessage,
  toolNames,
} from "./tools/request-tools.js";

export class EvalRunner {
  readonly #options: ResolvedOptions;
  readonly #toolsByMessage: ToolsByMessage;
  readonly #sessions: ThreadSessions;
  readonly #pauses: Pauses;
  readonly #siblings = new SiblingWrites();
  readonly #interpreter = shareWork<Interpreter>();

  constructor(options: ResolvedOptions, toolsByMessage: ToolsByMessage) {
    this.#options = options;
    this.#toolsByMessage = toolsByMessage;
    this.#sessions = new ThreadSessions(options, () => this.#load());
    this.#pauses = new Pauses(options, () => this.#load());
  }

  /** Loaded with the first eval; a failure is not remembered, so that a later eval may find the engine. */
  #load(): Promise<Interpreter> {
    const { engine, limits, capacity, clock, random, modules, interpreter } = this.#options;
    return this.#interpreter(() =>
      interpreter({
        limits,
        ...capacity,
        ...(engine === undefined ? {} : { engine }),
        ...(clock === undefined ? {} : { clock }),
        ...(random === undefined ? {} : { random }),
        ...(modules === undefined ? {} : { modules }),
      }),
    );
  }

  /** What has to be in the state before the evals of a message run; nothing when it already is. */
  stateForRequest(
    current: InterpreterState | undefined,
    request: RequestTools,
  ): InterpreterState | undefined {
    const tools = toolNames(request);
    const expected = expectedResults(request);
    if (!current) return newState({ tools, results: expected });
    const same =
      current.tools?.length === tools.length &&
      current.tools.every((name, index) => name === tools[index]) &&
      Object.entries(expected).every(([name, kind]) => current.results?.[name] === kind);
    return same ? undefined : { ...current, tools, results: { ...current.results, ...expected } };
  }

  /** What the state has to say when a turn has ended; nothing when nothing ran since the last one. */
  finishTurn(state: InterpreterState, config: StepConfig): Promise<InterpreterState | undefined> {
    return this.#sessions.finishTurn(state, stepIdentity(config));
  }

  forget(session: string): void {
    this.#sessions.drop(session);
  }

  async run(
    code: string,
    config: EvalToolConfig,
    agent?: AgentAccess,
  ): Promise<ToolMessage | Command | string> {
    // By now LangGraph has been loaded and has brought what its environment has.
    provideSynchronousStorage();
    const { mode } = this.#options;
    const toolCallId = config.toolCall?.id ?? config.toolCallId ?? agent?.request.toolCall.id;
    const agentState = (config.state ?? agent?.request.state) as { messages?: BaseMessage[] } | undefined;
    const known = readInterpreterState(agentState);
    const step = stepIdentity(config, toolCallId);
    const keep = mode !== "call" && known !== undefined;
    const interrupts = TaskInterrupts.of(config);
    let state: InterpreterState = keep ? known : newState(known);
    // A task that starts anew has to find what it paused at.
    if (!keep && interrupts) state = { ...state, session: `call-${step.taskId}` };
    const pausing = interrupts && this.#pauses.of(state, step, config, interrupts);
    const requestTools =
      this.#toolsByMessage.find(agentState?.messages, toolCallId, known?.session) ??
      restoreRequestTools(this.#options, state.tools);
    const journal = CallJournal.of(this.#options.snapshots, state.session, step);
    const { results } = state;
    const run: EvalRun = {
      options: this.#options,
      code,
      config,
      step,
      message: messageOfCall(agentState?.messages, toolCallId),
      siblings: this.#siblings,
      requestTools,
      results,
      toolCallId,
      agent,
      keep,
      pausing,
      journal,
    };
    let found: Found | undefined;
    let isFound = false;
    let lease: Lease;
    try {
      found = await pausing?.find();
      isFound = true;
      if (found?.type === "ended") return toToolAnswer(found.message);
      if (found?.type === "lost") return this.#refuse(found.text, toolCallId);
      lease = await this.#sessions.acquire(state, step, config.signal, found?.resumption.moved);
    } catch (error) {
      // One that was paused keeps what it was paused at: the run fails, and can be tried again.
      if (isFound && !found && isNoRoom(error)) return this.#refuse(notRun(error.message), toolCallId);
      if (!InterpreterError.isInstance(error) || !error.code.startsWith("STORE_")) throw error;
      return this.#refuse(notLoaded(error.message), toolCallId);
    }
    try {
      if (found) return await runLeased(run, lease, found);
      // An eval that paused and was given up, or still waits, must not be in the way.
      const left = lease.opened ? await pausing?.leftover(agentState?.messages).catch(orNotRun) : undefined;
      if (left?.type === "sibling") return this.#refuse(siblingText, toolCallId);
      if (left?.moved) lease.adopt(left.moved);
      // A session that was live here has not been cut off.
      const earlier = lease.opened && !left ? await journal?.earlierLife() : undefined;
      if (earlier?.type === "ended") return toToolAnswer(earlier.message);
      if (earlier) return this.#refuse(earlier.text, toolCallId);
      return await runLeased(run, lease, left);
    } catch (error) {
      if (error instanceof NotRun) return this.#refuse(error.message, toolCallId);
      throw error;
    } finally {
      lease.release();
      // Nobody can name this session again: its state is written nowhere.
      if (!keep) this.#sessions.drop(state.session);
    }
  }

  /** An answer to a call of which nothing ran. */
  #refuse(text: string, toolCallId: string | undefined): ToolMessage | Command | string {
    const { toolName } = this.#options;
    return toToolAnswer({ text, failed: true, toolName, toolCallId, updates: [], blocks: [] });
  }
}

const siblingText =
  "This eval did not run: another eval of the same message waits for an approval, and they share their variables. Send it again when that one has ended.";
