/** What a person answered to a request for approvals, checked before anything happens. */
import type { CallDecision } from "../../eval/program-outcome.js";
import { inputIssues } from "../tools/input-issues.js";

/** One call that waits for an approval, as the request showed it. */
export interface ApprovalAction {
  /** Of the call in the session. */
  readonly id: number;
  readonly toolName: string;
  readonly allowedDecisions: readonly string[];
  /** Of the tool, or of the option; edited arguments are held against it. */
  readonly schema?: unknown;
}

export type CheckedDecision =
  | { readonly type: "approve" }
  | { readonly type: "edit"; readonly args: Readonly<Record<string, unknown>> }
  | { readonly type: "reject"; readonly message: string }
  /** Left open: asked again with what else is open then. */
  | { readonly type: "wait" };

/** The answer in the order of the actions, or why it cannot be used. */
export function checkDecisions(
  answer: unknown,
  actions: readonly ApprovalAction[],
): { readonly decisions: readonly CheckedDecision[] } | { readonly problem: string } {
  const decisions = (answer as { decisions?: unknown } | null | undefined)?.decisions;
  if (!Array.isArray(decisions)) {
    return { problem: "The answer has to be { decisions: [...] } with one decision for each action." };
  }
  if (decisions.length !== actions.length) {
    return {
      problem: `${count(decisions.length, "decision")} for ${count(actions.length, "action")}; give one for each, { type: "wait" } for those that stay open.`,
    };
  }
  const checked: CheckedDecision[] = [];
  for (const [index, action] of actions.entries()) {
    const decision = checkDecision(decisions[index], action);
    if (typeof decision === "string") {
      return { problem: `Decision ${index + 1} (${action.toolName}): ${decision}` };
    }
    checked.push(decision);
  }
  return { decisions: checked };
}

function checkDecision(decision: unknown, action: ApprovalAction): CheckedDecision | string {
  if (decision === null || decision === undefined) return { type: "wait" };
  const { type, message, editedAction } = decision as {
    type?: unknown;
    message?: unknown;
    editedAction?: unknown;
  };
  if (type === "wait") return { type };
  if (typeof type !== "string" || !action.allowedDecisions.includes(type)) {
    return `${JSON.stringify(type) ?? "nothing"} is not allowed; allowed: ${action.allowedDecisions.join(", ")}.`;
  }
  switch (type) {
    case "approve":
      return { type };
    case "reject":
      if (message !== undefined && typeof message !== "string") return "the message has to be a text.";
      return { type, message: message ?? `User rejected the tool call for \`${action.toolName}\`` };
    case "edit":
      return checkEdit(editedAction, action);
    default:
      return `${JSON.stringify(type)} is not known.`;
  }
}

function checkEdit(editedAction: unknown, { toolName, schema }: ApprovalAction): CheckedDecision | string {
  const { name, args } = (editedAction ?? {}) as { name?: unknown; args?: unknown };
  if (typeof args !== "object" || args === null || Array.isArray(args)) {
    return "editedAction has to be { name, args } with an object of arguments.";
  }
  if (name !== undefined && name !== toolName) {
    return `code waits for the result of ${toolName}, so an edit may change its arguments but not call ${JSON.stringify(name)}.`;
  }
  const issues = schema === undefined ? [] : inputIssues(schema, args);
  if (issues.length > 0) {
    const listed = issues.slice(0, 5).map(({ path, problem }) => `${path}: ${problem}`);
    return `the edited arguments do not fit: ${listed.join("; ")}.`;
  }
  return { type: "edit", args: args as Record<string, unknown> };
}

/** As the session takes it; `edited` turns arguments into the input code would have passed. */
export function toCallDecision(
  decision: CheckedDecision,
  input: unknown,
  edited: (args: Readonly<Record<string, unknown>>) => unknown,
): CallDecision {
  switch (decision.type) {
    case "approve":
      return { type: "run", input };
    case "edit":
      return { type: "run", input: edited(decision.args) };
    case "reject":
      return {
        type: "reject",
        error: Object.assign(new Error(decision.message), { name: "RejectedError" }),
      };
    default:
      return { type: "wait" };
  }
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}
