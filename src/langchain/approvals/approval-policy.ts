/** Which calls from code need a person's approval, in the shape of `humanInTheLoopMiddleware`. */
import type { ToolCallRequest } from "langchain";
import { invalidOption } from "../../errors.js";

export type ApprovalDecision = "approve" | "edit" | "reject";

export interface InterruptOnConfig {
  readonly allowedDecisions: readonly ApprovalDecision[];
  /** What the person reads; a text, or a function of the call. */
  readonly description?:
    | string
    | ((toolCall: ApprovalCall, state: unknown, runtime: unknown) => string | Promise<string>);
  /** JSON Schema of the arguments, for editors. */
  readonly argsSchema?: Readonly<Record<string, unknown>>;
  /** Only calls for which it answers true need the approval. */
  readonly when?: (request: ToolCallRequest) => boolean | Promise<boolean>;
}

export interface ApprovalCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly id: string;
}

/** `true`: every decision is allowed. `false`: no approval needed. */
export type InterruptOn = Readonly<Record<string, boolean | InterruptOnConfig>>;

export interface ApprovalPolicy extends InterruptOnConfig {
  readonly toolName: string;
}

/** A tool's policy, under its own name or the one it has in code. */
export function policyOf(
  interruptOn: ReadonlyMap<string, ApprovalPolicy>,
  { name, guestName }: { readonly name: string; readonly guestName: string },
): ApprovalPolicy | undefined {
  return interruptOn.get(name) ?? interruptOn.get(guestName);
}

/** What code should expect of a tool's calls: that a person approves each, or those that meet a condition. */
export type ApprovalNeed = "always" | "sometimes";

export function approvalNeed(policy: ApprovalPolicy): ApprovalNeed {
  return policy.when === undefined ? "always" : "sometimes";
}

const decisions: readonly ApprovalDecision[] = ["approve", "edit", "reject"];

/** @throws {TypeError} naming the tool whose entry is wrong. */
export function validateInterruptOn(value: unknown): ReadonlyMap<string, ApprovalPolicy> {
  const policies = new Map<string, ApprovalPolicy>();
  if (value === undefined) return policies;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalidOption(
      "interruptOn",
      value,
      "an object of tool name to true, false or { allowedDecisions, ... }",
    );
  }
  for (const [toolName, entry] of Object.entries(value)) {
    if (entry === false) continue;
    if (entry === true) {
      policies.set(toolName, { toolName, allowedDecisions: decisions });
      continue;
    }
    policies.set(toolName, { toolName, ...validateConfig(`interruptOn.${toolName}`, entry) });
  }
  return policies;
}

function validateConfig(where: string, entry: unknown): InterruptOnConfig {
  if (typeof entry !== "object" || entry === null) {
    throw invalidOption(where, entry, "true, false or an object with allowedDecisions");
  }
  const { allowedDecisions, description, when } = entry as InterruptOnConfig;
  const valid = Array.isArray(allowedDecisions) && allowedDecisions.length > 0;
  if (!valid || !allowedDecisions.every((decision) => decisions.includes(decision))) {
    throw invalidOption(`${where}.allowedDecisions`, allowedDecisions, `a list of ${decisions.join(", ")}`);
  }
  if (description !== undefined && typeof description !== "string" && typeof description !== "function") {
    throw invalidOption(`${where}.description`, description, "a text or a function");
  }
  if (when !== undefined && typeof when !== "function")
    throw invalidOption(`${where}.when`, when, "a function");
  return entry as InterruptOnConfig;
}
