/** Runs one eval for an agent: finds the session, offers the tools, turns what came of it into the model's message. */
import type { BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { Command } from "@langchain/langgraph";
import type { ToolCallHandler, ToolCallRequest } from "langchain";
import { InterpreterError } from "../errors.js";
import { createInterpreter, type Interpreter } from "../interpreter.js";
import type { EvalResult } from "../outcome.js";
import { formatResult } from "../result-text.js";
import { type EvalToolConfig, toToolAnswer } from "./eval-tool.js";
import { graphState } from "./graph-state.js";
import { type InterpreterState, newState, readInterpreterState } from "./interpreter-state.js";
import { notLoaded } from "./lost-variables.js";
import type { ResolvedOptions } from "./options.js";
import { Progress } from "./progress.js";
import { type RequestTools, restoreRequestTools, type ToolsByMessage } from "./request-tools.js";
import { type StepConfig, stepIdentity } from "./step-identity.js";
import { taskFunction } from "./subagent-calls.js";
import { type Lease, ThreadSessions } from "./thread-sessions.js";
import { type CallEnvironment, toolFunctions } from "./tool-calls.js";
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
  #interpreter: Promise<Interpreter> | undefined;

  constructor(options: ResolvedOptions, toolsByMessage: ToolsByMessage) {
    this.#options = options;
    this.#toolsByMessage = toolsByMessage;
    this.#sessions = new ThreadSessions(options, () => this.#load());
  }

  /** Loaded with the first eval; a failure is not remembered, so that a later eval may find the engine. */
  #load(): Promise<Interpreter> {
    const { engine, limits, clock, random } = this.#options;
    this.#interpreter ??= createInterpreter({
      limits,
      ...(engine === undefined ? {} : { engine }),
      ...(clock === undefined ? {} : { clock }),
      ...(random === undefined ? {} : { random }),
    }).catch((error: unknown) => {
      this.#interpreter = undefined;
      throw error;
    });
    return this.#interpreter;
  }

  /** What has to be in the state before the evals of a message run; nothing when it already is. */
  stateForRequest(
    current: InterpreterState | undefined,
    tools: readonly string[],
  ): InterpreterState | undefined {
    if (!current) return newState(tools);
    const same =
      current.tools?.length === tools.length && current.tools.every((name, index) => name === tools[index]);
    return same ? undefined : { ...current, tools };
  }

  /** What the state has to say when a turn has ended; nothing when nothing ran since the last one. */
  finishTurn(state: InterpreterState, config: StepConfig): Promise<InterpreterState | undefined> {
    return this.#sessions.addData(state, stepIdentity(config));
  }

  forget(session: string): void {
    this.#sessions.drop(session);
  }

  async run(
    code: string,
    config: EvalToolConfig,
    agent?: AgentAccess,
  ): Promise<ToolMessage | Command | string> {
    const { mode } = this.#options;
    const toolCallId = config.toolCall?.id ?? config.toolCallId ?? agent?.request.toolCall.id;
    const agentState = (config.state ?? agent?.request.state) as { messages?: BaseMessage[] } | undefined;
    const known = readInterpreterState(agentState);
    const state: InterpreterState = mode === "call" || !known ? newState(known?.tools) : known;
    const requestTools =
      this.#toolsByMessage.find(agentState?.messages, toolCallId) ??
      restoreRequestTools(this.#options, state.tools);
    let lease: Lease;
    try {
      lease = await this.#sessions.acquire(state, stepIdentity(config, toolCallId), config.signal);
    } catch (error) {
      if (!InterpreterError.isInstance(error) || !error.code.startsWith("STORE_")) throw error;
      return this.#refuse(notLoaded(error.message), toolCallId);
    }
    try {
      return await this.#eval(code, config, lease, requestTools, toolCallId, agent, known !== undefined);
    } finally {
      lease.release();
      // Nobody can name this session again: its state is written nowhere.
      if (mode === "call" || !known) this.#sessions.drop(state.session);
    }
  }

  /** An answer to a call of which nothing ran. */
  #refuse(text: string, toolCallId: string | undefined): ToolMessage | Command | string {
    const { toolName } = this.#options;
    return toToolAnswer({ text, failed: true, toolName, toolCallId, updates: [], blocks: [] });
  }

  async #eval(
    code: string,
    config: EvalToolConfig,
    lease: Lease,
    requestTools: RequestTools,
    toolCallId: string | undefined,
    agent: AgentAccess | undefined,
    keep: boolean,
  ): Promise<ToolMessage | Command | string> {
    const options = this.#options;
    const environment: CallEnvironment = { options, config, agent, state: graphState(config), toolCallId };
    const tools = options.ptc && toolFunctions(requestTools, environment);
    const task = taskFunction(requestTools, environment);
    const progress = new Progress(config["writer"], toolCallId);
    const result = await lease.session.eval(code, {
      ...(tools ? { tools } : {}),
      ...(task ? { globals: { task } } : {}),
      ...(config.signal ? { signal: config.signal } : {}),
      returns: "content",
      captureConsole: options.captureConsole,
      onLog: progress.onLog,
      onCall: progress.onCall,
    });
    config.signal?.throwIfAborted();
    const lifted = result.status === "completed" ? liftContentBlocks(result.value) : undefined;
    const notes = [...result.notes, ...(tools?.missingNotes() ?? [])];
    if (lease.lost) notes.unshift(lease.lost);
    const updates: [string, unknown][] = [];
    if (keep && options.mode !== "call") {
      const { state, note } = await lease.commit();
      updates.push(["_interpreter", state]);
      if (note) notes.push(note);
    }
    const shown = { ...result, notes, ...(lifted ? { text: lifted.text } : {}) } as EvalResult;
    return toToolAnswer({
      text: formatResult(shown, { maxResultChars: options.maxResultChars }),
      failed: result.status === "failed",
      toolName: options.toolName,
      toolCallId,
      updates,
      blocks: lifted?.blocks ?? [],
    });
  }
}
