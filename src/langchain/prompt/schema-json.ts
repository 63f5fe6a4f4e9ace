/** Any schema a tool may carry (zod 3, zod 4, any other Standard Schema, JSON Schema) as JSON Schema. */
import { toJsonSchema } from "@langchain/core/utils/json_schema";

export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

/** The part of the Standard JSON Schema interface that is used; zod has it since 4.2. */
interface StandardJsonSchema {
  readonly "~standard"?: {
    readonly jsonSchema?: { readonly input?: (options: Record<string, unknown>) => unknown };
  };
}

/**
 * What a caller has to pass, so a field with a default is optional. A schema that cannot be converted is `true`
 * (anything), because a tool that works must not be lost for want of a signature.
 */
export function schemaToJson(schema: unknown): JsonSchema {
  if (typeof schema === "boolean") return schema;
  if (typeof schema !== "object" || schema === null) return true;
  const attempts = [
    // Before LangChain's own conversion, which never ends for a recursive zod 4 schema (core 1.4.0).
    () =>
      (schema as StandardJsonSchema)["~standard"]?.jsonSchema?.input?.({
        target: "draft-2020-12",
        libraryOptions: { unrepresentable: "any" },
      }),
    () => toJsonSchema(schema as Convertible, { io: "input", unrepresentable: "any" }),
    () => toJsonSchema(schema as Convertible),
  ];
  for (const attempt of attempts) {
    try {
      const json: unknown = attempt();
      if (typeof json === "object" && json !== null) return json as JsonSchema;
    } catch {
      // The next attempt may do; after the last one nothing is known about the input.
    }
  }
  return true;
}

type Convertible = Parameters<typeof toJsonSchema>[0];
