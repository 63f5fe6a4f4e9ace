/** The part of the prompt about `task()`, and where the names in it come from. */
import type { ApprovalNeed } from "../approvals/approval-policy.js";
import { maxSchemaChars, maxSchemaDepth, maxSchemaProperties } from "../subagents/response-schema.js";
import type { CallableTool } from "../tools/tool-names.js";
import { schemaToJson } from "./schema-json.js";
import type { Sentence } from "./sentence.js";
import { comment } from "./source-text.js";

export interface SubagentType {
  readonly name: string;
  readonly description: string;
}

/** Subagents that run at the same time; further ones wait. */
export const maxConcurrentSubagents = 32;

const maxDescriptionChars = 240;
const maxListChars = 2400;

export function subagentSection(
  unsorted: readonly SubagentType[],
  approval: ApprovalNeed | undefined,
): Sentence[] {
  const types = [...unsorted].sort((a, b) => (a.name < b.name ? -1 : 1));
  const example = types[0]?.name ?? "general-purpose";
  return [
    { id: "task.heading", text: "### `task()`" },
    {
      id: "task.what",
      text: "`task({ description, subagentType, responseSchema?, label? })` starts a subagent and returns a promise of its final answer.",
    },
    { id: "task.types", text: typeList(types) },
    {
      id: "task.stateless",
      text: "A subagent knows only its `description`, unless its type says otherwise: put the whole assignment in it, where things are (paths and ids, not contents) and what to answer.",
    },
    {
      id: "task.schema",
      text: `With \`responseSchema\`, a JSON Schema of an object (at most ${maxSchemaProperties} properties, ${maxSchemaDepth} levels, ${maxSchemaChars} characters), the answer is such an object; without, it is text. A type that was built as a ready graph takes no schema.`,
    },
    {
      id: "task.parallel",
      text: `Start independent ones together, with \`Promise.all\`; at most ${maxConcurrentSubagents} run at once and the others wait.`,
    },
    {
      id: "task.errors",
      text: "A subagent that fails rejects; with `Promise.allSettled` you keep the answers of the others.",
    },
    ...(approval === undefined
      ? []
      : [
          {
            id: "task.approval",
            text: `A person must approve ${approval === "always" ? "every" : "some"} \`task()\`: the code stops there and goes on from the same place after the answer. One that is turned down rejects.`,
          },
        ]),
    { id: "task.state", text: "Files that a subagent writes are there afterwards." },
    { id: "task.aliases", text: "`subagent_type` and `response_schema` are accepted too." },
    {
      id: "task.when",
      text: "Find out first what there is to do, with your own tools. Then give each subagent a share that needs judgement; a lookup or a calculation needs none.",
    },
    { id: "task.example", text: exampleOf(example) },
  ];
}

function typeList(types: readonly SubagentType[]): string {
  if (types.length === 0) return "The description of the `task` tool lists the types.";
  const lines = types.map(({ name, description }) => {
    const text = comment(description, maxDescriptionChars);
    return text === "" ? `- \`${name}\`` : `- \`${name}\`: ${text}`;
  });
  const list = ["Types:", ...lines].join("\n");
  if (list.length <= maxListChars) return list;
  return `Types: ${comment(types.map(({ name }) => `\`${name}\``).join(", "), maxListChars)}.`;
}

/** Data through `JSON.stringify`: a type may be named anything. */
function exampleOf(type: string): string {
  return [
    "```js",
    'const paths = ["/notes/a.md", "/notes/b.md"];',
    "const found = await Promise.all(paths.map((path) => task({",
    `  description: \`Read \${path}. Name every open question in it.\`,`,
    `  subagentType: ${JSON.stringify(type)},`,
    '  responseSchema: { type: "object", properties: { questions: { type: "array", items: { type: "string" } } }, required: ["questions"] },',
    "})));",
    "found.flatMap(({ questions }) => questions);",
    "```",
  ].join("\n");
}

/**
 * The types that an agent's `task` tool offers, read from its texts: the field's description ends in the list of names
 * and the tool's has a line for each. A tool that says neither gives an empty list.
 */
export function subagentTypes(taskTool: CallableTool): SubagentType[] {
  const text = taskTool.description ?? "";
  const lines = [...text.matchAll(/^[ \t]*- ([^\s:][^:\n]*):[ \t]*(.*)$/gm)].map(([, name, description]) => ({
    name: name!.trim(),
    description: description!.trim(),
  }));
  const listed = listedNames(taskTool.schema);
  if (listed.length === 0) return lines.filter(({ name }) => /^[\w.-]+$/.test(name));
  return listed.map((name) => ({
    name,
    description: lines.find((line) => line.name === name)?.description ?? "",
  }));
}

/** Deep Agents' own, whose subagents hand back their whole state; known by its schema, as texts can be changed. */
export function isDeepAgentsTask(tool: CallableTool): boolean {
  const json = schemaToJson(tool.schema);
  const properties = typeof json === "object" ? (json["properties"] as Record<string, unknown>) : undefined;
  const names = Object.keys(properties ?? {})
    .sort()
    .join();
  return names === "description,subagent_type" && listedNames(tool.schema).length > 0;
}

function listedNames(schema: unknown): string[] {
  const json = schemaToJson(schema);
  if (typeof json !== "object") return [];
  const properties = json["properties"] as
    | Record<string, { description?: unknown; enum?: unknown }>
    | undefined;
  const field = properties?.["subagent_type"];
  if (Array.isArray(field?.enum)) return field.enum.filter((name) => typeof name === "string");
  const list =
    typeof field?.description === "string" ? /Available: (.+)$/.exec(field.description)?.[1] : undefined;
  return list === undefined
    ? []
    : list
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "");
}
