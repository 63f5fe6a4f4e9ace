/** Content blocks of LangChain's messages, told from data that merely looks like them. */

/** A content block as LangChain's messages hold it. */
export interface ContentBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

const binaryTypes = new Set(["image", "audio", "video", "file"]);
const binaryFields = ["data", "url", "fileId", "file_id", "id", "source_type", "source"];

/**
 * Strict, because data has a `type` often enough (`{ type: "file", path: "/a" }` is a directory entry): a block has the
 * field that its type needs.
 */
export function isContentBlock(value: unknown): value is ContentBlock {
  const type = typeOf(value);
  if (type === undefined) return false;
  const block = value as Record<string, unknown>;
  if (type === "text") return typeof block["text"] === "string";
  if (type === "image_url") return block["image_url"] !== undefined;
  if (type === "input_audio") return block["input_audio"] !== undefined;
  if (!binaryTypes.has(type)) return false;
  const described = "mimeType" in block || "mime_type" in block || "source_type" in block;
  return (type !== "file" || described) && binaryFields.some((field) => block[field] !== undefined);
}

export interface LiftedContent {
  readonly text: string;
  readonly blocks: readonly ContentBlock[];
}

/**
 * The blocks in what a program returned, to put them into the eval's own message: one block or a list of blocks with
 * at least one that is not text. Nothing for every other value.
 */
export function liftContentBlocks(value: unknown): LiftedContent | undefined {
  const list = Array.isArray(value) ? value : [value];
  if (list.length === 0 || list.length > 100 || !list.every(isContentBlock)) return undefined;
  const blocks = list.filter(({ type }) => type !== "text");
  if (blocks.length === 0) return undefined;
  const texts = list.filter(({ type }) => type === "text").map(({ text }) => String(text));
  return { text: texts.join("\n"), blocks };
}

/** The `type` that an object says it has. */
export function typeOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("type" in value)) return undefined;
  return typeof value.type === "string" ? value.type : undefined;
}
