/** What is wrong with the arguments of a call, held against the tool's schema without running anything of the tool. */
import { Validator } from "@langchain/core/utils/json_schema";
import { interopSafeParse, isInteropZodSchema } from "@langchain/core/utils/types";
import { schemaToJson } from "../prompt/schema-json.js";
import { comment } from "../prompt/source-text.js";

export interface InputIssue {
  readonly path: string;
  readonly problem: string;
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

export function given(path: string, input: unknown): string {
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
export function unknownFields(schema: unknown, input: unknown): string[] {
  const json = schemaToJson(schema);
  if (typeof json !== "object" || typeof json["properties"] !== "object" || json["properties"] === null)
    return [];
  if (["anyOf", "oneOf", "allOf", "$ref", "patternProperties"].some((word) => word in json)) return [];
  if (json["additionalProperties"] !== undefined && json["additionalProperties"] !== false) return [];
  const names = json["properties"];
  if (typeof input !== "object" || input === null) return [];
  return Object.keys(input).filter((name) => !Object.hasOwn(names, name));
}
