/** Runs one eval for an agent: finds the session, offers the tools, turns what came of it into the model's message. */
import type { BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { Command } from "@langchain/langgraph";
import type { ToolCallHandler, ToolCallRequest } from "langchain";
import { InterpreterError } from "../errors.js";
import type { Interpreter } from "../interpreter.js";
import type { EvalResult, PausedCall } from "../outcome.js";
import type { CallDecision } from "../program-outcome.js";
import { formatResult } from "../result-text.js";
import type { EvalOptions } from "../session.js";
import { shareWork } from "../shared-work.js";
import { ApprovalGate } from "./approval-request.js";
import { CallJournal } from "./call-journal.js";
import { type EvalMessage, type EvalToolConfig, toToolAnswer } from "./eval-tool.js";
import { graphState } from "./graph-state.js";
import { HeldCalls } from "./held-calls.js";
import { type InterpreterState, newState, readInterpreterState } from "./interpreter-state.js";
import type { CallEnvironment } from "./invoke-tool.js";
import type { Lease } from "./lease.js";
import { notLoaded } from "./lost-variables.js";
import { isNoRoom, NotRun, notRun, orNotRun } from "./no-room.js";
import type { ResolvedOptions } from "./options.js";
import type { Found, Leftover, PausableEval } from "./pausable-eval.js";
import { Pauses } from "./pauses.js";
import { Progress } from "./progress.js";
import {
  expectedResults,
  messageOfCall,
  type RequestTools,
  restoreRequestTools,
  type ToolsByMessage,
  toolNames,
} from "./request-tools.js";
import { type ResultKinds, SeenResults } from "./result-kinds.js";
import type { Resumption } from "./resumption.js";
import { SiblingWrites } from "./sibling-writes.js";
import { type StepConfig, type StepIdentity, stepIdentity } from "./step-identity.js";
import { taskFunction } from "./subagent-calls.js";
import { provideSynchronousStorage } from "./synchronous-storage.js";
import { TaskInterrupts } from "./task-interrupts.js";
import { ThreadSessions } from "./thread-sessions.js";
import { toolFunctions } from "./tool-calls.js";
import { liftContentBlocks } from "./tool-result.js";

/** What only `wrapToolCall` knows: the way to the agent's other tools and to the middleware around them. */
export interface AgentAccess {
  readonly request: ToolCallRequest;
  readonly handler: ToolCallHandler;
}

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
      code,
      config,
      step,
      message: messageOfCall(agentState?.messages, toolCallId),
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
      if (found) return await this.#eval(run, lease, found);
      // An eval that paused and was given up, or still waits, must not be in the way.
      const left = lease.opened ? await pausing?.leftover(agentState?.messages).catch(orNotRun) : undefined;
      if (left?.type === "sibling") return this.#refuse(siblingText, toolCallId);
      if (left?.moved) lease.adopt(left.moved);
      // A session that was live here has not been cut off.
      const earlier = lease.opened && !left ? await journal?.earlierLife() : undefined;
      if (earlier?.type === "ended") return toToolAnswer(earlier.message);
      if (earlier) return this.#refuse(earlier.text, toolCallId);
      return await this.#eval(run, lease, left);
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

  async #eval(
    run: EvalRun,
    lease: Lease,
    earlier?: (Found & { type: "resumption" }) | (Leftover & { type: "cancelled" }),
  ): Promise<ToolMessage | Command | string> {
    const { code, config, requestTools, toolCallId, agent, keep, pausing, journal } = run;
    const options = this.#options;
    const resumption = earlier?.type === "resumption" ? earlier.resumption : undefined;
    const held = resumption?.held ?? new HeldCalls();
    const environment: CallEnvironment = {
      options,
      config,
      agent,
      state: graphState(config, await this.#siblings.of(run.message, run.step, pausing?.isResuming === true)),
      held,
      results: new SeenResults(lease.state.results, run.results, resumption?.results),
      toolCallId,
    };
    const { state: agentState } = environment;
    if (agentState) this.#siblings.add(run.message, run.step, () => agentState.updates());
    if (resumption && resumption.writes.length > 0) environment.state?.restore(resumption.writes);
    const tools = options.ptc && toolFunctions(requestTools, environment);
    const task = taskFunction(requestTools, environment);
    const progress = new Progress(config["writer"], toolCallId);
    const gate = new ApprovalGate(requestTools, environment);
    const { session } = lease;
    const evalOptions: EvalOptions = {
      ...(tools ? { tools: journal?.source(tools) ?? tools } : {}),
      ...(task ? { globals: { task: journal?.call("task", task) ?? task } } : {}),
      ...(config.signal ? { signal: config.signal } : {}),
      isGated: gate.isGated,
      returns: "content",
      captureConsole: options.captureConsole,
      onLog: progress.onLog,
      onCall: progress.onCall,
    };
    let result = resumption
      ? await session
          .resume(resumption.decide(gate), { ...evalOptions, source: code })
          .catch((error: unknown) => giveBack(resumption, error))
      : await session.eval(code, evalOptions).catch(orNotRun);
    while (result.status === "paused" && !config.signal?.aborted) {
      const { calls } = result;
      const reason = pausing
        ? await pausing.suspend(lease, calls, gate, environment)
        : "nobody can be asked here: the agent has no checkpointer";
      result = await session.resume(refusals(calls, reason), { ...evalOptions, source: code });
    }
    environment.state?.close();
    if (config.signal?.aborted) {
      if (keep) await this.#stop(run, lease, result, environment.results.kinds);
      config.signal.throwIfAborted();
    }
    const lifted = result.status === "completed" ? liftContentBlocks(result.value) : undefined;
    const told = result.status === "failed" ? result.error.message : "";
    const missing = tools?.missingNotes().filter((note) => !told.includes(note)) ?? [];
    const notes = [...result.notes, ...missing];
    if (lease.lost) notes.unshift(lease.lost);
    if (earlier?.type === "cancelled") notes.unshift(earlier.text);
    const updates: [string, unknown][] = [];
    if (keep) {
      const { state, note } = await lease.commit(environment.results.kinds);
      updates.push(["_interpreter", state]);
      if (note) notes.push(note);
    }
    const shown = { ...result, notes, ...(lifted ? { text: lifted.text } : {}) } as EvalResult;
    const message: EvalMessage = {
      text: formatResult(shown, { maxResultChars: options.maxResultChars }),
      failed: result.status === "failed",
      toolName: options.toolName,
      toolCallId,
      updates,
      blocks: lifted?.blocks ?? [],
    };
    const whole = { ...message, updates: [...(environment.state?.updates() ?? []), ...updates] };
    await pausing?.ended(whole);
    await journal?.ended(whole);
    return toToolAnswer(message);
  }

  /** Nobody reads the result of a run that was aborted; the next eval finds what this one changed. */
  async #stop(
    { pausing, toolCallId }: EvalRun,
    lease: Lease,
    result: EvalResult,
    results: ResultKinds,
  ): Promise<void> {
    const { toolName, maxResultChars } = this.#options;
    const wasRebuilt = result.status === "failed" && result.error.rebuilt === true;
    if (!pausing) return lease.stop(results);
    const text = formatResult(result, { maxResultChars });
    const message = { text, failed: true, toolName, toolCallId, updates: [], blocks: [] };
    await pausing.stop(lease, wasRebuilt, message);
  }
}

/** What stays the same from the start of an eval to its message. */
interface EvalRun {
  readonly code: string;
  readonly config: EvalToolConfig;
  readonly step: StepIdentity;
  /** That asked for the eval, and maybe for others. */
  readonly message: BaseMessage | undefined;
  readonly requestTools: RequestTools;
  readonly results: ResultKinds | undefined;
  readonly toolCallId: string | undefined;
  readonly agent: AgentAccess | undefined;
  /** The session is named by the state and lives on. */
  readonly keep: boolean;
  readonly pausing: PausableEval | undefined;
  readonly journal: CallJournal | undefined;
}

const siblingText =
  "This eval did not run: another eval of the same message waits for an approval, and they share their variables. Send it again when that one has ended.";

/** It has waited for room and nothing of it has run: it is as it was, and can be answered again. */
async function giveBack(resumption: Resumption, error: unknown): Promise<never> {
  if (isNoRoom(error)) await resumption.giveBack();
  throw error;
}

function refusals(calls: readonly PausedCall[], reason: string): ReadonlyMap<number, CallDecision> {
  return new Map(
    calls.map(({ id, name }) => {
      const error = new Error(`${name} did not run: it has to wait for a person, and ${reason}.`);
      return [id, { type: "reject", error }];
    }),
  );
}
