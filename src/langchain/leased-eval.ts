/**
 * One eval in the session it has leased: what code is offered (tools, subagents, the agent's state), the pauses in
 * between, and the model's message that it comes to.
 */
import type { BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { Command } from "@langchain/langgraph";
import type { EvalOptions } from "../eval/eval-options.js";
import type { CallDecision } from "../eval/program-outcome.js";
import type { EvalResult, PausedCall } from "../result/outcome.js";
import { formatResult } from "../result/result-text.js";
import { ApprovalGate } from "./approvals/approval-request.js";
import { HeldCalls } from "./approvals/held-calls.js";
import type { Found, Leftover, PausableEval } from "./approvals/pausable-eval.js";
import type { Resumption } from "./approvals/resumption.js";
import { type EvalMessage, type EvalToolConfig, toToolAnswer } from "./eval-tool.js";
import type { ResolvedOptions } from "./options.js";
import { Progress } from "./progress.js";
import type { CallJournal } from "./sessions/call-journal.js";
import type { Lease } from "./sessions/lease.js";
import { isNoRoom, orNotRun } from "./sessions/no-room.js";
import { graphState } from "./state/graph-state.js";
import type { SiblingWrites } from "./state/sibling-writes.js";
import type { StepIdentity } from "./step-identity.js";
import { taskFunction } from "./subagents/subagent-calls.js";
import { liftContentBlocks } from "./tools/content-blocks.js";
import type { AgentAccess, CallEnvironment } from "./tools/invoke-tool.js";
import type { RequestTools } from "./tools/request-tools.js";
import { type ResultKinds, SeenResults } from "./tools/result-kinds.js";
import { toolFunctions } from "./tools/tool-calls.js";

/** What stays the same from the start of an eval to its message. */
export interface EvalRun {
  readonly options: ResolvedOptions;
  readonly code: string;
  readonly config: EvalToolConfig;
  readonly step: StepIdentity;
  /** That asked for the eval, and maybe for others. */
  readonly message: BaseMessage | undefined;
  readonly siblings: SiblingWrites;
  readonly requestTools: RequestTools;
  readonly results: ResultKinds | undefined;
  readonly toolCallId: string | undefined;
  readonly agent: AgentAccess | undefined;
  /** The session is named by the state and lives on. */
  readonly keep: boolean;
  readonly pausing: PausableEval | undefined;
  readonly journal: CallJournal | undefined;
}

/** What the eval goes on from, when it does not begin with the state's own session. */
export type Earlier = (Found & { type: "resumption" }) | (Leftover & { type: "cancelled" });

/** @throws NotRun when there was no room to begin. */
export async function runLeased(
  run: EvalRun,
  lease: Lease,
  earlier?: Earlier,
): Promise<ToolMessage | Command | string> {
  const { config, options, requestTools, journal } = run;
  const resumption = earlier?.type === "resumption" ? earlier.resumption : undefined;
  const environment = await environmentOf(run, lease, resumption);
  const tools = options.ptc && toolFunctions(requestTools, environment);
  const task = taskFunction(requestTools, environment);
  const progress = new Progress(config["writer"], run.toolCallId);
  const gate = new ApprovalGate(requestTools, environment);
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
  const result = await runToItsEnd(run, lease, resumption, evalOptions, gate, environment);
  environment.state?.close();
  if (config.signal?.aborted) {
    if (run.keep) await stop(run, lease, result, environment.results.kinds);
    config.signal.throwIfAborted();
  }
  const told = result.status === "failed" ? result.error.message : "";
  const missing = tools?.missingNotes().filter((note) => !told.includes(note)) ?? [];
  const notes = [...result.notes, ...missing];
  if (lease.lost) notes.unshift(lease.lost);
  if (earlier?.type === "cancelled") notes.unshift(earlier.text);
  return answer(run, lease, { ...result, notes }, environment);
}

async function environmentOf(
  { options, config, agent, message, step, siblings, pausing, results, toolCallId }: EvalRun,
  lease: Lease,
  resumption: Resumption | undefined,
): Promise<CallEnvironment> {
  const state = graphState(config, await siblings.of(message, step, pausing?.isResuming === true));
  if (state) siblings.add(message, step, () => state.updates());
  if (resumption && resumption.writes.length > 0) state?.restore(resumption.writes);
  return {
    options,
    config,
    agent,
    state,
    held: resumption?.held ?? new HeldCalls(),
    results: new SeenResults(lease.state.results, results, resumption?.results),
    toolCallId,
  };
}

/** Pauses in between end this call with an interrupt of the graph; where they cannot be, the calls are refused. */
async function runToItsEnd(
  { code, config, pausing }: EvalRun,
  lease: Lease,
  resumption: Resumption | undefined,
  evalOptions: EvalOptions,
  gate: ApprovalGate,
  environment: CallEnvironment,
): Promise<EvalResult> {
  const { session } = lease;
  const resumed = { ...evalOptions, source: code };
  let result = resumption
    ? await session
        .resume(resumption.decide(gate), resumed)
        .catch((error: unknown) => giveBack(resumption, error))
    : await session.eval(code, evalOptions).catch(orNotRun);
  while (result.status === "paused" && !config.signal?.aborted) {
    const { calls } = result;
    const reason = pausing
      ? await pausing.suspend(lease, calls, gate, environment)
      : "nobody can be asked here: the agent has no checkpointer";
    result = await session.resume(refusals(calls, reason), resumed);
  }
  return result;
}

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

/** Nobody reads the result of a run that was aborted; the next eval finds what this one changed. */
async function stop(
  { options, pausing, toolCallId }: EvalRun,
  lease: Lease,
  result: EvalResult,
  results: ResultKinds,
): Promise<void> {
  const { toolName, maxResultChars } = options;
  const wasRebuilt = result.status === "failed" && result.error.rebuilt === true;
  if (!pausing) return lease.stop(results);
  const text = formatResult(result, { maxResultChars });
  const message = { text, failed: true, toolName, toolCallId, updates: [], blocks: [] };
  await pausing.stop(lease, wasRebuilt, message);
}

/** Keeps what the eval changed, and remembers its message for the case that its task starts anew. */
async function answer(
  { options, keep, pausing, journal, toolCallId }: EvalRun,
  lease: Lease,
  result: EvalResult,
  environment: CallEnvironment,
): Promise<ToolMessage | Command | string> {
  const lifted = result.status === "completed" ? liftContentBlocks(result.value) : undefined;
  const notes = [...result.notes];
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
