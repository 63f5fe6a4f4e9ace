/**
 * What a tool gave, as what code gets. A value stays the value it is; only LangChain's own wrappings (messages,
 * Commands, content blocks) are taken off, and a Command's state update is handed back so that it is applied.
 */
import { BaseMessage } from "@langchain/core/messages";
import { isContentBlock, typeOf } from "./content-blocks.js";

/** One write to the agent's state, in the form that `Command.update` takes as a list. */
export type StateWrite = readonly [key: string, value: unknown];

export interface GuestResult {
  readonly value: unknown;
  /** Writes of Commands in the order they came, messages apart. */
  readonly updates: readonly StateWrite[];
}

export const steersText =
  "This tool steers the agent (it jumps to another step) and cannot be called from code.";

/** A tool that says of itself that it failed. */
export class ToolFailure extends Error {
  readonly data: unknown;

  constructor(message: string, data?: unknown) {
    super(message);
    this.name = "ToolFailure";
    this.data = data;
  }
}

/**
 * @param result What the tool's function returned, or the message LangChain made of it.
 * @param artifact Second half of a `content_and_artifact` result.
 * @throws {ToolFailure} for a message with status "error", and for a Command that steers the graph: a jump cannot be
 * made from inside a program, and to drop it would be to report a success that did not happen.
 */
export function toGuestValue(result: unknown, artifact?: unknown): GuestResult {
  const updates: StateWrite[] = [];
  return { value: unwrap(result, artifact, updates), updates };
}

function unwrap(result: unknown, artifact: unknown, updates: StateWrite[]): unknown {
  if (isCommand(result)) return unwrapCommand(result, updates);
  if (BaseMessage.isInstance(result)) return unwrapMessage(result);
  if (
    Array.isArray(result) &&
    result.length > 0 &&
    result.every((item) => isCommand(item) || isMessage(item))
  ) {
    let value: unknown;
    for (const item of result) value = unwrap(item, undefined, updates) ?? value;
    return value;
  }
  return preferredArtifact(result, artifact) ?? unwrapContent(result);
}

interface CommandLike {
  readonly lg_name: "Command";
  readonly update?: unknown;
  readonly goto?: unknown;
  readonly graph?: unknown;
  readonly resume?: unknown;
}

/** LangGraph's own mark, so that a second copy of it is recognised too. */
function isCommand(value: unknown): value is CommandLike {
  return typeof value === "object" && value !== null && "lg_name" in value && value.lg_name === "Command";
}

function isMessage(value: unknown): boolean {
  return BaseMessage.isInstance(value);
}

function unwrapCommand(command: CommandLike, updates: StateWrite[]): unknown {
  const { goto, graph, resume } = command;
  const jumps = Array.isArray(goto) ? goto.length > 0 : goto !== undefined && goto !== null;
  if (jumps || (graph !== undefined && graph !== null) || (resume !== undefined && resume !== null))
    throw new ToolFailure(steersText);
  let value: unknown;
  for (const [key, written] of writesOf(command.update)) {
    if (key !== "messages") updates.push([key, written]);
    else
      for (const message of Array.isArray(written) ? written : [written])
        value = messageValue(message) ?? value;
  }
  return value;
}

function writesOf(update: unknown): StateWrite[] {
  if (typeof update !== "object" || update === null) return [];
  return Array.isArray(update) ? (update as StateWrite[]) : Object.entries(update);
}

function messageValue(message: unknown): unknown {
  if (BaseMessage.isInstance(message) && message.type === "remove")
    throw new ToolFailure("This tool removes messages of the conversation and cannot be called from code.");
  return BaseMessage.isInstance(message) ? unwrapMessage(message) : undefined;
}

function unwrapMessage(message: BaseMessage): unknown {
  const { status, artifact } = message as BaseMessage & { status?: unknown; artifact?: unknown };
  if (status === "error")
    throw new ToolFailure(textOf(message.content), structuredContent(artifact) ?? artifact ?? undefined);
  return preferredArtifact(message.content, artifact) ?? unwrapContent(message.content);
}

function textOf(content: unknown): string {
  const value = unwrapContent(content);
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * Content is what a model reads, an artifact is the data behind it, so code gets the artifact. The lists that MCP
 * adapters put there are no data themselves: of those only the structured content counts.
 */
function preferredArtifact(content: unknown, artifact: unknown): unknown {
  const structured = structuredContent(artifact) ?? structuredBlock(content);
  if (structured !== undefined) return structured;
  if (artifact === undefined || artifact === null) return undefined;
  if (!Array.isArray(artifact)) return artifact;
  const data = artifact.filter((item) => !isAdapterItem(item));
  if (data.length === artifact.length && data.length > 0) return artifact;
  const empty = content === "" || (Array.isArray(content) && content.length === 0);
  const resources = artifact.filter((item) => typeOf(item) === "resource");
  return empty && resources.length > 0 ? resources : undefined;
}

function structuredContent(artifact: unknown): unknown {
  if (!Array.isArray(artifact)) return undefined;
  const item = artifact.find((part) => typeOf(part) === "mcp_structured_content");
  return (item as { data?: unknown } | undefined)?.data;
}

/** Some adapters put structured content beside the text, in the block itself. */
function structuredBlock(content: unknown): unknown {
  const block = Array.isArray(content) && content.length === 1 ? content[0] : content;
  if (!isContentBlock(block) || block.type !== "text") return undefined;
  return block["structuredContent"] ?? undefined;
}

function isAdapterItem(item: unknown): boolean {
  const type = typeOf(item);
  return type === "resource" || type === "resource_link" || type?.startsWith("mcp_") === true;
}

/** Text blocks become text; where an image or a file is among them, the blocks stay as they are. */
function unwrapContent(content: unknown): unknown {
  if (isContentBlock(content) && content.type === "text") return content["text"];
  if (!Array.isArray(content) || content.length === 0 || !content.every(isContentBlock)) return content;
  const texts = content.filter(({ type }) => type === "text");
  return texts.length === content.length ? texts.map(({ text }) => text).join("\n") : content;
}
