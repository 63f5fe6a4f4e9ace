/** What code passes to `task()`, checked and in one form. */

import { suggestName } from "../tools/tool-names.js";
import { prepareResponseSchema } from "./response-schema.js";

export interface TaskRequest {
  readonly description: string;
  readonly subagentType: string;
  /** As `prepareResponseSchema` gives it. */
  readonly responseSchema?: { readonly [keyword: string]: unknown };
  readonly label?: string;
}

const keys = ["description", "subagentType", "responseSchema", "label"] as const;
const aliases = new Map([
  ["subagent_type", "subagentType"],
  ["response_schema", "responseSchema"],
]);

/**
 * Everything that can be refused is refused here, before a subagent starts.
 *
 * @param types The names the agent has; empty where they are not known, then the `task` tool decides.
 * @throws {TypeError} with a text for the model.
 */
export function parseTaskRequest(input: unknown, types: readonly string[] = []): TaskRequest {
  if (typeof input !== "object" || input === null || Array.isArray(input))
    throw new TypeError(
      "task: expected an object argument: task({ description, subagentType, responseSchema?, label? })",
    );
  const fields = new Map<string, unknown>();
  const unknown: string[] = [];
  for (const [key, value] of Object.entries(input)) {
    const name = aliases.get(key) ?? key;
    if (!(keys as readonly string[]).includes(name)) unknown.push(key);
    // Where both spellings are given, the one of the documentation counts.
    else if (name === key || !fields.has(name)) fields.set(name, value);
  }
  if (unknown.length > 0)
    throw new TypeError(`task: unknown keys: ${unknown.join(", ")}. Allowed: ${keys.join(", ")}`);

  const description = text(fields, "description");
  const subagentType = text(fields, "subagentType");
  checkType(subagentType, types);
  const schema = fields.get("responseSchema");
  const label = fields.get("label");
  if (label !== undefined && typeof label !== "string")
    throw new TypeError("task: 'label' must be a string when provided");
  return {
    description,
    subagentType,
    ...(schema === undefined ? {} : { responseSchema: prepareResponseSchema(schema) }),
    ...(label === undefined ? {} : { label }),
  };
}

function text(fields: ReadonlyMap<string, unknown>, name: string): string {
  const value = fields.get(name);
  if (typeof value !== "string" || value.trim() === "")
    throw new TypeError(`task: '${name}' is required and must be a non-empty string`);
  return value;
}

function checkType(subagentType: string, types: readonly string[]): void {
  if (types.length === 0 || types.includes(subagentType)) return;
  const near = suggestName(subagentType, types);
  const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
  throw new TypeError(
    `task: there is no subagent "${subagentType}".${hint} Available: ${[...types].sort().join(", ")}`,
  );
}
