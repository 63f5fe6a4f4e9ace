/**
 * What clients may send. A field of the wrong kind is refused with its path; a field this server does not know is
 * ignored, as the platform does, because a newer SDK may send more than an older server understands.
 */
import { z } from "zod/v4";

import { HttpError } from "../http-error.js";

const anyObject = z.record(z.string(), z.unknown());
const nodes = z.union([z.literal("*"), z.array(z.string())]);
const checkpoint = z.object({
  thread_id: z.string().nullish(),
  checkpoint_id: z.string().nullish(),
  checkpoint_ns: z.string().nullish(),
  checkpoint_map: anyObject.nullish(),
});
const goto = z.union([z.string(), z.object({ node: z.string(), input: z.unknown().optional() })]);
const command = z.object({
  goto: z.union([goto, z.array(goto)]).optional(),
  update: z.union([anyObject, z.array(z.tuple([z.string(), z.unknown()]))]).optional(),
  resume: z.unknown().optional(),
});

const STREAM_MODES = [
  "values",
  "updates",
  "messages",
  "messages-tuple",
  "custom",
  "debug",
  "events",
  "tasks",
  "checkpoints",
  "tools",
] as const;
export const streamMode = z.enum(STREAM_MODES, {
  error: ({ input }) =>
    `${JSON.stringify(input)} is not served by this server; there are ${STREAM_MODES.join(", ")}`,
});
const streamModes = z.preprocess(
  (modes) => (modes == null ? modes : [modes].flat()),
  z.array(streamMode).nullish(),
);

/** Of an answer only these fields. */
const select = z.array(z.string()).nullish();

const ttl = z
  .object({
    /** Minutes. */
    ttl: z.number().positive().max(5_256_000),
    strategy: z.literal("delete", { message: 'must be "delete"' }),
  })
  .nullish();

/** What this server cannot do is refused, so that nobody waits for it in vain. */
const unsupported = (what: string) =>
  z.null({ message: `${what} is not supported by this server` }).optional();

export const runCreate = z.object({
  assistant_id: z.string(),
  input: z.unknown().optional(),
  command: command.nullish(),
  metadata: anyObject.nullish(),
  config: z
    .object({
      tags: z.array(z.string()).optional(),
      recursion_limit: z.number().int().positive().max(100_000).optional(),
      configurable: anyObject.optional(),
      metadata: anyObject.optional(),
    })
    .nullish(),
  context: z.unknown().optional(),
  checkpoint: checkpoint.nullish(),
  checkpoint_id: z.string().nullish(),
  interrupt_before: nodes.nullish(),
  interrupt_after: nodes.nullish(),
  on_disconnect: z.enum(["cancel", "continue"]).nullish(),
  on_completion: z.enum(["delete", "keep"]).nullish(),
  multitask_strategy: z.enum(["reject", "rollback", "interrupt", "enqueue"]).nullish(),
  stream_mode: streamModes,
  stream_subgraphs: z.boolean().nullish(),
  after_seconds: z.number().min(0).max(31_536_000).nullish(),
  if_not_exists: z.enum(["reject", "create"]).nullish(),
  webhook: unsupported("webhook"),
});

export const threadCreate = z.object({
  thread_id: z.string().nullish(),
  metadata: anyObject.nullish(),
  if_exists: z.enum(["raise", "do_nothing"]).nullish(),
  supersteps: z
    .array(
      z.object({
        updates: z.array(
          z.object({ values: z.unknown().optional(), command: command.nullish(), as_node: z.string() }),
        ),
      }),
    )
    .nullish(),
  ttl,
});

export const threadPrune = z.object({
  thread_ids: z.array(z.string()).max(100),
  strategy: z.enum(["delete", "keep_latest"]).nullish(),
});

export const threadPatch = z.object({ metadata: anyObject.nullish(), ttl });

export const stateUpdate = z.object({
  values: z.union([anyObject, z.array(anyObject)]).nullish(),
  as_node: z.string().nullish(),
  checkpoint: checkpoint.nullish(),
  checkpoint_id: z.string().nullish(),
});

export const stateQuery = z.object({
  checkpoint: checkpoint.nullish(),
  subgraphs: z.boolean().nullish(),
  select,
});

const beforeConfig = z.union([
  z.string(),
  z
    .object({ configurable: checkpoint })
    .transform(({ configurable }) => configurable.checkpoint_id ?? undefined),
  checkpoint.transform(({ checkpoint_id }) => checkpoint_id ?? undefined),
]);

export const historyQuery = z.object({
  limit: z.number().int().min(1).max(1000).default(10),
  before: beforeConfig.nullish(),
  metadata: anyObject.nullish(),
  checkpoint: checkpoint.nullish(),
  select,
});

export const snapshotPut = z.object({
  base64: z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/, { message: "must be base64" }),
});

export const cancelMany = z.object({
  thread_id: z.string(),
  run_ids: z.array(z.string()).nullish(),
  status: z.enum(["pending", "running", "all"]).nullish(),
});

const threadStatus = z.enum(["idle", "busy", "interrupted", "error"]);

export const threadSearch = z.object({
  ids: z.array(z.string()).max(100).nullish(),
  status: threadStatus.nullish(),
  metadata: anyObject.nullish(),
  values: unsupported("filtering by values"),
  extract: unsupported("extracting values"),
  limit: z.number().int().min(1).max(100).default(10),
  offset: z.number().int().min(0).default(0),
  sort_by: z.enum(["thread_id", "status", "created_at", "updated_at", "state_updated_at"]).nullish(),
  sort_order: z.enum(["asc", "desc"]).nullish(),
  select,
});

/** Changes of the index of threads, and a page of it. */
export const indexChange = z.object({
  add: z.array(z.string()).default([]),
  remove: z.array(z.string()).default([]),
});
export const indexPage = z.object({ limit: z.coerce.number().int(), offset: z.coerce.number().int() });

export type ThreadSearch = z.infer<typeof threadSearch>;

export const assistantSearch = z.object({
  graph_id: z.string().nullish(),
  name: z.string().nullish(),
  metadata: anyObject.nullish(),
  limit: z.number().int().min(1).max(1000).default(10),
  offset: z.number().int().min(0).default(0),
});

export type RunCreate = z.infer<typeof runCreate>;

/** The request's JSON, checked. @throws {HttpError} 400 for what is not JSON, 422 for what does not fit. */
export async function readJson<T extends z.ZodType>(request: Request, schema: T): Promise<z.infer<T>> {
  const text = await request.text();
  let json: unknown;
  try {
    json = text === "" ? {} : JSON.parse(text);
  } catch {
    throw new HttpError(400, "The body is not valid JSON.");
  }
  return check(json, schema);
}

export function check<T extends z.ZodType>(value: unknown, schema: T): z.infer<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues.map(({ path, message }) => `${path.join(".") || "body"}: ${message}`);
  throw new HttpError(422, issues.join("; "));
}

export const isTrue = (text: string | null) =>
  text !== null && ["1", "true", "yes"].includes(text.toLowerCase());
