/**
 * A failed tool, as code sees it: what happened and data to branch on, without the host's stack, files or passwords.
 * The whole error belongs in the trace, not here.
 */
import { Validator } from "@langchain/core/utils/json_schema";
import { interopSafeParse, isInteropZodSchema } from "@langchain/core/utils/types";
import { schemaToJson } from "./schema-json.js";
import { comment } from "./source-text.js";
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

export interface InputIssue {
  readonly path: string;
  readonly problem: string;
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

/** What of an input does not fit a zod or JSON Schema, as far as that can be found out without running anything. */
export function inputIssues(schema: unknown, input: unknown): InputIssue[] {
  try {
    if (isInteropZodSchema(schema)) {
      const parsed = interopSafeParse(schema, input);
      if (parsed.success) return [];
      return parsed.error.issues.map(({ path, message }) => ({
        path: dotted(path as readonly PropertyKey[]),
        problem: comment(message.replace(/^Invalid input: /, ""), 200),
      }));
    }
    const { errors } = new Validator(
      schema as ConstructorParameters<typeof Validator>[0],
      "7",
      false,
    ).validate(input);
    // A validator reports every level above the mistake as well; the innermost ones say something.
    const leaves = errors.filter(({ keyword }) => !["properties", "items", "$ref"].includes(keyword));
    return leaves.map(({ instanceLocation, error }) => ({
      path: dotted(instanceLocation.split("/").slice(1)),
      problem: comment(error, 200),
    }));
  } catch {
    // A schema with asynchronous or throwing checks: the signature has to do.
    return [];
  }
}

function dotted(path: readonly PropertyKey[]): string {
  let text = "";
  for (const part of path) {
    const isIndex = /^\d+$/.test(String(part));
    text += isIndex ? `[${String(part)}]` : `${text === "" ? "" : "."}${String(part)}`;
  }
  return text === "" ? "input" : comment(text, 100);
}

function given(path: string, input: unknown): string {
  let value: unknown = input;
  if (path !== "input")
    for (const part of path.split(/[.[\]]+/).filter((piece) => piece !== "")) {
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return "nothing";
      value = (value as Record<string, unknown>)[part];
    }
  try {
    return comment(JSON.stringify(value) ?? String(value), 80);
  } catch {
    return `a ${typeof value}`;
  }
}

/** Fields that the schema does not have, which zod drops without a word: most often a wrong name for a right field. */
function unknownFields(schema: unknown, input: unknown): string[] {
  const json = schemaToJson(schema);
  if (typeof json !== "object" || typeof json["properties"] !== "object" || json["properties"] === null)
    return [];
  if (["anyOf", "oneOf", "allOf", "$ref", "patternProperties"].some((word) => word in json)) return [];
  if (json["additionalProperties"] !== undefined && json["additionalProperties"] !== false) return [];
  const names = json["properties"];
  if (typeof input !== "object" || input === null) return [];
  return Object.keys(input).filter((name) => !Object.hasOwn(names, name));
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

/** What code may branch on: data that the error carries for this purpose, or its code and status. */
function dataOf(error: unknown): unknown {
  if (typeof error !== "object" || error === null) return undefined;
  if (!(error instanceof Error)) return plain(error);
  const { data, code, status, cause } = error as Error & Record<string, unknown>;
  const own = plain(data) ?? mcpData(error, cause);
  if (own !== undefined) return own;
  const facts = { code: scalar(code), status: scalar(status) };
  const known = Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined));
  return Object.keys(known).length > 0 ? known : undefined;
}

/** An MCP tool's error result: structured content where the adapter kept it, else JSON in its text. */
function mcpData(error: Error, cause: unknown): unknown {
  if (error.name !== "ToolException") return undefined;
  if (typeof cause === "object" && cause !== null && "isError" in cause) {
    const { structuredContent, content } = cause as { structuredContent?: unknown; content?: unknown };
    if (structuredContent !== undefined) return plain(structuredContent);
    const texts = Array.isArray(content) ? content.map((block: { text?: unknown }) => block?.text) : [];
    const [only] = texts.filter((text) => typeof text === "string");
    return parsedObject(only);
  }
  return parsedObject(/returned an error: ([\s\S]*)$/.exec(error.message)?.[1]);
}

function parsedObject(text: unknown): unknown {
  if (typeof text !== "string" || !text.trim().startsWith("{")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function scalar(value: unknown): string | number | undefined {
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}

/** A copy that holds nothing of the host: what JSON cannot hold is no data. */
function plain(value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  try {
    const text = JSON.stringify(value);
    return text === undefined || text.length > 100_000 ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
