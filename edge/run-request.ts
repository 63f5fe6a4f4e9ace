/** What a client may ask of a run, after validation, and how it becomes input and options for LangGraph. */
import type { RunnableConfig } from "@langchain/core/runnables";
import { Command, Send } from "@langchain/langgraph";

export type StreamMode =
  | "values"
  | "updates"
  | "messages"
  | "messages-tuple"
  | "custom"
  | "debug"
  | "events"
  | "tasks"
  | "checkpoints"
  | "tools";

type Goto = string | { node: string; input?: unknown };

export interface RunRequest {
  readonly input?: unknown;
  readonly command?:
    | {
        readonly goto?: Goto | Goto[] | undefined;
        readonly update?: Record<string, unknown> | [string, unknown][] | undefined;
        readonly resume?: unknown;
      }
    | null
    | undefined;
  readonly config?: Record<string, unknown> | undefined;
  readonly context?: unknown;
  readonly streamMode: StreamMode[];
  readonly subgraphs: boolean;
  readonly interruptBefore?: "*" | string[] | undefined;
  readonly interruptAfter?: "*" | string[] | undefined;
  readonly checkpoint?: Record<string, unknown> | undefined;
}

export function toGraphInput(request: RunRequest): unknown {
  const { command } = request;
  if (command == null) return request.input ?? null;
  const goto = command.goto === undefined ? [] : [command.goto].flat();
  return new Command({
    ...(command.goto === undefined
      ? {}
      : { goto: goto.map((to) => (typeof to === "string" ? to : new Send(to.node, to.input))) }),
    ...(command.update === undefined ? {} : { update: command.update }),
    ...(command.resume === undefined ? {} : { resume: command.resume }),
  });
}

/** A client's `configurable`, without what only LangGraph may set, and never of another thread. */
export function toConfigurable(threadId: string, ...parts: (object | null | undefined)[]) {
  const merged = Object.assign({}, ...parts) as Record<string, unknown>;
  const own = Object.entries(merged).filter(([key, value]) => !key.startsWith("__") && value != null);
  return { ...Object.fromEntries(own), thread_id: threadId };
}

export function toGraphOptions(
  run: { runId: string; assistantId: string; attempts: number; metadata: Record<string, unknown> },
  threadId: string,
  request: RunRequest,
  fromCheckpoint: boolean,
): RunnableConfig & Record<string, unknown> {
  const config = request.config ?? {};
  const configurable = toConfigurable(
    threadId,
    config["configurable"] as object | undefined,
    fromCheckpoint ? request.checkpoint : undefined,
    { run_id: run.runId, assistant_id: run.assistantId, graph_id: run.assistantId },
  );
  const options: Record<string, unknown> = {
    configurable,
    tags: config["tags"],
    recursionLimit: config["recursion_limit"],
    context: request.context,
    interruptBefore: request.interruptBefore,
    interruptAfter: request.interruptAfter,
    subgraphs: request.subgraphs,
    runId: run.runId,
    // Every step is stored before the next begins: what a crash takes away is at most the step it hit.
    durability: "sync",
    metadata: { ...(config["metadata"] as object | undefined), ...run.metadata, run_attempt: run.attempts },
  };
  // An explicit undefined would wipe what the graph was bound to (its recursion limit, say).
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** LangGraph's own modes for the platform's: `messages-tuple` is its `messages`, the old `messages` needs both. */
export function toGraphModes(modes: readonly StreamMode[]): string[] {
  const graphModes = new Set<string>();
  for (const mode of modes) {
    if (mode === "messages-tuple") graphModes.add("messages");
    else if (mode === "messages") graphModes.add("messages").add("values");
    else if (mode !== "events") graphModes.add(mode);
  }
  if (graphModes.size === 0) graphModes.add("values");
  return [...graphModes];
}
