/**
 * The scripted demo: what a model would do with these tools, without a model. The programs are real and run on real
 * rows; only the decision to write them is scripted.
 */
import { type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { CELL_PREFIX } from "../playground/cell-prefix.js";
import { scenarios } from "./scenarios/index.js";
import { movies } from "./scenarios/movies.js";
import { analystProgram } from "./scenarios/team.js";
import { resultValue, type ScenarioTurn } from "./scenarios/turn.js";
import type { ScriptedTurn } from "./scripted-model.js";

export const moviesScenario: readonly ScenarioTurn[] = movies.turns;

/** What the script says next in a conversation; the answer quotes the tool's own result. */
export function nextScripted(
  messages: readonly BaseMessage[],
  fallback: readonly ScenarioTurn[] = moviesScenario,
): ScriptedTurn {
  const questions = messages.filter(
    (message) => HumanMessage.isInstance(message) && !message.id?.startsWith(CELL_PREFIX),
  );
  const asked = questions.at(-1);
  if (!asked) return { text: "Ask me something about the data sets." };
  const turn = turnFor(asked.text, questions.length, fallback);
  const since = messages.slice(messages.indexOf(asked) + 1);
  const results = since.filter((message) => ToolMessage.isInstance(message) && !isOfCell(message));
  const code = turn.steps[results.length];
  if (code === undefined) return { text: turn.answer(results.at(-1)?.text ?? "") };
  const id = `call_${questions.length}${results.length === 0 ? "" : `_${results.length + 1}`}`;
  return { toolCalls: [{ id, name: "eval", args: { code } }] };
}

function turnFor(question: string, count: number, fallback: readonly ScenarioTurn[]): ScenarioTurn {
  const known = scenarios.flatMap(({ turns }) => turns).find((turn) => turn.question === question.trim());
  return known ?? fallback[Math.min(count, fallback.length) - 1]!;
}

function isOfCell(message: BaseMessage): boolean {
  return ToolMessage.isInstance(message) && message.tool_call_id.startsWith(CELL_PREFIX);
}

/** The subagent's script: one program about the genre in its task, then that program's value as it is. */
export function nextForAnalyst(messages: readonly BaseMessage[]): ScriptedTurn {
  const last = messages.at(-1);
  if (last && ToolMessage.isInstance(last)) {
    const value = resultValue(last.text);
    return { text: value === undefined ? last.text : JSON.stringify(value) };
  }
  const genre = /"([^"]+)"/.exec(
    messages.findLast((message) => HumanMessage.isInstance(message))?.text ?? "",
  )?.[1];
  return {
    toolCalls: [{ id: `analyst_${genre}`, name: "eval", args: { code: analystProgram(genre ?? "Drama") } }],
  };
}

export { scenarios } from "./scenarios/index.js";
export type { ScenarioTurn } from "./scenarios/turn.js";
