/**
 * A failed tool, as code sees it: what happened and data to branch on, without the host's stack, files or passwords.
 * The whole error belongs in the trace, not here.
 */

import { comment } from "../prompt/source-text.js";
import { dataOf } from "./error-data.js";
import { given, inputIssues, unknownFields } from "./input-issues.js";
import type { CallableTool } from "./tool-names.js";
import { ToolFailure } from "./tool-result.js";

export interface GuestError {
  readonly name: string;
  readonly message: string;
  /** Plain data; `undefined` when the error had none. */
  readonly data?: unknown;
}

/** The app's own choice of what code may read of an error; undefined keeps the default. */
export type ToolErrorPolicy = (error: unknown, toolName: string) => string | GuestError | undefined;

export interface ToolErrorContext {
  readonly toolName: string;
  /** Known tools make an argument error say what was wrong. */
  readonly tool?: CallableTool | undefined;
  readonly input?: unknown;
  /** From `signatureOf`. */
  readonly signature?: string | undefined;
  readonly policy?: ToolErrorPolicy | undefined;
}

/**
 * LangGraph's own signals (an interrupt, a jump to a parent graph) are no failures: they are thrown on and never reach
 * code, caught or not.
 */
export function isControlFlow(error: unknown): boolean {
  const cause = unwrapError(error);
  return (
    typeof cause === "object" && cause !== null && "is_bubble_up" in cause && cause.is_bubble_up === true
  );
}

export function toGuestError(thrown: unknown, context: ToolErrorContext): GuestError {
  const { toolName, policy } = context;
  const error = unwrapError(thrown);
  const chosen = policy && chosenBy(policy, error, toolName);
  if (typeof chosen === "string") return { name: "Error", message: chosen };
  if (chosen !== undefined) return chosen;
  if (isInputError(error)) return inputError(context);
  const data = dataOf(error);
  return {
    name: nameOf(error),
    message: `Tool '${toolName}' failed: ${cleanMessage(messageOf(error))}`,
    ...(data === undefined ? {} : { data }),
  };
}

/** A policy that fails itself shows nothing: what it would have hidden must not come out with it. */
function chosenBy(
  policy: ToolErrorPolicy,
  error: unknown,
  toolName: string,
): string | GuestError | undefined {
  try {
    return policy(error, toolName);
  } catch {
    return `Tool '${toolName}' failed.`;
  }
}

/** Takes off what LangChain puts around an error on its way through middleware and the tool node. */
export function unwrapError(error: unknown): unknown {
  for (let depth = 0; depth < 20; depth++) {
    if (typeof error !== "object" || error === null || !("~brand" in error)) return error;
    const { "~brand": brand, cause, toolError } = error as Record<string, unknown>;
    if (brand === "MiddlewareError" && cause !== undefined) error = cause;
    else if (brand === "ToolInvocationError" && toolError !== undefined) error = toolError;
    else return error;
  }
  return error;
}

/** The class has no mark of its own; its text has been the same since there is one. */
function isInputError(error: unknown): boolean {
  return (
    error instanceof Error && error.message.startsWith("Received tool input did not match expected schema")
  );
}

function inputError({ toolName, tool, input, signature }: ToolErrorContext): GuestError {
  const issues = tool === undefined ? [] : inputIssues(tool.schema, input);
  const surplus = tool === undefined ? [] : unknownFields(tool.schema, input);
  const lines = issues
    .slice(0, 8)
    .map(({ path, problem }) => `- ${path}: ${problem}; given: ${given(path, input)}`);
  if (surplus.length > 0) lines.push(`- not known: ${comment(surplus.join(", "), 200)}`);
  if (signature !== undefined) lines.push(`Signature: ${signature}`);
  return {
    name: "TypeError",
    message: [`Tool '${toolName}' failed: the input does not fit.`, ...lines].join("\n"),
    ...(issues.length > 0 ? { data: { issues } } : {}),
  };
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error) || error instanceof ToolFailure) return "Error";
  return /^[A-Z][A-Za-z0-9]{0,60}$/.test(error.name) ? error.name : "Error";
}

function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  if (typeof error === "string") return error;
  if (typeof error === "object" && error !== null) {
    if ("message" in error && typeof error.message === "string") return error.message;
    try {
      return JSON.stringify(error) ?? "an error without a message";
    } catch {
      return "an error that cannot be shown";
    }
  }
  return error === undefined || error === null ? "an error without a message" : String(error);
}

const maxMessage = 2000;

function cleanMessage(message: string): string {
  const text = message
    .slice(0, maxMessage * 4)
    .split("\n")
    .filter((line) => !/^\s+at .*(\(|:\d+)/.test(line))
    .join("\n")
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@:]+:[^\s/@]+@/gi, "$1***@")
    .replace(/file:\/\/\/[^\s)'"]+/g, "<file>")
    .replace(/(?:[A-Za-z]:)?[\\/][^\s)'"]*[\\/]node_modules[\\/][^\s)'"]*/g, "<file>")
    .trim();
  const characters = [...text];
  return characters.length <= maxMessage ? text : `${characters.slice(0, maxMessage - 1).join("")}…`;
}
