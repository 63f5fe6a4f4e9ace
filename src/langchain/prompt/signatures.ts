/** TypeScript signatures of tools, for the prompt, for `tools.$describe` and for errors about arguments. */

import type { CallableTool } from "../tools/tool-names.js";
import { type JsonSchema, schemaToJson } from "./schema-json.js";
import { schemaType, type TypeOptions } from "./schema-type.js";
import { comment, propertyName } from "./source-text.js";

export interface SignatureSource {
  readonly name: string;
  readonly guestName: string;
  readonly description?: string | undefined;
  /** zod 3, zod 4 or JSON Schema. */
  readonly schema: unknown;
  /** What the tool gives, when something says so. */
  readonly outputSchema?: unknown;
  /** Largest length of the declaration, beyond what the required fields need. @default 1500 */
  readonly maxChars?: number;
}

export interface Signature {
  /** A method of an interface: `/** Search. *\/ webSearch(input: { query: string }): Promise<unknown>;` */
  readonly declaration: string;
}

interface Detail extends TypeOptions {
  readonly description: number;
}

/** From everything to the least that is still of use: optional things go first, required fields stay. */
const all = Array.from({ length: 9 }, () => Number.POSITIVE_INFINITY);
const details: readonly Detail[] = [
  { description: 400, comments: true, depth: 8, optional: all, parts: 400 },
  { description: 160, comments: true, depth: 5, optional: all, parts: 200 },
  { description: 160, comments: false, depth: 5, optional: all, parts: 200 },
  { description: 80, comments: false, depth: 4, optional: [20, 5], parts: 100 },
  { description: 80, comments: false, depth: 3, optional: [10], parts: 60 },
  { description: 0, comments: false, depth: 1, optional: [], parts: 40 },
  { description: 0, comments: false, depth: 0, optional: [], parts: 1 },
];

/** Never throws and always answers with valid TypeScript. */
export function toolSignature(source: SignatureSource): Signature {
  const { maxChars = 1500 } = source;
  const input = schemaToJson(source.schema);
  const output = source.outputSchema === undefined ? true : schemaToJson(source.outputSchema);
  let shortest = declare(source, 0, anyInput, "unknown");
  for (const detail of details) {
    let text: string;
    try {
      text = declare(source, detail.description, parameter(input, detail), schemaType(output, detail));
    } catch {
      // A schema that cannot even be read (a getter that throws, a proxy): the plain form says what is certain.
      break;
    }
    if (text.length <= maxChars) return { declaration: text };
    shortest = text;
  }
  return { declaration: shortest.length <= maxChars * 4 ? shortest : declareNames(source, input) };
}

/** The signature of a tool as LangChain has it. */
export function signatureOf(tool: CallableTool, guestName: string, maxChars?: number): Signature {
  return toolSignature({
    name: tool.name,
    guestName,
    description: tool.description,
    schema: tool.schema,
    outputSchema: outputSchemaOf(tool),
    ...(maxChars === undefined ? {} : { maxChars }),
  });
}

/** LangChain has no field for what a tool returns; these are the places where adapters and authors put it. */
function outputSchemaOf(tool: CallableTool): unknown {
  const places = [tool, tool.metadata, (tool as { extras?: unknown }).extras];
  for (const place of places) {
    if (typeof place !== "object" || place === null) continue;
    const { outputSchema } = place as { outputSchema?: unknown };
    if (typeof outputSchema === "object" && outputSchema !== null) return outputSchema;
  }
  return undefined;
}

const anyInput = "input?: Record<string, unknown>";

function declare(source: SignatureSource, chars: number, parameters: string, output: string): string {
  const text = chars === 0 ? "" : comment(source.description ?? "", chars);
  const documentation = text === "" ? "" : `/** ${text} */ `;
  // A method called `new` would be a construct signature.
  const name = source.guestName === "new" ? '"new"' : propertyName(source.guestName);
  return `${documentation}${name}(${parameters}): Promise<${output}>;`;
}

function parameter(input: JsonSchema, detail: Detail): string {
  if (typeof input === "object" && takesNothing(input)) return "";
  const optional = typeof input === "object" && !needsInput(input) ? "?" : "";
  const type = schemaType(input, detail);
  return type === "unknown" ? anyInput : `input${optional}: ${type}`;
}

function takesNothing(schema: { readonly [keyword: string]: unknown }): boolean {
  const words = Object.keys(schema).filter((word) => !annotations.has(word));
  const properties = Object.hasOwn(schema, "properties") ? schema["properties"] : {};
  return (
    words.every(
      (word) =>
        word === "type" || word === "properties" || word === "additionalProperties" || word === "required",
    ) &&
    schema["type"] === "object" &&
    schema["additionalProperties"] !== true &&
    typeof schema["additionalProperties"] !== "object" &&
    Object.keys(properties ?? {}).length === 0 &&
    !needsInput(schema)
  );
}

const annotations = new Set(["$schema", "$id", "$comment", "title", "description", "examples", "default"]);

/** Whether a call without an argument, which the bridge sends as `{}`, is surely wrong. */
function needsInput(schema: { readonly [keyword: string]: unknown }): boolean {
  const required = Object.hasOwn(schema, "required") ? schema["required"] : undefined;
  if (Array.isArray(required) && required.length > 0) return true;
  return (
    schema["type"] !== "object" ||
    ["$ref", "anyOf", "oneOf", "allOf"].some((word) => Object.hasOwn(schema, word))
  );
}

/** For an input with so many required fields that even their names need a limit. */
function declareNames(source: SignatureSource, input: JsonSchema): string {
  const required = typeof input === "object" && Array.isArray(input["required"]) ? input["required"] : [];
  const names = required.filter((name) => typeof name === "string").slice(0, 40);
  const list = comment(names.join(", "), 800);
  const says = names.length === 0 ? "" : ` /* ${required.length} required fields: ${list} */`;
  return declare(source, 80, `input: Record<string, unknown>${says}`, "unknown");
}
